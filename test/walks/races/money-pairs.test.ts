import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { accrue, pay } from '../../../src/domains/billing/revenue-share/settle.ts';
import { settle } from '../../../src/domains/billing/topups/settle.ts';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { toCents, toMicros, ZERO } from '../../../src/platform/amounts/cents.ts';
import { toBasisPoints } from '../../../src/platform/amounts/percent.ts';
import { MINUTE } from '../../../src/platform/clock.ts';
import { Refused } from '../../../src/platform/contract/refused.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { liveTopupTerms } from '../../../src/worlds/live.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { setLimits, spender } from '../../support/sales/limits.ts';
import { paidOrder, type TestPlan, testPlan } from '../../support/sales/paid-order.ts';
import { catalogKnows, credit, pausedSubscription } from '../../support/sales/shop.ts';
import { topupOf } from '../../support/sales/topups.ts';
import { csvOf, importText, newItems, stockPlans } from '../../support/suppliers/stock-shop.ts';
import { withdrawals } from '../../support/suppliers/withdrawals.ts';

/*
 * Every pair of actions that move money, several of each at once, on one partner and on the same orders. Whatever order they take
 * their locks in, PostgreSQL must never have to end one of them, and no request may be answered with a server error.
 */

const EACH = 3;

const database = await freshDatabase();
/** The card provider is the simulated one. No jobs run beside the test: it calls them as actions. */
const t = await testApp({ role: 'api', url: database.url, config: { cardPayments: 'simulated' } });
let isClosed = false;
const close = async () => {
  if (!isClosed) await t[Symbol.asyncDispose]();
  isClosed = true;
};
after(async () => {
  await close();
  await database.drop();
});

/** What the actions of one pair work on. */
interface Stage {
  readonly partnerId: number;
  readonly key: string;
  /** Orders that wait for stock. */
  readonly waiting: readonly string[];
  /** Orders that their supplier will refuse at the next try. */
  readonly doomed: readonly string[];
  readonly delivered: readonly { readonly id: string; readonly iccid: string }[];
  /** Orders of eSIMs whose replacement waits for the operator. */
  readonly broken: readonly string[];
  /** Orders whose refund waits for the operator. */
  readonly requested: readonly string[];
  /** Top-ups that are paid, and not confirmed. */
  readonly paid: readonly string[];
  /** Top-ups whose payment goes back. */
  readonly returned: readonly string[];
}

type Action = (stage: Stage, n: number) => Promise<unknown>;
type Actions = Readonly<Record<string, Action>>;

const one = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

async function answered(asked: Promise<Answer>): Promise<void> {
  const { status, text } = await asked;
  assert.ok(status < 500, `${status} ${text}`);
}

/** An operator's command may be refused, and nothing else. */
async function commanded(line: string): Promise<void> {
  await run(t.operator(), line).catch((error) => {
    if (!(error instanceof Refused)) throw error;
  });
}

/** Runs every pair, and names those that failed; `prepare` makes what each of them works on. */
async function everyPair(actions: Actions, prepare: () => Promise<Stage>): Promise<void> {
  const names = Object.keys(actions);
  const failed: string[] = [];
  for (const [i, first] of names.entries())
    for (const second of names.slice(i)) {
      const stage = await prepare();
      const both = Array.from({ length: EACH }, (_, n) => [first, second].map((name) => ({ name, n }))).flat();
      const done = await Promise.allSettled(both.map(async ({ name, n }) => (actions[name] as Action)(stage, n)));
      for (const [at, outcome] of done.entries())
        if (outcome.status === 'rejected') failed.push(`${first} with ${second}: ${both[at]?.name}: ${outcome.reason}`);
    }
  assert.deepEqual(failed, []);
}

/** A key with which nothing can be bought: each purchase is refused, and the first one sends an event. */
async function keyWithoutRoom(partnerId: number, mode: 'live' | 'sandbox'): Promise<string> {
  const limited = await spender(t, mode, partnerId);
  await setLimits(limited, 'key', ['hour=0.01'], t);
  return limited.key;
}

/** A delivered eSIM whose replacement waits for the operator. */
async function requestedReplacement(
  world: (typeof t.base.worlds)['live' | 'sandbox'],
  partnerId: number,
  { id, iccid }: { readonly id: string; readonly iccid: string },
): Promise<string> {
  await world.db.run(sql`
    insert into esim_replacements
      (partner_id, old_order_id, old_iccid, idempotency_key, reason, requested_by, status, price, requested_at)
    values (${partnerId}, ${id}, ${iccid}, ${`broken-${id}`}, 'broken', 'partner', 'requested', 0, now())`);
  return id;
}

async function keyOf(partnerId: number, mode: 'live' | 'sandbox'): Promise<string> {
  const key = await t.key(partnerId, mode);
  await t.base.db.run(sql`
    update api_keys set tier_ceilings = '{"money": 1000000, "purchase": 1000000, "read": 1000000, "outbound": 1000000}'
    where partner_id = ${partnerId}`);
  return key;
}

const several = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));

let plan: TestPlan;
let doomedPlan: TestPlan;
let more: TestPlan;
let stockPlan: TestPlan;
before(async () => {
  plan = await testPlan(t);
  doomedPlan = await testPlan(t);
  more = await testPlan(t, { refills: [plan.code] });
  await stockPlans(t.base);
  stockPlan = await t.base.db.one<TestPlan>(
    sql`select id, alias, supplier_plan as code from plans where supplier_plan = 'one-gb'`,
  );
  for (const { alias } of [plan, stockPlan]) await catalogKnows(t, alias);
  const taking = await withdrawals(t, { outcome: 'withdrawn' });
  // Every other eSIM is taken back; the refunds of the others wait for the operator.
  taking.answer = async ({ iccid }) =>
    Number(iccid.at(-2)) % 2 === 0 ? { outcome: 'withdrawn' } : { outcome: 'refused', reason: 'it was activated' };
  const supplier = await t.base.worlds.live.suppliers.of('aurora');
  const { order, find } = supplier;
  Object.assign(supplier, {
    order: (wanted: Parameters<typeof order>[0], limitMs: number) =>
      wanted.plan === doomedPlan.code
        ? Promise.resolve({ outcome: 'refused', reason: 'told to' })
        : order(wanted, limitMs),
    find: (wanted: Parameters<typeof find>[0], limitMs: number) =>
      wanted.plan === doomedPlan.code ? Promise.resolve({ outcome: 'absent' }) : find(wanted, limitMs),
  });
});

suite('live', () => {
  const { live } = t.base.worlds;
  const cardWorld = { ...live, cards: t.base.cardProvider.cards, topupTerms: liveTopupTerms };
  let partnerId: number;
  let key: string;
  let limitedKey: string;
  before(async () => {
    partnerId = await t.partner({ billing: 'postpaid', creditLimit: toCents(100_000_00n) });
    await credit(t, partnerId, '100000.00');
    await run(t.operator(), `partner set ${partnerId} --replacements 100000`);
    await pausedSubscription(t, partnerId, undefined, 'live');
    key = await keyOf(partnerId, 'live');
    limitedKey = await keyWithoutRoom(partnerId, 'live');
  });

  async function paidTopup(): Promise<string> {
    const { body } = await t.post('/account/topup', { amount: '20' }, { key });
    const { intentId } = await topupOf(live, body.payment_key);
    await t.base.cardProvider.simulated?.pay(intentId as string);
    return body.payment_key;
  }

  async function delivered() {
    const order = await paidOrder(t, { partnerId, plan });
    await live.provisioning.provision(order);
    const { iccid } = await live.db.one<{ iccid: string }>(sql`select iccid from orders where id = ${order.id}`);
    return { id: String(order.id), iccid };
  }

  async function requestedRefund(): Promise<string> {
    const { id } = await delivered();
    await live.db.run(sql`
      insert into refunds (order_id, partner_id, status, amount, reason, requested_at)
      values (${id}, ${partnerId}, 'requested', 0, 'unused', now())`);
    return id;
  }

  async function open(of: { plan: TestPlan; supplier?: string }): Promise<string> {
    const { id } = await paidOrder(t, { partnerId, ...of });
    await live.db.run(sql`
      update orders set delivery = 'deferred', free_attempts = provision_attempts, provision_due_at = '2020-01-01'
      where id = ${id}`);
    return String(id);
  }

  const accruals = (orders: Stage['delivered']) =>
    accrue(
      live.db,
      orders.map(({ id }) => ({
        sale: { orderId: BigInt(id), partnerId, sharePct: toBasisPoints(5000n) } as never,
        ...{ planMb: 1024, usedMb: 0, amount: toCents(200n) },
        share: {
          ...{ unusedMb: 1024, unitCost: toMicros(3906n), unusedCost: toMicros(4_000_000n) },
          ...{ amount: toCents(200n), capped: false },
        },
      })),
      new Date(t.clock.now()),
    );

  async function prepare(): Promise<Stage> {
    // Nothing that an earlier pair has left is tried again, beside what this one is about.
    await live.db.run(sql`update orders set provision_due_at = '2100-01-01' where provision_due_at is not null`);
    const [waiting, doomed, sold, broken, requested, paid, returned] = await Promise.all([
      several(2, () => open({ plan: stockPlan, supplier: 'depot' })),
      several(2, () => open({ plan: doomedPlan })),
      several(3, delivered),
      several(2, async () => requestedReplacement(live, partnerId, await delivered())),
      several(2, requestedRefund),
      several(2, paidTopup),
      several(2, paidTopup),
    ]);
    // One share is paid, one is calculated, one is not.
    await accruals(sold.slice(0, 1));
    await pay(live.db, partnerId, new Date(t.clock.now()));
    await accruals(sold.slice(1, 2));
    for (const payment_key of returned) await t.post('/account/topupConfirm', { payment_key }, { key });
    return { partnerId, key, waiting, doomed, delivered: sold, broken, requested, paid, returned };
  }

  const post = (path: string, form: Record<string, string>) => answered(t.post(path, form, { key }));
  let batches = 0;
  const actions: Actions = {
    buy: () => post('/purchase/buy', { product_id: plan.alias }),
    batch: () =>
      post('/purchase/batch', {
        items: JSON.stringify([{ product_id: plan.alias, quantity: 3 }]),
        idempotency_key: `pair-${++batches}`,
      }),
    refill: ({ delivered }, n) => post('/purchase/refill', { product_id: more.alias, iccid: one(delivered, n).iccid }),
    'purchase beyond a limit': async () => {
      const refused = await t.post('/purchase/buy', { product_id: plan.alias }, { key: limitedKey });
      assert.equal(refused.body.error, 'limit_exceeded', refused.text);
    },
    'replacement by the partner': ({ delivered }, n) =>
      post('/esim/replace', { iccid: one(delivered, n).iccid, idempotency_key: `replace-${one(delivered, n).id}` }),
    'replacement decided': ({ broken }, n) =>
      commanded(`replacement ${n % 2 ? 'reject' : 'approve'} ${one(broken, n)}`),
    'replacements by the job': async () => {
      await live.replacements.goOn();
    },
    'cancel by the partner': ({ waiting, doomed }, n) =>
      post('/order/cancel', { order_id: one([...waiting, ...doomed], n) }),
    'cancel by the operator': ({ waiting, doomed }, n) => commanded(`order cancel ${one([...waiting, ...doomed], n)}`),
    'fail by the operator': ({ waiting, doomed }, n) => commanded(`order fail ${one([...waiting, ...doomed], n)}`),
    'refund of an open order': ({ waiting, doomed }, n) =>
      commanded(`order refund ${one([...doomed, ...waiting], n)} --amount 1.00`),
    'whole refund of an open order': ({ waiting, doomed }, n) =>
      commanded(`order refund ${one([...doomed, ...waiting], n)}`),
    'refund by the partner': ({ delivered, requested }, n) =>
      post('/order/refund', { order_id: one([...delivered.map(({ id }) => id), ...requested], n), reason: 'unused' }),
    'refund by the operator': ({ delivered }, n) => commanded(`order refund ${one(delivered, n).id}`),
    'refund in part': ({ delivered }, n) => commanded(`order refund ${one(delivered, n).id} --amount 0.50`),
    'refund approved': ({ requested }, n) => commanded(`refund approve ${one(requested, n)} --amount 2.00`),
    'refund rejected': ({ requested }, n) => commanded(`refund reject ${one(requested, n)} --note no`),
    'withdrawals by the job': async () => {
      t.clock.advance(MINUTE);
      await live.refunds.withdrawDue();
      await live.refunds.handBackDue();
    },
    'deliveries by the job': async () => {
      await importText(t, csvOf(newItems(1)));
      await live.provisioning.provisionDue();
    },
    'top-up confirmed': ({ paid }, n) => post('/account/topupConfirm', { payment_key: one(paid, n) }),
    'top-up returned': async ({ returned }, n) => {
      const topup = await topupOf(live, one(returned, n));
      const { intentId, paymentKey, amount, currency } = topup;
      const intent = { id: intentId as string, paymentKey, amount, currency, state: 'succeeded' as const };
      await settle(cardWorld, topup, { ...intent, refunded: toCents(500n), disputed: ZERO }, t.clock.now());
    },
    'top-up opened': () => post('/account/topup', { amount: '10' }),
    credit: () => commanded(`wallet credit --partner ${partnerId} --amount 5.00`),
    payment: () => commanded(`wallet payment --partner ${partnerId} --amount 0.01`),
    adjust: () => commanded(`wallet adjust --partner ${partnerId} --subtract 0.01 --note wrong`),
    terms: (_, n) => commanded(`partner set ${partnerId} --credit-limit ${100_000 + n}`),
    'share calculated': async ({ delivered }) => void (await accruals(delivered)),
    'share paid': async () => void (await pay(live.db, partnerId, new Date(t.clock.now()))),
  };

  test('any two money actions on one account run at the same time without a deadlock or an error', {
    timeout: 900_000,
  }, async () => {
    await everyPair(actions, prepare);
  });
});

suite('sandbox', () => {
  const { sandbox } = t.base.worlds;
  let partnerId: number;
  let key: string;
  let limitedKey: string;
  before(async () => {
    partnerId = await t.partner();
    await run(t.operator(), `partner set ${partnerId} --replacements 100000`);
    await pausedSubscription(t, partnerId);
    key = await keyOf(partnerId, 'sandbox');
    limitedKey = await keyWithoutRoom(partnerId, 'sandbox');
  });
  const post = (path: string, form: Record<string, string>) => answered(t.post(path, form, { key }));
  const get = (path: string) => answered(t.get(path, { key }));

  async function bought(more: Record<string, string> = {}): Promise<{ id: string; iccid: string }> {
    const { body } = await t.post('/purchase/buy', { product_id: plan.alias, ...more }, { key });
    const id = String(body.order_id);
    const { iccid } = await sandbox.db.one<{ iccid: string | null }>(sql`select iccid from orders where id = ${id}`);
    return { id, iccid: iccid ?? '' };
  }
  const deferred = async () => (await bought({ sandbox_scenario: 'deferred' })).id;
  /** Its purchase was cut off after the payment; its script fails it. */
  const doomedOrder = async () =>
    String((await paidOrder(t, { partnerId, plan, world: sandbox, script: { scenario: 'failed' } })).id);

  async function prepare(): Promise<Stage> {
    await t.post('/account/sandboxReset', {}, { key });
    const [waiting, delivered, broken, requested, paid] = await Promise.all([
      several(2, deferred),
      several(3, () => bought()),
      several(2, async () => requestedReplacement(sandbox, partnerId, await bought())),
      several(2, () => bought({ sandbox_usage: 'active' })),
      several(2, async () => (await t.post('/account/topup', { amount: '20' }, { key })).body.payment_key as string),
    ]);
    for (const { id } of requested) await t.post('/order/refund', { order_id: id, reason: 'unused' }, { key });
    const doomed = await several(2, doomedOrder);
    // Waiting orders are finished by their first reader, and interrupted ones by the job.
    await sandbox.db.run(sql`
      update orders set provision_due_at = '2020-01-01', paid_at = paid_at - interval '10 minutes'
      where partner_id = ${partnerId} and provision_due_at is not null and id = any(${[...waiting.slice(1), ...doomed]}::bigint[])`);
    const ids = requested.map(({ id }) => id);
    return { partnerId, key, waiting, doomed, delivered, broken, requested: ids, paid, returned: [] };
  }

  let batches = 0;
  const actions: Actions = {
    buy: () => post('/purchase/buy', { product_id: plan.alias }),
    batch: () =>
      post('/purchase/batch', {
        items: JSON.stringify([{ product_id: plan.alias, quantity: 3 }]),
        idempotency_key: `pair-${++batches}`,
      }),
    refill: ({ delivered }, n) => post('/purchase/refill', { product_id: more.alias, iccid: one(delivered, n).iccid }),
    'purchase beyond a limit': async () => {
      const refused = await t.post('/purchase/buy', { product_id: plan.alias }, { key: limitedKey });
      assert.equal(refused.body.error, 'limit_exceeded', refused.text);
    },
    'replacement by the partner': ({ delivered }, n) =>
      post('/esim/replace', { iccid: one(delivered, n).iccid, idempotency_key: `replace-${one(delivered, n).id}` }),
    'replacement decided': ({ broken }, n) =>
      commanded(`replacement ${n % 2 ? 'reject' : 'approve'} ${one(broken, n)} --mode sandbox`),
    'replacements by the job': async () => {
      await sandbox.replacements.goOn();
    },
    'cancel by the partner': ({ waiting, doomed }, n) =>
      post('/order/cancel', { order_id: one([...waiting, ...doomed], n) }),
    'cancel by the operator': ({ waiting, doomed }, n) =>
      commanded(`order cancel ${one([...waiting, ...doomed], n)} --mode sandbox`),
    'refund by the partner': ({ delivered, requested }, n) =>
      post('/order/refund', { order_id: one([...delivered.map(({ id }) => id), ...requested], n), reason: 'unused' }),
    'refund by the operator': ({ delivered, doomed }, n) =>
      commanded(`order refund ${one([...delivered.map(({ id }) => id), ...doomed], n)} --mode sandbox`),
    'refund in part': ({ delivered, waiting }, n) =>
      commanded(`order refund ${one([...waiting, ...delivered.map(({ id }) => id)], n)} --amount 0.50 --mode sandbox`),
    'refund approved': ({ requested }, n) =>
      commanded(`refund approve ${one(requested, n)} --amount 2.00 --mode sandbox`),
    'refund rejected': ({ requested }, n) => commanded(`refund reject ${one(requested, n)} --note no --mode sandbox`),
    'deliveries to a reader': ({ waiting, doomed }, n) => get(`/order/detail/${one([...waiting, ...doomed], n)}`),
    'deliveries to a list': () => get('/order/get'),
    'deliveries by the job': () => sandbox.provisioning.provisionDue(),
    'withdrawals by the job': async () => {
      await sandbox.refunds.withdrawDue();
      await sandbox.refunds.handBackDue();
    },
    'top-up opened': () => post('/account/topup', { amount: '10' }),
    'top-up confirmed': ({ paid }, n) => post('/account/topupConfirm', { payment_key: one(paid, n) }),
    'balance set': (_, n) => post('/account/sandboxBalance', { operation: 'set', amount: String(500 + n) }),
    'clock turned': () => commanded(`sandbox clock advance --partner ${partnerId} --by 1m`),
    reset: () => post('/account/sandboxReset', {}),
  };

  test('any two money actions on one account run at the same time without a deadlock or an error', {
    timeout: 900_000,
  }, async () => {
    await everyPair(actions, prepare);
  });
});

test('the books of both worlds add up after all of them', async () => {
  for (const world of ['live', 'sandbox'] as const) {
    const { drift } = await proveBooks(t.base.worlds[world].db, () => {});
    assert.deepEqual(drift, [], world);
  }
});

test('PostgreSQL has seen no deadlock', async () => {
  // A connection reports what it has counted when it ends, at the latest.
  await close();
  const db = openDatabase({ url: database.url, name: 'test' });
  try {
    await eventually('the other connections end', async () => {
      const { others } = await db.one<{ others: number }>(sql`
        select count(*)::int as others from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
      return others === 0;
    });
    const { deadlocks } = await db.one<{ deadlocks: bigint }>(sql`
      select deadlocks from pg_stat_database where datname = current_database()`);
    assert.equal(deadlocks, 0n);
  } finally {
    await db.close();
  }
});
