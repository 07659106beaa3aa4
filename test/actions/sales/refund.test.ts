import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { actions } from '../../../src/actions/actions.ts';
import { asText, findCommand } from '../../../src/entry/cli/cli.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { refundShop, type Shop, withdrawals } from '../../support/suppliers/withdrawals.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const cli = (line: string | readonly string[]) => run(t.operator(), line);
let shop: Shop;
before(async () => {
  shop = await refundShop(t);
  await withdrawals(t, 'none');
});

const block = async (world: 'live' | 'sandbox', id: string) =>
  (await t.get(`/order/detail/${id}`, { key: shop[world] })).body.refund;
const flag = (world: 'live' | 'sandbox') => (world === 'live' ? '' : ' --mode sandbox');
const entries = () => t.base.db.one<{ n: number }>(sql`select count(*)::int as n from audit_log`);

for (const world of ['live', 'sandbox'] as const) {
  const mode = flag(world);

  suite(`a requested refund in ${world}`, () => {
    /** In live no supplier takes anything back; in the sandbox the eSIM is in use. */
    async function requested(reason = ''): Promise<string> {
      const { id } = await shop.order(shop[world], world === 'live' ? {} : { sandbox_usage: 'active' });
      const { body } = await t.post('/order/refund', { order_id: id, reason }, { key: shop[world] });
      assert.equal(body.refund.status, 'requested');
      return id;
    }
    const balance = () => t.base.worlds[world].books.balance(shop.partnerId);

    test('is listed for the operator until it is decided', async () => {
      const [first, second] = [await requested('Trip cancelled'), await requested()];
      const listed = async (status: string) =>
        (await cli(`refund list --status ${status}${mode}`)).map((row: { order_id: bigint }) => String(row.order_id));
      assert.deepEqual(await listed('requested'), [second, first]);
      const [, row] = await cli(`refund list${mode}`);
      assert.deepEqual(
        [row.partner_id, row.status, row.amount, row.reason, row.note, row.decided_at],
        [shop.partnerId, 'requested', '0.00', 'Trip cancelled', '', null],
      );
      await cli(`refund approve ${first}${mode}`);
      await cli(`refund reject ${second}${mode}`);
      assert.deepEqual(await listed('requested'), []);
      assert.ok((await listed('refunded')).includes(first));
      assert.ok((await listed('rejected')).includes(second));
      assert.deepEqual(await cli(`refund list --partner 999999${mode}`), []);
      assert.equal((await cli(`refund list --limit 1${mode}`)).length, 1);
    });

    test('approved wholly: the price goes back and the partner reads the note', async () => {
      const id = await requested();
      const had = await balance();
      const done = await cli([
        'refund',
        'approve',
        id,
        '--note',
        'Sorry about that',
        ...mode.split(' ').filter(Boolean),
      ]);
      assert.deepEqual([done.refunded, done.refund.status, done.refund.amount], ['10.00', 'refunded', '10.00']);
      assert.equal(await balance(), had + 1000n);
      const { status, amount, note, decided_at } = await block(world, id);
      assert.deepEqual([status, amount, note], ['refunded', '10.00', 'Sorry about that']);
      assert.notEqual(decided_at, null);
      const again = (await t.post('/order/refund', { order_id: id }, { key: shop[world] })).body.refund;
      assert.deepEqual(again, await block(world, id));
    });

    test('approved in parts: they add up to the price and never to more', async () => {
      const id = await requested();
      const had = await balance();
      await cli(`refund approve ${id} --amount 4 --note first${mode}`);
      assert.deepEqual(
        [(await block(world, id)).status, (await block(world, id)).amount],
        ['refunded', '4.00'],
        'the partner reads what went back',
      );
      const { body } = await t.post('/order/refund', { order_id: id }, { key: shop[world] });
      assert.equal(body.refund.amount, '4.00', 'asking again gives back no more');
      await assert.rejects(cli(`refund approve ${id} --amount 6.01${mode}`), { code: 'refund_too_large' });
      await cli(`order refund ${id} --amount 5.99${mode}`);
      assert.deepEqual([(await block(world, id)).amount, (await block(world, id)).note], ['9.99', 'first']);
      await cli(`refund approve ${id}${mode}`);
      await assert.rejects(cli(`refund approve ${id}${mode}`), { code: 'refund_too_large' });
      assert.equal((await block(world, id)).amount, '10.00');
      assert.equal(await balance(), had + 1000n);
    });

    test('rejected: no money moves, asking again changes nothing, and the operator can still change their mind', async () => {
      const id = await requested('please');
      const had = await balance();
      await cli(`refund reject ${id} --note used${mode}`);
      const { status, amount, reason, note, decided_at } = await block(world, id);
      assert.deepEqual([status, amount, reason, note], ['rejected', '0.00', 'please', 'used']);
      assert.notEqual(decided_at, null);
      const { body } = await t.post('/order/refund', { order_id: id }, { key: shop[world] });
      assert.equal(body.refund.status, 'rejected');
      assert.equal(await balance(), had);
      await assert.rejects(cli(`refund reject ${id}${mode}`), { code: 'refund_decided' });
      await cli(`refund approve ${id} --amount 1${mode}`);
      assert.deepEqual([(await block(world, id)).status, await balance()], ['refunded', had + 100n]);
      await assert.rejects(cli(`refund reject ${id}${mode}`), { code: 'refund_decided' });
    });

    test('what cannot be decided changes nothing and leaves no entry', async () => {
      const { id } = await shop.order(shop[world]);
      const before = await entries();
      await assert.rejects(cli(`refund approve ${id}${mode}`), { code: 'refund_not_found' });
      await assert.rejects(cli(`refund reject ${id}${mode}`), { code: 'refund_not_found' });
      await assert.rejects(cli(`refund approve 999999${mode}`), { code: 'order_not_found' });
      await assert.rejects(cli(`refund reject 999999${mode}`), { code: 'order_not_found' });
      await assert.rejects(cli(`refund approve ${id} --amount 0${mode}`), /more than zero/);
      await assert.rejects(cli(`refund list --status open${mode}`), /is not one of/);
      assert.deepEqual(await entries(), before);
      assert.equal(await block(world, id), null);
    });

    test('a refund by hand sets the same block, and each part sends its own event', async () => {
      const url = `https://93.184.215.14/${world}`;
      const hook = await cli(
        `webhook create --partner ${shop.partnerId} --mode ${world} --url ${url} --events order.refunded`,
      );
      await cli(`webhook pause ${hook.subscription_id}`);
      const { id } = await shop.order(shop[world], world === 'live' ? {} : { sandbox_usage: 'active' });
      await cli(`order refund ${id} --amount 2.50 --note goodwill${mode}`);
      const first = await block(world, id);
      assert.deepEqual([first.status, first.amount, first.note, first.reason], ['refunded', '2.50', 'goodwill', '']);
      assert.equal(first.requested_at, first.decided_at);
      await cli(`order refund ${id}${mode}`);
      const { deliveries } = (await t.get('/webhook/deliveries?event=order.refunded', { key: shop[world] })).body;
      const bodies = await Promise.all(
        deliveries.toReversed().map(async ({ id: delivery }: { id: string }) => {
          const { payload } = (await t.get(`/webhook/deliveries?id=${delivery}`, { key: shop[world] })).body;
          const { event_id, refund, status, delivery: state } = JSON.parse(payload);
          return [event_id, refund.amount, status, state];
        }),
      );
      const name = `${world === 'live' ? '' : 'sbx_'}order.refunded:${id}`;
      assert.deepEqual(bodies, [
        [`${name}:1`, '2.50', '1', 'delivered'],
        [`${name}:2`, '10.00', '1', 'delivered'],
      ]);
      await cli(`webhook delete ${hook.subscription_id}`);
    });
  });
}

test('every decision is in the audit log with the money before and after', async () => {
  const { id } = await shop.order(shop.live);
  await t.post('/order/refund', { order_id: id }, { key: shop.live });
  await cli(`refund reject ${id} --note no`);
  await cli(`refund approve ${id} --amount 3`);
  await cli(`order refund ${id}`);
  const changes = (await cli(['changes', '--target', `order ${id}`])) as { what: string; who: string; after: object }[];
  assert.deepEqual(
    changes.map(({ what, who }) => [what, who]),
    [
      ['order refund', 'test'],
      ['refund approve', 'test'],
      ['refund reject', 'test'],
    ],
  );
  const { id: played } = await shop.order(shop.sandbox);
  await cli(`order refund ${played} --mode sandbox`);
  const [entry] = await cli(['changes', '--target', `sandbox order ${played}`]);
  assert.equal(entry.what, 'order refund');
});

test('order show has the refund, and its text shows nothing that could move the cursor', async () => {
  const { id } = await shop.order(shop.live);
  assert.equal((await cli(`order show ${id}`)).refund, null);
  await t.post('/order/refund', { order_id: id, reason: 'a\u001b[2Jb' }, { key: shop.live });
  const { refund } = await cli(`order show ${id}`);
  assert.deepEqual([refund.status, refund.reason], ['requested', 'a\u001b[2Jb']);
  for (const line of [`order show ${id}`, 'refund list']) {
    const command = findCommand(actions, line.split(' '));
    assert.ok(command);
    const text = asText(command, await cli(line));
    assert.match(text, /a·\[2Jb/);
  }
});

test('an order that is still open can be refunded by hand; the event tells its state', async () => {
  const { id } = await shop.order(shop.sandbox, { sandbox_scenario: 'deferred' });
  const hook = await cli(
    `webhook create --partner ${shop.partnerId} --mode sandbox --url https://93.184.215.14/open --events order.refunded`,
  );
  await cli(`webhook pause ${hook.subscription_id}`);
  await cli(`order refund ${id} --amount 1 --mode sandbox`);
  const [{ id: delivery }] = (await t.get('/webhook/deliveries?event=order.refunded', { key: shop.sandbox })).body
    .deliveries;
  const { payload } = (await t.get(`/webhook/deliveries?id=${delivery}`, { key: shop.sandbox })).body;
  const { status, delivery: state, iccid, qr_code } = JSON.parse(payload);
  assert.deepEqual([status, state, iccid, qr_code], ['4', 'deferred', '', '']);
  const { status: code, body } = await t.post('/order/refund', { order_id: id }, { key: shop.sandbox });
  assert.deepEqual([code, body.refund.amount], [200, '1.00'], 'there is a refund, so it is shown');
});

test('the proof of the ledger passes, and would find an order with a wrong refund mark', async () => {
  assert.equal((await cli('audit')).ok, true);
  const { id } = await shop.order(shop.live);
  await t.base.db.run(sql`update live.orders set refunded = 1 where id = ${id}`);
  const { ok, live } = await cli('audit');
  assert.equal(ok, false);
  assert.match(live.drift[0].rule, /marked with what was refunded/);
  await t.base.db.run(sql`update live.orders set refunded = 0 where id = ${id}`);
});
