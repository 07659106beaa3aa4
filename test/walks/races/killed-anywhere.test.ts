import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importCatalog } from '../../../src/domains/catalog/import/import-list.ts';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { setBehaviour } from '../../../src/domains/supply/adapters/simulated/store.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually, PATIENCE_MS } from '../../support/eventually.ts';
import type { Fault } from '../../support/program/fault-preload.ts';
import { type Answer, type BreakableServer, breakableServer } from '../../support/servers/breakable-server.ts';

/**
 * A purchase is broken at every step it takes: the process killed, its database connections cut, PostgreSQL stopped. Each
 * time it must be finished or never have happened, and the same key must give the one recorded outcome. The same for a refill,
 * which is only killed, and only from its commit on: up to there a purchase and a refill take the same steps.
 */
const faults: readonly Fault[] = ['kill', 'cut', 'stop'];
/** Of a refill, in MB. */
const REFILL_MB = 512;

let s: BreakableServer;
let refillProduct: string;
let iccid: string;

before(async () => {
  const events = ['order.created', 'order.paid', 'order.delivered', 'order.deferred', 'order.failed'] as const;
  s = await breakableServer(1_000_000n, events, { budgetSeconds: 1 });
  refillProduct = await refillOf(s.product);
});
after(() => s[Symbol.asyncDispose]());

/** Puts a refill of the plan on sale. */
function refillOf(alias: string): Promise<string> {
  const { db, vault } = s.base;
  return db.tx(async (tx) => {
    const { code, slug, destination } = await tx.one<{ code: string; slug: string; destination: string }>(sql`
      select plans.supplier_plan as code, suppliers.slug, plans.destination
      from plans join suppliers on suppliers.id = plans.supplier_id where plans.alias = ${alias}`);
    const terms = { amount: REFILL_MB, day: 1, network_type: '4G', price: 2, cost: 1, refills: [code] };
    const entry = { code: 'killed-refill', destination, title: 'Refill', ...terms };
    const supplier = { slug, title: slug, kind: 'simulated' };
    await importCatalog(tx, { supplier, full: false, destinations: [], plans: [{ entry, line: 1 }] }, vault.sign);
    const refill = sql`select alias from plans where supplier_plan = 'killed-refill'`;
    return (await tx.one<{ alias: string }>(refill)).alias;
  });
}

const MEMBERS = 3;
/** A batch, told like a purchase: delivered once all of it is. */
const buyBatch: Sell = async (idempotency_key) => {
  const items = JSON.stringify([{ product_id: s.product, quantity: MEMBERS }]);
  const placed = await s.call('POST', '/purchase/batch', { items, idempotency_key });
  if (placed?.status !== 202) return placed;
  const { batch_id, orders } = placed.body;
  assert.equal(orders.length, MEMBERS);
  const isDelivered = orders.every(({ status }: { status: string }) => status === '1');
  return isDelivered ? { status: 200, body: { order_id: batch_id, delivery: 'delivered' } } : placed;
};

type Sell = (idempotencyKey: string) => Promise<Answer | undefined>;
const buy: Sell = (idempotency_key) => s.call('POST', '/purchase/buy', { product_id: s.product, idempotency_key });
const refill: Sell = (idempotency_key) =>
  s.call('POST', '/purchase/refill', { iccid, product_id: refillProduct, idempotency_key });

async function countSteps(sell: Sell, name: string): Promise<string[]> {
  await sell(`${name}-warm`);
  return s.countSteps(async () => {
    assert.equal((await sell(`${name}-counted`))?.body.delivery, 'delivered');
  });
}

/** Breaks a sale at each of its steps, from the `first` on; returns the key of each try. */
async function breakEverywhere(
  sell: Sell,
  name: string,
  fault: Fault,
  steps: readonly string[],
  first = 1,
): Promise<string[]> {
  const broken: string[] = [];
  for (let step = first; step <= steps.length; step++) {
    const idempotencyKey = `${name}-${fault}-${step}`;
    await s.breakAt(step, fault, async () => {
      const answer = await sell(idempotencyKey);
      if (!answer) return;
      const told = [200, 202, 500, 503].includes(answer.status);
      assert.ok(told, `${idempotencyKey} (${steps[step - 1]}): ${JSON.stringify(answer)}`);
    });
    broken.push(idempotencyKey);
  }
  return broken;
}

/**
 * On a busy machine a supplier may be left alone for a while, and each try puts an order off for longer. An operator would have those
 * tried again; no process holds an order for as long as this.
 */
const retryAll = () =>
  s.base.db.run(sql`
    update live.orders set provision_due_at = now() where status = 4 and provision_due_at > now() + interval '20 seconds'`);

/** The one outcome of each key, once its order is finished. */
async function outcomesOf(sell: Sell, keys: readonly string[]): Promise<void> {
  const outcomes = new Map<string, Answer>();
  const settle = async (idempotencyKey: string): Promise<void> => {
    const end = Date.now() + 2 * PATIENCE_MS;
    let answer: Answer | undefined;
    while (Date.now() < end) {
      answer = await sell(idempotencyKey);
      if (answer?.status === 200) return void outcomes.set(idempotencyKey, answer);
      assert.ok(answer === undefined || answer.status !== 402, JSON.stringify(answer?.body));
      await sleep(500);
      await retryAll();
    }
    throw new Error(`${idempotencyKey} never came to an end: ${JSON.stringify(answer?.body)}`);
  };
  await Promise.all(keys.map(settle));
  const ids = new Set<number>();
  for (const [idempotencyKey, { body }] of outcomes) {
    assert.equal(body.delivery, 'delivered', idempotencyKey);
    ids.add(body.order_id);
    assert.equal((await sell(idempotencyKey))?.body.order_id, body.order_id, 'a retry gives the recorded outcome');
  }
  assert.equal(ids.size, keys.length, 'one order per key');
}

const batchOrders = async (): Promise<number> => {
  const { orders } = await s.base.db.one<{ orders: number }>(sql`
    select count(*)::int as orders from live.orders where batch_id is not null`);
  return orders;
};

// The charge, the supplier, the delivery and the answer: whatever the path between them becomes, these must be met.
function assertMet(steps: readonly string[]): void {
  for (const met of [
    /^before begin/,
    /^(before|after) commit/,
    /^(before|during|after) the call/,
    /^(before|after) with (moved|claimed)/,
  ])
    assert.ok(
      steps.some((label) => met.test(label)),
      `${met} is not among ${steps.join(', ')}`,
    );
  assert.ok(steps.length >= 19, `too few steps found: ${steps.join(', ')}`);
}

/** Whatever was sold: the books add up, every order told its story once, and nothing was ordered twice. */
async function assertNothingDoubled(): Promise<void> {
  const { db } = s.base.worlds.live;
  assert.deepEqual((await proveBooks(db, () => {})).drift, []);
  const events = await db.query<{ order_id: bigint; events: string }>(sql`
    select o.id as order_id, coalesce(string_agg(d.event_type, ' ' order by d.event_type), '') as events
    from orders o left join webhook_deliveries d on d.order_id = o.id group by o.id`);
  for (const row of events) {
    const told = row.events.split(' ').filter((event) => event !== 'order.deferred');
    assert.deepEqual(told.sort(), ['order.created', 'order.delivered', 'order.paid'], `${row.order_id}: ${row.events}`);
  }
  const { doubled } = await s.base.db.one<{ doubled: number }>(sql`
    select count(*)::int as doubled from simulated.orders where calls > 1`);
  assert.equal(doubled, 0, 'nothing was ordered twice at the supplier');
}

test('a purchase broken at any step, in any of three ways, is finished or never happened', {
  timeout: 600_000,
}, async (t) => {
  const steps = await countSteps(buy, 'buy');
  assertMet(steps);
  const broken: string[] = [];
  for (const fault of faults) broken.push(...(await breakEverywhere(buy, 'buy', fault, steps)));
  await outcomesOf(buy, broken);
  await assertNothingDoubled();
  t.diagnostic(
    `${steps.length} steps found, ${broken.length} purchases broken: ${steps.length} by each of ${faults.join(', ')}`,
  );
  t.diagnostic(`steps: ${steps.join(' | ')}`);
});

test('a refill killed at any step from its commit on is finished or never happened, and its data is added once', {
  timeout: 600_000,
}, async (t) => {
  const bought = await buy('to-refill');
  iccid = (await s.call('GET', `/order/detail/${bought?.body.order_id}`))?.body.esim.iccid;
  const totalMb = async () => (await s.call('GET', `/order/usage/${iccid}`))?.body.usage.total_mb;
  const before = await totalMb();
  const steps = await countSteps(refill, 'refill');
  assertMet(steps);
  const commit = 1 + steps.findIndex((label) => label.startsWith('before commit'));
  const broken = await breakEverywhere(refill, 'refill', 'kill', steps, commit);
  await outcomesOf(refill, broken);
  await assertNothingDoubled();
  // Those that were broken, the one that warmed up and the one that was counted.
  assert.equal(await totalMb(), before + (broken.length + 2) * REFILL_MB);
  t.diagnostic(`${steps.length} steps found, ${broken.length} refills killed`);
});

test('a batch killed at any step is charged once or not at all, and each of its eSIMs is delivered once', {
  timeout: 600_000,
}, async (t) => {
  const steps = await countSteps(buyBatch, 'batch');
  assertMet(steps);
  const before = await batchOrders();
  const broken = await breakEverywhere(buyBatch, 'batch', 'kill', steps);
  await outcomesOf(buyBatch, broken);
  await assertNothingDoubled();
  assert.equal((await batchOrders()) - before, broken.length * MEMBERS);
  t.diagnostic(`${steps.length} steps found, ${broken.length} batches killed: ${steps.join(' | ')}`);
});

test('a purchase whose supplier refuses it, killed at any step from the first call on, is bought once from the next one', {
  timeout: 600_000,
}, async (t) => {
  const { db, vault } = s.base;
  await db.tx(async (tx) => {
    const sold = await tx.one<{
      id: number;
      slug: string;
      code: string;
      destination: string;
      amount: number;
      day: number;
    }>(sql`
      select plans.id, slug, supplier_plan as code, destination, amount_mb as amount, day
      from plans join suppliers on suppliers.id = supplier_id where alias = ${s.product}`);
    const terms = { amount: sold.amount, day: sold.day, network_type: '5G', price: 2, cost: 0.01 };
    const entry = { code: 'next', destination: sold.destination, title: 'Next', ...terms };
    const supplier = { slug: 'next', title: 'Next', kind: 'simulated' };
    await importCatalog(tx, { supplier, full: false, destinations: [], plans: [{ entry, line: 1 }] }, vault.sign);
    await tx.run(sql`
      insert into routes (plan_id, alternates) select ${sold.id}, array[id] from plans where supplier_plan = 'next'`);
    await setBehaviour(tx, sold.slug, sold.code, 'refuse');
  });
  let warm = 0;
  await eventually('the server knows the route', async () => {
    warm += 1;
    return (await buy(`routed-known-${warm}`))?.body.delivery === 'delivered';
  });
  const steps = await countSteps(buy, 'routed');
  const call = 1 + steps.findIndex((label) => label.startsWith('before the call'));
  const broken = await breakEverywhere(buy, 'routed', 'kill', steps, call);
  await outcomesOf(buy, broken);
  const { doubled } = await db.one<{ doubled: number }>(sql`
    select count(*)::int as doubled from (
      select split_part(reference, '-', 3) from simulated.orders where not refused group by 1 having count(*) > 1
    ) as twice`);
  assert.equal(doubled, 0);
  t.diagnostic(`${steps.length} steps found, ${broken.length} purchases killed: ${steps.join(' | ')}`);
});
