import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { actions } from '../../../src/actions/actions.ts';
import { asText, findCommand } from '../../../src/entry/cli/cli.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { charge, delivered, posted } from '../../support/sales/sales.ts';
import { credit } from '../../support/sales/shop.ts';

const t = await testApp({ config: { webhookTrustedHosts: ['127.0.0.1:9'] } });
after(() => t[Symbol.asyncDispose]());
const cli = (line: string) => run(t.operator(), line);
const text = async (line: string) => {
  const command = findCommand(actions, line.split(' '));
  assert.ok(command);
  return asText(command, await cli(line));
};

/** A partner with a key, a subscription that has a dead delivery, and some money. */
async function equipped() {
  const partner = await t.partner({ billing: 'postpaid' });
  await credit(t, partner, '10.00');
  const { key_id: key } = await cli(`key create --partner ${partner} --mode live`);
  const hook = `webhook create --partner ${partner} --mode live --url http://127.0.0.1:9/hook`;
  const { subscription_id: subscription } = await cli(hook);
  const { id: delivery } = await t.base.db.one<{ id: bigint }>(sql`
    insert into live.webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, max_attempts,
      created_at, died_at, body)
    values (${partner}, ${subscription}, 0, 'order.test:1', 'order.test', 'dead', 5, now(), now(), '\\x00') returning id`);
  return { partner, key, subscription, delivery };
}

test('partner show: the account with its wallet, active keys, members and subscriptions; statuses as words', async () => {
  const { partner, key, subscription } = await equipped();
  const { key_id: revoked } = await cli(`key create --partner ${partner} --mode live`);
  await cli(`key revoke ${revoked}`);
  await cli(`member invite --partner ${partner} --email ana@example.com`);
  await cli(`webhook pause ${subscription}`);
  const shown = await cli(`partner show ${partner}`);
  assert.deepEqual([shown.partner_id, shown.name, shown.billing_mode], [partner, 'Test', 'postpaid']);
  assert.deepEqual(shown.wallet, { balance: '10.00', promo: '0.00', cash: '10.00', debt: '0.00' });
  assert.deepEqual(
    shown.keys.map(({ key_id }: { key_id: number }) => key_id),
    [key],
  );
  assert.deepEqual(
    shown.members.map(({ email }: { email: string }) => email),
    ['ana@example.com'],
  );
  assert.deepEqual(
    shown.subscriptions.map((one: { subscription_id: bigint; status: number }) => [one.subscription_id, one.status]),
    [[subscription, 2]],
  );
  const printed = await text(`partner show ${partner}`);
  assert.match(printed, /^status +active$/m);
  assert.match(printed, / paused /);
  await assert.rejects(cli('partner show 999999'), { code: 'partner_not_found' });

  const inList = async () =>
    (await text('partner list')).split('\n').find((line) => line.trimStart().startsWith(`${partner} `));
  assert.match((await inList()) ?? '', / active +postpaid /);
  await cli(`partner set ${partner} --suspended true`);
  assert.match((await inList()) ?? '', / suspended +postpaid /);
  await cli(`partner set ${partner} --disabled true`);
  assert.match((await inList()) ?? '', / disabled +postpaid /);
  await cli(`partner delete ${partner}`);
  assert.match(await text(`partner show ${partner}`), /^status +closed$/m);
});

test('a subscription says active, paused or disabled to people, and keeps its number in JSON', async () => {
  const { partner, subscription } = await equipped();
  assert.match(await text(`webhook list --partner ${partner}`), / active /);
  assert.match(await text(`webhook pause ${subscription}`), /^status +paused$/m);
  assert.equal((await cli(`webhook pause ${subscription}`)).status, 2);
  await t.base.db.run(sql`update live.webhook_subscriptions set status = 3 where id = ${subscription}`);
  assert.match(await text(`webhook list --partner ${partner}`), / disabled /);
  assert.match(await text(`webhook resume ${subscription}`), /^status +active$/m);
});

test('a closed account can be viewed and wound up, and nothing else', async (suite) => {
  const { partner, key, subscription, delivery } = await equipped();
  const { orderId } = await delivered(t, partner);
  await posted(t, partner, [charge(2000n, orderId)]);
  await cli(`partner delete ${partner}`);
  const rows = () =>
    t.base.db.one(sql`
    select (select count(*) from shared.audit_log) as entries, (select count(*) from live.movements) as movements`);

  const before = await rows();
  for (const line of [
    `partner set ${partner} --disabled true`,
    `partner delete ${partner}`,
    `key create --partner ${partner} --mode live`,
    `key set ${key} --expires-at never`,
    `member invite --partner ${partner} --email ana@example.com`,
    `wallet credit --partner ${partner} --amount 1`,
    `wallet payment --partner ${partner} --amount 1`,
    `wallet adjust --partner ${partner} --add 1 --note n`,
    `webhook create --partner ${partner} --mode live --url http://127.0.0.1:9/other`,
    `webhook set ${subscription} --events order.paid`,
    `webhook rotate ${subscription}`,
    `webhook rotate ${subscription} --finish`,
    `webhook resume ${subscription}`,
    `webhook requeue ${delivery}`,
    `webhook requeue --subscription ${subscription}`,
    `sandbox clock advance --partner ${partner} --by 1h`,
    `sandbox clock reset --partner ${partner}`,
    `pricing rule add --scope country --target FR --share 1 --partner ${partner}`,
  ])
    await suite.test(`refused: ${line}`, () => assert.rejects(cli(line), { code: 'partner_closed' }));
  assert.deepEqual(await rows(), before, 'a refusal changes nothing and leaves no entry');

  for (const line of [
    `partner show ${partner}`,
    `wallet show --partner ${partner}`,
    `key list --partner ${partner}`,
    `key show ${key}`,
    `member list --partner ${partner}`,
    `webhook list --partner ${partner}`,
    `webhook dead --partner ${partner}`,
    `sandbox clock show --partner ${partner}`,
    `order list --partner ${partner}`,
    `order show ${orderId}`,
    `order refund ${orderId}`,
    `key revoke ${key}`,
    `webhook pause ${subscription}`,
    `webhook delete ${subscription}`,
  ])
    await suite.test(`allowed: ${line}`, () => cli(line));
});

test('closing an account and changing its wallet at the same moment: one waits for the other, and neither fails', async () => {
  for (let round = 0; round < 5; round++) {
    const partner = await t.partner();
    const results = await Promise.allSettled([
      cli(`wallet credit --partner ${partner} --amount 1`),
      cli(`partner set ${partner} --credit-limit 5`),
      cli(`wallet credit --partner ${partner} --amount 1`),
      cli(`partner delete ${partner}`),
    ]);
    for (const result of results)
      if (result.status === 'rejected') assert.equal(result.reason.code, 'partner_closed', String(result.reason));
  }
});
