import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { DAY, MINUTE } from '../../../../src/platform/clock.ts';
import { openDatabase } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { TestClock } from '../../../support/clock.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { eventually } from '../../../support/eventually.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, credit } from '../../../support/sales/shop.ts';
import { simulatedService } from '../../../support/suppliers/simulated-service.ts';

/** A supplier that does not answer is waited for this long; one that does must answer within it on a busy machine, too. */
const quick = { provisioning: { budgetMs: 2_000, overdueMs: DAY } };

const plansKnown = (t: TestApp, aliases: readonly string[], key: string): Promise<true> =>
  eventually('the catalog has the plans', async () => {
    for (const alias of aliases) if ((await t.get(`/catalog/product/${alias}`, { key })).status !== 200) return false;
    return true;
  });

for (const place of ['in the same process', 'behind a connection'] as const)
  test(`every behaviour of the simulated supplier ${place}: one order there, one charge here, a clean end`, async () => {
    await using undo = new AsyncDisposableStack();
    const database = await freshDatabase();
    undo.defer(() => database.drop());
    const clock = new TestClock();
    const elsewhere =
      place === 'behind a connection'
        ? { simulatedSupplierUrl: new URL(undo.use(await simulatedService(database.url, () => clock.now())).url) }
        : {};
    await everyBehaviour(await testApp({ url: database.url, clock, config: { ...quick, ...elsewhere } }));
  });

async function everyBehaviour(app: TestApp): Promise<void> {
  await using t = app;
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '100.00');
  const outcomes = {
    deliver: [200, 'delivered', ''],
    delay: [202, 'deferred', 'awaiting_profile'],
    refuse: [200, 'failed', 'provider_rejected'],
    timeout: [202, 'deferred', 'provider_unavailable'],
    duplicate: [200, 'delivered', ''],
    break: [200, 'delivered', ''],
  } as const;
  const plans = new Map<string, string>();
  for (const behaviour of Object.keys(outcomes)) {
    const { alias } = await testPlan(t);
    plans.set(behaviour, alias);
    await run(t.operator(), `supplier simulate ${alias} --behaviour ${behaviour}`);
  }
  await plansKnown(t, [...plans.values()], key);
  const orders = new Map<string, string>();
  await Promise.all(
    Object.entries(outcomes).map(async ([behaviour, outcome]) => {
      const { status, body } = await buy(t, key, plans.get(behaviour) ?? '', { idempotency_key: `key-${behaviour}` });
      assert.deepEqual([status, body.delivery, body.delivery_reason], outcome, behaviour);
      orders.set(behaviour, body.id);
    }),
  );
  assert.equal(
    (await t.get('/account/balance', { key })).body.balance,
    50,
    'five paid for, the refused one given back',
  );

  for (const behaviour of ['delay', 'timeout'])
    await run(t.operator(), `supplier simulate ${plans.get(behaviour)} --behaviour deliver`);
  t.clock.advance(MINUTE);
  for (const behaviour of ['delay', 'timeout']) {
    await eventually(`the job delivers what was ${behaviour}`, async () => {
      const { body } = await t.get(`/order/detail/${orders.get(behaviour)}`, { key });
      return body.order.status === '1';
    });
    const again = await buy(t, key, plans.get(behaviour) ?? '', { idempotency_key: `key-${behaviour}` });
    assert.deepEqual([again.status, again.body.delivery], [200, 'delivered']);
  }
  const calls = await t.base.db.query<{ calls: number }>(sql`select calls from simulated.orders`);
  assert.deepEqual(
    calls.map((row) => row.calls),
    [1, 1, 1, 1, 1, 1],
  );
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, []);
}

test('supplier simulate: only a plan that exists, only one of a simulated supplier, and it is recorded', async () => {
  await using t = await testApp();
  const { alias } = await testPlan(t);
  await run(t.operator(), `supplier simulate ${alias} --behaviour refuse`);
  const entry = await t.base.db.one(sql`select before, after from audit_log where what = 'supplier simulate'`);
  assert.deepEqual(entry, { before: 'deliver', after: 'refuse' });
  const unknown = run(t.operator(), 'supplier simulate esc_0000000000000000 --behaviour refuse');
  await assert.rejects(unknown, { code: 'product_not_found' });
  await t.base.db.run(sql`update suppliers set kind = 'airalo'`);
  await assert.rejects(run(t.operator(), `supplier simulate ${alias} --behaviour deliver`), { code: 'not_simulated' });
});

test('SIMULATED_SUPPLIER_URL: the simulated supplier may run elsewhere', async () => {
  await using undo = new AsyncDisposableStack();
  const elsewhere = await freshDatabase();
  undo.defer(() => elsewhere.drop());
  const db = openDatabase({ url: elsewhere.url, name: 'test', searchPath: 'simulated' });
  undo.defer(() => db.close());
  const service = undo.use(await simulatedService(elsewhere.url));
  await using t = await testApp({ config: { simulatedSupplierUrl: new URL(service.url) } });
  const { alias } = await testPlan(t);
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '10.00');
  await plansKnown(t, [alias], key);
  assert.equal((await buy(t, key, alias)).body.delivery, 'delivered');
  const here = await t.base.db.one<{ orders: bigint }>(sql`select count(*) as orders from simulated.orders`);
  const there = await db.one<{ orders: bigint }>(sql`select count(*) as orders from simulated.orders`);
  assert.deepEqual([here.orders, there.orders], [0n, 1n]);
});
