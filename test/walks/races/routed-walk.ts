/*
 * A random walk of routed orders: three suppliers that refuse, time out, break off, answer late, take an order and lose their answer, or are
 * away; and processes that are killed between any two steps. Afterwards the suppliers' own books must agree with ours.
 *
 * A process is a `createProvisioning` of its own. It is killed at a step, which is a statement or a call to a supplier, before or after
 * the step has had its effect: from then on nothing of it goes on, as after kill -9. The next one finds what it left in the database.
 *
 *     node test/walks/races/routed-walk.ts --orders 100000 --seed 7
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { readOnePlan } from '../../../src/domains/catalog/catalog.ts';
import type { Plan } from '../../../src/domains/catalog/plans/plan.ts';
import { countChangedDays } from '../../../src/domains/insight/rollups/sales-by-day.ts';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { chargeAll } from '../../../src/domains/sales/purchase/charge.ts';
import { createProvisioning } from '../../../src/domains/sales/purchase/provision.ts';
import { type PaidOrder, paidSupply } from '../../../src/domains/sales/purchase/supplier-calls.ts';
import type { Absent, OrderAnswer, Supplier, SupplierOrder } from '../../../src/domains/supply/port/port.ts';
import { type Micros, toCents, toMicros } from '../../../src/platform/amounts/cents.ts';
import { MINUTE, SECOND } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../src/platform/log.ts';
import { startTestPostgres } from '../../support/database/postgres.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { random } from '../../support/random.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { credit } from '../../support/sales/shop.ts';

const BUDGET_MS = 8 * SECOND;
const NAMES = ['aurora', 'borealis', 'cirrus'] as const;
const costs: Readonly<Record<string, Micros>> = {
  aurora: toMicros(4_000_001n),
  borealis: toMicros(3_500_007n),
  cirrus: toMicros(5_123_456n),
};
const PRICE = toCents(900n);

/** A number in [0, 1). */
type Dice = () => number;
const SIDES = 2 ** 32;

interface Booked {
  readonly orderId: string;
  readonly refused: boolean;
  readonly cost: Micros;
  readonly readyAt: number;
  readonly number: string;
}

/** A supplier with books of its own. */
class FakeSupplier {
  readonly name: string;
  readonly books = new Map<string, Booked>();
  /** Orders on their way that their callers no longer wait for, by reference: when they arrive. */
  readonly #late = new Map<string, { readonly at: number; readonly order: SupplierOrder }>();
  readonly #dice: Dice;
  readonly #now: () => number;
  isWell = false;
  #awayUntil = 0;
  #serial = 0;

  constructor(name: string, dice: Dice, now: () => number) {
    this.name = name;
    this.#dice = dice;
    this.#now = now;
  }

  arrive(): void {
    for (const [reference, { at, order }] of this.#late)
      if (at <= this.#now()) {
        this.#late.delete(reference);
        this.#take(order, 0);
      }
  }

  #take(order: SupplierOrder, delayMs: number, refused = false): Booked {
    const known = this.books.get(order.reference);
    if (known) return known;
    assert.equal(order.cost, costs[this.name], 'asked at the cost of its own plan');
    assert.equal(order.plan, `${this.name}-plan`);
    this.#serial += 1;
    const orderId = order.reference.split('-')[2] as string;
    const booked = {
      orderId,
      refused,
      cost: order.cost,
      readyAt: this.#now() + delayMs,
      number: `${this.name}-${this.#serial}`,
    };
    this.books.set(order.reference, booked);
    return booked;
  }

  #answer(booked: Booked, reference: string): OrderAnswer {
    if (booked.refused) return { outcome: 'refused', reason: 'refused' };
    if (booked.readyAt > this.#now())
      return { outcome: 'pending', supplierOrder: booked.number, readyAt: new Date(booked.readyAt) };
    const place = Object.keys(costs).indexOf(this.name);
    const iccid = `89${String(place).padStart(2, '0')}${booked.number.split('-')[1]?.padStart(15, '0')}`;
    const activationCode = `LPA:1$${this.name}.example$${reference}`;
    const none = { appleUrl: null, confirmationCode: null, msisdn: null, apn: null, apnType: null, apnValue: null };
    const esim = {
      iccid,
      smdpAddress: `${this.name}.example`,
      matchingId: reference,
      activationCode,
      isRoaming: true,
      ...none,
    };
    return { outcome: 'delivered', supplierOrder: booked.number, esim };
  }

  async order(order: SupplierOrder): Promise<OrderAnswer> {
    this.arrive();
    if (this.#now() < this.#awayUntil) return { outcome: 'unavailable', reason: 'away', silent: true };
    const drawn = this.isWell ? 1 : this.#dice();
    if (drawn < 0.001) this.#awayUntil = this.#now() + Math.floor(this.#dice() * 3 * MINUTE);
    if (drawn < 0.12) return { outcome: 'unavailable', reason: 'HTTP 503' };
    if (drawn < 0.16) return { outcome: 'unknown', reason: 'timeout', silent: true };
    if (drawn < 0.2 && !this.books.has(order.reference)) {
      this.#late.set(order.reference, { at: this.#now() + Math.floor(this.#dice() * 30 * SECOND), order });
      return { outcome: 'unknown', reason: 'timeout', silent: true };
    }
    const booked = this.#take(order, drawn < 0.3 ? Math.floor(this.#dice() * MINUTE) : 0, drawn >= 0.3 && drawn < 0.6);
    if (drawn >= 0.57 && drawn < 0.66) return { outcome: 'unknown', reason: 'broke off' };
    return this.#answer(booked, order.reference);
  }

  async find({ reference }: SupplierOrder): Promise<OrderAnswer | Absent> {
    this.arrive();
    if (this.#now() < this.#awayUntil && !this.isWell) return { outcome: 'unavailable', reason: 'away', silent: true };
    if (!this.isWell && this.#dice() < 0.1) return { outcome: 'unknown', reason: 'timeout', silent: true };
    // A supplier that may still list the order late does not say that it has none.
    if (this.#late.has(reference)) return { outcome: 'unavailable', reason: 'not listed yet' };
    const booked = this.books.get(reference);
    return booked ? this.#answer(booked, reference) : { outcome: 'absent' };
  }

  get supplier(): Supplier {
    return {
      name: this.name,
      sellsRefills: false,
      plans: async () => undefined,
      order: (order) => this.order(order),
      find: (order) => this.find(order),
      usage: async () => ({ outcome: 'none' }),
    };
  }
}

/** A life that may end at any step. */
class Life {
  readonly died: Promise<void>;
  isDead = false;
  #die: () => void = () => {};
  readonly #dice: Dice;
  /** How likely it ends at a step. */
  risk: number;

  constructor(dice: Dice, risk: number) {
    this.#dice = dice;
    this.risk = risk;
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  async step<T>(run: () => Promise<T>): Promise<T> {
    const drawn = this.#dice();
    if (drawn < this.risk / 2) this.end();
    if (this.isDead) return new Promise<T>(() => {});
    const result = await run();
    if (drawn >= this.risk / 2 && drawn < this.risk) this.end();
    return this.isDead ? new Promise<T>(() => {}) : result;
  }

  end(): void {
    this.isDead = true;
    this.#die();
  }
}

const mortal = (db: Db, life: Life): Db => ({
  ...db,
  query: ((statement) => life.step(() => db.query(statement))) as Db['query'],
  maybe: ((statement) => life.step(() => db.maybe(statement))) as Db['maybe'],
  one: ((statement) => life.step(() => db.one(statement))) as Db['one'],
  run: (statement) => life.step(() => db.run(statement)),
  tx: (work) => life.step(() => db.tx(work)),
});

export interface Walked {
  readonly orders: number;
  readonly delivered: number;
  readonly failed: number;
  readonly routed: number;
  readonly killed: number;
  readonly rounds: number;
}

/** Walks until this many orders are finished, and throws if a rule is broken. */
export async function routedWalk({
  orders,
  seed,
  perRound = 40,
}: {
  orders: number;
  seed: number;
  perRound?: number;
}): Promise<Walked> {
  // A panel does no work of its own.
  await using t = await testApp({ role: 'panel' });
  t.clock.freeze();
  const drawn = random(seed);
  const dice = () => drawn(SIDES) / SIDES;
  const now = () => t.clock.now();
  const { live } = t.base.worlds;
  const suppliers = new Map(NAMES.map((name) => [name as string, new FakeSupplier(name, dice, now)]));
  const offerOf = (supplier: string) => ({
    supplier,
    supplierPlan: `${supplier}-plan`,
    amountMb: 1024,
    day: 7,
    cost: costs[supplier] as Micros,
  });
  const routing = { offers: () => NAMES.map(offerOf) };
  const plan = await soldPlan(t);
  const partnerId = await t.partner();
  await credit(t, partnerId, '900000.00');
  const parts = { webhooks: live.webhooks, firstDueAt: live.provisioning.firstDueAt };

  function process(risk: number) {
    const life = new Life(dice, risk);
    const adapters = new Map(
      [...suppliers].map(([name, { supplier }]) => {
        const { order, find } = supplier;
        const calls = {
          order: (asked: SupplierOrder, ms: number) => life.step(() => order(asked, ms)),
          find: (asked: SupplierOrder, ms: number) => life.step(() => find(asked, ms)),
        };
        return [name, { ...supplier, ...calls } as Supplier];
      }),
    );
    const world = {
      schema: 'live',
      db: mortal(live.db, life),
      suppliers: { of: async (slug: string) => adapters.get(slug) as Supplier },
      supplierLog: { record: <T>(_: unknown, call: () => Promise<T>) => call() },
      webhooks: live.webhooks,
      supplyTerms: paidSupply,
    } as const;
    const options = {
      vault: t.base.vault,
      clock: t.clock,
      log: createLog('fatal', () => {}),
      budgetMs: BUDGET_MS,
      overdueMs: 1e12,
    };
    // biome-ignore lint/suspicious/noExplicitAny: a log that records nothing.
    return { life, provisioning: createProvisioning(world as any, options) };
  }

  let placed = 0;
  async function place(count: number): Promise<PaidOrder[]> {
    const at = new Date(now());
    const wanted = Array.from({ length: count }, () => {
      const isElsewhere = dice() < 0.1;
      const start = isElsewhere ? { start: { offer: offerOf('borealis'), reason: 'cheaper' } } : {};
      return [{ partnerId, plan, price: PRICE, key: undefined, reference: '', at, ...start }] as const;
    });
    const charged = await live.db.tx((tx) => chargeAll(tx, parts, wanted, { wait: true }));
    placed += count;
    return charged.flat().map((one) => (one as Extract<typeof one, { outcome: 'paid' }>).order);
  }

  const open = async () =>
    (await live.db.one<{ open: number }>(sql`select count(*)::int as open from orders where status = 4`)).open;
  let killed = 0;
  let rounds = 0;
  async function lived(life: Life, work: Promise<unknown>): Promise<void> {
    await Promise.race([work.catch(() => {}), life.died]);
    if (life.isDead) killed += 1;
    life.end();
  }

  while (placed < orders) {
    rounds += 1;
    const buying = process(dice() < 0.5 ? 0.02 : 0);
    const bought = await place(Math.min(perRound, orders - placed));
    await lived(
      buying.life,
      Promise.all(bought.map((order) => buying.provisioning.provision(order, t.clock, routing))),
    );
    const working = process(dice() < 0.5 ? 0.02 : 0);
    await lived(working.life, working.provisioning.provisionDue(routing));
    if (dice() < 0.2) await countChangedDays(live.db, t.clock);
    t.clock.advance(Math.floor(dice() * 40 * SECOND));
  }
  for (const supplier of suppliers.values()) supplier.isWell = true;
  for (let idle = 0; (await open()) > 0; idle++) {
    assert.ok(idle < 2_000, 'every order finishes once suppliers behave');
    rounds += 1;
    t.clock.advance(MINUTE);
    const working = process(0.001);
    await lived(working.life, working.provisioning.provisionDue(routing));
  }
  while ((await countChangedDays(live.db, t.clock)) > 0);

  return { ...(await compared(live.db, suppliers)), killed, rounds };
}

/** Our orders against the suppliers' own books. */
async function compared(
  db: Db,
  suppliers: ReadonlyMap<string, FakeSupplier>,
): Promise<Omit<Walked, 'killed' | 'rounds'>> {
  const rows = await db.query<{
    id: bigint;
    status: number;
    supplier: string;
    cost: Micros;
    number: string | null;
  }>(sql`
    select id, status, supplier, cost_micros as cost, supplier_order as number from orders`);
  const sold = new Map<string, { supplier: string; booked: Booked }[]>();
  const refusals = new Map<string, Set<string>>();
  for (const [name, { books }] of suppliers)
    for (const booked of books.values()) {
      const { orderId } = booked;
      if (booked.refused) refusals.set(orderId, (refusals.get(orderId) ?? new Set()).add(name));
      else sold.set(orderId, [...(sold.get(orderId) ?? []), { supplier: name, booked }]);
    }
  let delivered = 0;
  const spent = new Map<string, bigint>();
  for (const { id, status, supplier, cost, number } of rows) {
    const atSuppliers = sold.get(String(id)) ?? [];
    if (status === 2) {
      assert.deepEqual(atSuppliers, [], `order ${id} failed and was bought`);
      assert.equal(
        refusals.get(String(id))?.size,
        suppliers.size,
        `order ${id} failed although somebody could deliver it`,
      );
      continue;
    }
    assert.equal(status, 1);
    delivered += 1;
    assert.equal(atSuppliers.length, 1, `order ${id} was bought ${atSuppliers.length} times`);
    const [bought] = atSuppliers;
    assert.deepEqual(
      [bought?.supplier, bought?.booked.cost, bought?.booked.number],
      [supplier, cost, number],
      `order ${id} is recorded where it was bought`,
    );
    spent.set(supplier, (spent.get(supplier) ?? 0n) + cost);
  }
  for (const [name, { books }] of suppliers) {
    const own = [...books.values()].reduce((sum, booked) => sum + (booked.refused ? 0n : booked.cost), 0n);
    assert.equal(spent.get(name) ?? 0n, own, `the cost at ${name} equals its own books`);
  }
  const figures = await db.query<{ supplier: string; cost: bigint; delivered: number; orders: number }>(sql`
    select supplier, sum(cost_micros)::bigint as cost, sum(delivered)::int as delivered, sum(orders - failed)::int as orders
    from sales_by_day group by supplier`);
  for (const { supplier, cost, delivered: counted, orders } of figures) {
    assert.equal(cost, spent.get(supplier) ?? 0n, `the figures of ${supplier}`);
    assert.equal(orders, counted);
  }
  assert.deepEqual((await proveBooks(db, () => {})).drift, []);
  const { routed } = await db.one<{ routed: number }>(sql`
    select count(distinct order_id)::int as routed from order_attempts`);
  return { orders: rows.length, delivered, failed: rows.length - delivered, routed };
}

async function soldPlan(t: TestApp): Promise<Plan> {
  const { alias } = await testPlan(t, { code: 'aurora-plan', cost: '4.000001' }).catch(() =>
    t.base.db.one<{ alias: string }>(sql`select alias from plans where supplier_plan = 'aurora-plan'`),
  );
  return (await readOnePlan(t.base.db, alias)) as Plan;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { orders: { type: 'string' }, seed: { type: 'string' } } });
  const postgres = await startTestPostgres();
  process.env.WAYFARE_TEST_POSTGRES = postgres.url;
  const asked = { orders: Number(values.orders ?? 100_000), seed: Number(values.seed ?? 1), perRound: 120 };
  const startedAt = performance.now();
  const walked = await routedWalk(asked).finally(() => postgres.stop());
  console.log(JSON.stringify({ ...asked, ...walked, seconds: Math.round((performance.now() - startedAt) / 1000) }));
}
