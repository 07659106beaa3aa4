import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { stage } from '../../../../domains/messages/webhooks/stage.ts';
import { keyIdOf } from '../../../../support/program/agent.ts';
import { record } from '../../../../support/program/app.ts';

const s = await stage();
after(() => s[Symbol.asyncDispose]());

const WEBHOOKS = { permissions: ['read', 'webhooks'] };

/** Calls of one key, by the last word of the path. */
const calls = (key: string) => async (name: string, form: Record<string, string>) => {
  const answer = await s.t.post(`/webhook/${name}`, form, { key });
  if (answer.body.secret) record('secrets', `${answer.body.secret}\n`);
  return answer;
};
const codeOf = async (asked: ReturnType<ReturnType<typeof calls>>) => {
  const { status, body } = await asked;
  return `${status} ${body.error}`;
};

for (const mode of ['live', 'sandbox'] as const)
  test(`${mode}: a subscription from its creation to its end, with the audit entries of the panel`, async () => {
    const partnerId = await s.t.partner();
    const key = await s.t.key(partnerId, mode, WEBHOOKS);
    const ask = calls(key);
    const rows = async () => (await s.t.get('/webhook/list', { key })).body.subscriptions;
    const arrived = (await s.hook.got(0)).length;
    const received = async (count: number) => {
      const all = await s.hook.got(arrived + count);
      return all.slice(arrived).map(({ path }) => path);
    };

    const made = await ask('create', { url: `http://${s.hook.host}/${mode}/1`, events: 'order.failed, order.paid' });
    assert.equal(made.status, 200, made.text);
    const { subscription, secret } = made.body;
    assert.match(secret, /^whsec_[0-9a-f]{64}$/);
    assert.deepEqual(await rows(), [subscription]);
    assert.deepEqual([...subscription.events_list].sort(), ['order.failed', 'order.paid']);
    const { id } = subscription;

    await ask('test', { subscription_id: id });
    assert.deepEqual(await received(1), [`/${mode}/1`]);
    const moved = (await ask('update', { id, url: `http://${s.hook.host}/${mode}/2` })).body.subscription;
    assert.deepEqual([moved.url, moved.events_list], [`http://${s.hook.host}/${mode}/2`, subscription.events_list]);
    const six = (await ask('update', { id, events: 'esim.depleted' })).body.subscription;
    assert.deepEqual([six.url, six.events_list], [moved.url, ['esim.depleted']]);

    assert.equal((await ask('pause', { id })).body.subscription.status, '2');
    assert.equal(await codeOf(ask('test', { subscription_id: id })), '409 no_active_subscription');
    const world = s.t.base.worlds[mode];
    await ask('update', { id, events: 'order.paid' });
    const event = { partnerId, orderId: 77n, event: 'order.paid', reference: '', delivery: '' } as const;
    const rest = { deliveryReason: '', iccid: '', qrCode: '', occurredAt: s.t.clock.now() };
    await world.db.tx((tx) => world.webhooks.publish(tx, [{ ...event, ...rest }]));
    assert.equal((await ask('resume', { id })).body.subscription.status, '1');
    assert.deepEqual((await received(2)).at(-1), `/${mode}/2`, 'what was held follows');
    await world.db.run(sql`
      update webhook_subscriptions set status = 3, fail_count = 10, held_since = now() where id = ${BigInt(id)}`);
    const back = (await ask('resume', { id })).body.subscription;
    assert.deepEqual([back.status, back.fail_count], ['1', '0'], 'also one that was disabled');

    const rotated = (await ask('rotate', { id })).body;
    assert.ok(rotated.secret !== secret && rotated.subscription.secret_mask.endsWith(rotated.secret.slice(-4)));
    const open = async () =>
      (await world.webhooks.subscriptions(partnerId)).map(({ rotationEndsAt }) => rotationEndsAt !== null);
    assert.deepEqual(await open(), [true]);
    const finished = (await ask('rotate', { id, finish: '1' })).body;
    assert.deepEqual([finished.secret, finished.subscription.id, await open()], [undefined, id, [false]]);

    assert.deepEqual((await ask('delete', { id })).body.deleted, true);
    assert.deepEqual(await rows(), []);
    assert.equal(await codeOf(ask('delete', { id })), '404 subscription_not_found');

    const entries = await s.t.base.db.query<{ who: string; what: string; partnerId: number }>(sql`
      select who, what, partner_id as "partnerId" from audit_log where target = ${`subscription ${id}`} order by id`);
    assert.deepEqual([...new Set(entries.map((entry) => entry.who))], [`key:${await keyIdOf(s.t, key)}`]);
    assert.deepEqual([...new Set(entries.map((entry) => entry.partnerId))], [partnerId]);
    assert.deepEqual(
      entries.map(({ what }) => what.replace('webhook ', '')),
      ['create', 'set', 'set', 'pause', 'set', 'resume', 'resume', 'rotate', 'rotate finish', 'delete'],
    );
  });

test('without events it gets the six of the contract; five are the most, and each has an address of its own', async () => {
  const ask = calls(await s.t.key(await s.t.partner(), 'sandbox', WEBHOOKS));
  const create = (path: number) => ask('create', { url: `http://${s.hook.host}/${path}`, events: '' });
  const first = (await create(1)).body.subscription;
  assert.equal(first.events_list.length, 6);
  assert.equal(await codeOf(create(1)), '409 url_already_subscribed');
  for (const path of [2, 3, 4, 5]) assert.equal((await create(path)).status, 200);
  assert.equal(await codeOf(create(6)), '409 subscription_limit_reached');
  assert.equal(
    await codeOf(ask('update', { id: first.id, url: `http://${s.hook.host}/2` })),
    '409 url_already_subscribed',
  );
});

test('what is refused about the fields, with the reasons of the panel', async () => {
  const ask = calls(await s.t.key(await s.t.partner(), 'live', WEBHOOKS));
  const url = 'https://93.184.215.14/hook';
  assert.equal(await codeOf(ask('create', {})), '400 url_required');
  assert.equal(await codeOf(ask('create', { url: ' ' })), '400 url_required');
  assert.equal(await codeOf(ask('create', { url: `https://93.184.215.14/${'x'.repeat(500)}` })), '400 url_too_long');
  // Short as sent, too long in its normal form.
  assert.equal(await codeOf(ask('create', { url: `https://93.184.215.14/${'é'.repeat(400)}` })), '400 url_too_long');
  for (const events of ['order.sold', 'order.paid,', 'order.paid order.failed', 'ORDER.PAID', ','])
    assert.equal(await codeOf(ask('create', { url, events })), '400 invalid_event', events);
  for (const [target, reason] of [
    ['https://10.0.0.1/', 'private_address'],
    ['https://127.0.0.1/', 'loopback_address'],
    ['http://93.184.215.14/', 'not_https'],
    ['https://ana:secret@93.184.215.14/', 'has_credentials'],
    ['hook', 'invalid_url'],
  ] as const) {
    const { status, body } = await ask('create', { url: target });
    assert.deepEqual([status, body.error, body.reason], [400, 'url_blocked', reason]);
  }
  for (const name of ['update', 'pause', 'resume', 'rotate', 'delete'])
    assert.equal(await codeOf(ask(name, {})), '400 id_required', name);
  assert.equal(await codeOf(ask('rotate', { id: '1', finish: 'yes' })), '400 invalid_finish');
  assert.equal((await s.t.get('/webhook/list', { key: await s.t.key(s.partnerId) })).body.count, 0);
});

test("another's subscription, one of the other mode and none at all are the same answer", async () => {
  const live = await s.subscribe('live', '/of-another');
  const sandbox = await s.subscribe('sandbox', '/of-another');
  const own = await s.t.partner();
  const ask = calls(await s.t.key(own, 'live', WEBHOOKS));
  const mine = calls(await s.t.key(s.partnerId, 'live', WEBHOOKS));
  for (const name of ['update', 'pause', 'resume', 'rotate', 'delete']) {
    const { status, text } = await ask(name, { id: '999999' });
    assert.equal(status, 404);
    for (const [by, id] of [
      [ask, String(live.id)],
      [mine, String(sandbox.id)],
      [ask, 'abc'],
      [ask, '0'],
      [ask, '99999999999999999999'],
    ] as const)
      assert.equal((await by(name, { id })).text, text, `${name} ${id}`);
  }
});
