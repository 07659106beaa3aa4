import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { DAY, SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually, runTime } from '../../../support/eventually.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, counts, credit } from '../../../support/sales/shop.ts';
import { beforeStatement, type Freezer, freezer } from '../../../support/servers/freeze.ts';

/** What a request has, and twice what a statement has. */
const REQUEST_MS = 2_500;
/** An answer in time may still be slow to arrive on a busy machine. */
const IN_TIME_MS = REQUEST_MS + 2_500;
const CONNECTIONS = 4;

const config = {
  requestMs: REQUEST_MS,
  pools: { live: CONNECTIONS, sandbox: CONNECTIONS, shared: 5 },
  provisioning: { budgetMs: 4 * SECOND, overdueMs: DAY },
};
let t: TestApp;
let key: string;
let alias: string;
let price: number;
let backends: Freezer | undefined;

before(async () => {
  // Without jobs: what is left to them is seen, and they use no connections.
  t = await testApp({ config, role: 'api' });
  alias = (await testPlan(t)).alias;
  await catalogKnows(t, alias);
  const partnerId = await t.partner();
  key = await t.key(partnerId);
  await credit(t, partnerId, '1000.00');
  price = Number((await buy(t, key, alias)).body.order.sale_price);
  backends = await freezer(t.base.worlds.live.db, CONNECTIONS);
});
after(async () => {
  backends?.thaw();
  await t[Symbol.asyncDispose]();
});

async function timed<T>(work: Promise<T>): Promise<T> {
  using run = runTime();
  const result = await work;
  assert.ok(run.ms < IN_TIME_MS, `it took ${run.ms} ms`);
  return result;
}

const cents = (usd: number) => Math.round(usd * 100);
const balance = async () => cents((await t.get('/account/balance', { key })).body.balance);
const orderOf = (name: string) =>
  t.base.worlds.live.db.maybe<{ id: bigint; status: number }>(sql`
    select id, status from orders where idempotency_key = ${name}`);
const isSound = async () =>
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, [], 'the books agree with the orders');

test('a locked table holds no purchase for longer than a request may take, and nothing of it is written', async () => {
  const had = await counts(t);
  const holder = new pg.Client({ connectionString: t.base.url });
  await holder.connect();
  try {
    await holder.query('begin; lock table live.orders in access exclusive mode');
    // One by one they would wait for a statement's limit each.
    const answers = await timed(
      Promise.all(Array.from({ length: 20 }, (_, i) => buy(t, key, alias, { idempotency_key: `locked-${i}` }))),
    );
    assert.deepEqual(
      [...new Set(answers.map(({ status, body, headers }) => `${status} ${body.error} ${headers['retry-after']}`))],
      ['503 service_unavailable 5'],
    );
    assert.equal((await timed(t.get('/catalog/countries', { key }))).status, 200, 'the catalog is served meanwhile');
  } finally {
    await holder.end();
  }
  assert.deepEqual(await counts(t), had);
  assert.equal((await buy(t, key, alias, { idempotency_key: 'locked-0' })).body.delivery, 'delivered');
});

test('time is up before the charge: 503, and it is not charged when the database comes back', async () => {
  const [had, money] = [await counts(t), await balance()];
  backends?.freeze();
  const answer = await timed(buy(t, key, alias, { idempotency_key: 'early' }));
  backends?.thaw();
  assert.deepEqual([answer.status, answer.body.error], [503, 'service_unavailable']);
  // The next purchase waits for the one before it.
  assert.equal((await buy(t, key, alias)).status, 200);
  assert.equal(await orderOf('early'), undefined);
  assert.deepEqual([(await counts(t)).orders, await balance()], [(had.orders ?? 0) + 1, money - cents(price)]);
  assert.equal((await buy(t, key, alias, { idempotency_key: 'early' })).body.delivery, 'delivered');
});

test('time is up while the charge is written: 409 charge_in_progress names the order, and the same key finds it', async () => {
  const money = await balance();
  beforeStatement('insert into orders', () => backends?.freeze());
  const answer = await timed(buy(t, key, alias, { idempotency_key: 'midway' }));
  backends?.thaw();
  assert.deepEqual([answer.status, answer.body.error], [409, 'charge_in_progress']);
  await eventually('it was charged', async () => (await orderOf('midway')) !== undefined);
  assert.equal(Number((await orderOf('midway'))?.id), answer.body.order_id);
  // No request waits for it any more, so the job delivers it.
  t.clock.advance(30 * SECOND);
  await t.base.worlds.live.provisioning.provisionDue();
  const again = await buy(t, key, alias, { idempotency_key: 'midway' });
  assert.deepEqual([again.body.order_id, again.body.delivery], [answer.body.order_id, 'delivered']);
  assert.equal(await balance(), money - cents(price), 'charged once');
  await isSound();
});

test('time is up after the charge: 202 deferred, charged once, and the same key finds the same order', async () => {
  await run(t.operator(), `supplier simulate ${alias} --behaviour timeout`);
  const money = await balance();
  const { status, body } = await timed(buy(t, key, alias, { idempotency_key: 'slow' }));
  assert.deepEqual([status, body.delivery, body.delivery_reason], [202, 'deferred', 'awaiting_profile']);
  assert.equal(cents(body.balance), money - cents(price));
  assert.equal(Number((await orderOf('slow'))?.id), body.order_id);
  await run(t.operator(), `supplier simulate ${alias} --behaviour deliver`);
  await isSound();
});

test('a charge that took so long that the job may have claimed the order leaves the supplier to the job', async () => {
  beforeStatement('insert into orders', () => t.clock.advance(10 * SECOND));
  const { status, body } = await buy(t, key, alias);
  assert.deepEqual([status, body.delivery], [202, 'deferred']);
  const asked = () =>
    t.base.db.maybe(sql`select from simulated.orders where reference = ${`wf-live-${body.order_id}`}`);
  assert.equal(await asked(), undefined, 'the supplier was not called');
  t.clock.advance(30 * SECOND);
  await t.base.worlds.live.provisioning.provisionDue();
  assert.ok(await asked());
});
