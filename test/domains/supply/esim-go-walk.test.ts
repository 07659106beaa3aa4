import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEsimGo } from '../../../src/domains/supply/adapters/esim-go/esim-go.ts';
import type { OrderAnswer, Supplier, SupplierOrder } from '../../../src/domains/supply/port/port.ts';
import { toMicros } from '../../../src/platform/amounts/cents.ts';
import { MINUTE, SECOND } from '../../../src/platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../src/platform/log.ts';
import { TestClock } from '../../support/clock.ts';
import { random } from '../../support/random.ts';
import { esimGoDatabase } from '../../support/suppliers/esim-go-rig.ts';
import { fakeEsimGo } from '../../support/suppliers/fake-esim-go.ts';
import { ESIM_GO_ONE, ESIM_GO_TWO } from '../../support/suppliers/fake-esim-go-bundles.ts';

/*
 * Two processes order from eSIM Go, and everything goes wrong: a process is killed between any two of its steps (a statement, a request
 * that arrives, its answer), replies are lost before and after the order took effect, orders are listed late. eSIM Go must never have
 * more orders than were sold, and when nothing goes wrong any more, it has exactly those that were delivered.
 *
 * A killed process is one whose statements and requests no longer return. Its requests no longer count either, like those of a process
 * that is gone; a transaction it had open is rolled back.
 *
 * A failure names its seed. Many walks: ESIM_GO_WALKS=500 npm test -- test/domains/supply/esim-go-walk.test.ts
 */
const WALKS = Number(process.env.ESIM_GO_WALKS ?? 3);
const FIRST_SEED = Number(process.env.ESIM_GO_SEED ?? 1);
const ROUNDS = 30;
const ORDERS = 12;
/** Nothing here waits for a time-out. */
const LIMIT_MS = 30 * SECOND;
const LEASE_MS = 40 * SECOND;

const database = esimGoDatabase();

const never = () => new Promise<never>(() => {});

/** How many steps a process lives. */
class Life {
  #stepsLeft = Number.POSITIVE_INFINITY;
  readonly #end = Promise.withResolvers<'killed'>();
  readonly ended = this.#end.promise;
  isOver = false;

  endAfter(steps: number): void {
    this.#stepsLeft = steps;
  }

  /** True: it ends here. */
  step(): boolean {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft <= 0 && !this.isOver) {
      this.isOver = true;
      this.#end.resolve('killed');
    }
    return this.isOver;
  }
}

const ROLLED_BACK = new Error('killed in a transaction');

/** A database as this process sees it: nothing comes back after its end. */
function mortal(db: Db, life: Life): Db {
  async function alive<T>(work: () => Promise<T>): Promise<T> {
    if (life.step()) return never();
    const result = await work();
    return life.step() ? never() : result;
  }
  const asked = (on: Queryable): Queryable => ({
    query: (statement) => alive(() => on.query(statement)),
    one: (statement) => alive(() => on.one(statement)),
    maybe: (statement) => alive(() => on.maybe(statement)),
    run: (statement) => alive(() => on.run(statement)),
  });
  return {
    ...db,
    ...asked(db),
    tx: <T>(work: (tx: Tx) => Promise<T>) =>
      alive(() =>
        db
          .tx(async (tx) => {
            const result = await work(tx);
            // Before the commit.
            if (life.step()) throw ROLLED_BACK;
            return result;
          })
          .catch((error) => (error === ROLLED_BACK ? never() : Promise.reject(error))),
      ),
  };
}

interface Sold {
  readonly order: SupplierOrder;
  supplierOrder: string | null;
  wasTried: boolean;
  isTaken: boolean;
  answer: OrderAnswer | undefined;
}

async function walk(seed: number): Promise<{ delivered: number; kills: number; waiting: number }> {
  const dice = random(seed);
  const clock = new TestClock();
  await using fake = await fakeEsimGo(clock);
  const db = database.open();
  await db.run(sql`delete from esim_go_orders`);
  const lives = new Map<string, Life>();
  const opened: { close(): Promise<void> }[] = [];
  const sold: Sold[] = [];
  const log = createLog('silent');
  let kills = 0;
  fake.state.meet = ({ headers }) => {
    if (lives.get(String(headers['x-api-key']))?.step()) throw new Error('the process is gone');
  };

  /** A new process, under a key of its own, by which its requests are known. */
  function start() {
    const life = new Life();
    const key = `process-${lives.size + 1}`;
    lives.set(key, life);
    fake.state.keys.add(key);
    const parts = { db: mortal(db, life), clock, log, perSecond: 10_000, pauseMs: 0, leastMs: 0 };
    const esimGo = openEsimGo({ ...fake.settings, key }, parts);
    opened.push(esimGo);
    return { life, supplier: esimGo.supplier('esim-go') };
  }

  function sell(): Sold {
    const refillable = sold.filter(({ answer }) => answer?.outcome === 'delivered');
    const refilled = dice(3) === 0 ? refillable[dice(Math.max(1, refillable.length))]?.answer : undefined;
    const refillOf =
      refilled?.outcome === 'delivered' ? { iccid: refilled.esim.iccid, supplierOrder: refilled.supplierOrder } : null;
    const bundle = dice(4) === 0 ? ESIM_GO_TWO : ESIM_GO_ONE;
    const order: SupplierOrder = {
      reference: `wf-live-${sold.length + 1}`,
      plan: refillOf ? `refill:${bundle}` : bundle,
      refillOf,
      amountMb: 1024,
      day: 7,
      cost: toMicros(0n),
      paidAt: new Date(clock.now()),
      orderedAt: new Date(clock.now()),
      supplierOrder: null,
      script: null,
    };
    return { order, supplierOrder: null, wasTried: false, isTaken: false, answer: undefined };
  }

  const isDone = ({ answer }: Sold) => answer?.outcome === 'delivered' || answer?.outcome === 'refilled';

  /** As provisioning does it: a first try orders, every later one looks first, and an uncertain order is looked up at once. */
  async function tried(supplier: Supplier, order: SupplierOrder, isFirst: boolean): Promise<OrderAnswer> {
    const found = isFirst ? { outcome: 'absent' as const } : await supplier.find(order, LIMIT_MS);
    if (found.outcome !== 'absent') return found;
    const answer = await supplier.order(order, LIMIT_MS);
    if (answer.outcome !== 'unknown') return answer;
    const looked = await supplier.find(order, LIMIT_MS);
    return looked.outcome === 'absent' ? { ...answer, outcome: 'unavailable' } : looked;
  }

  async function attempt({ life, supplier }: ReturnType<typeof start>, one: Sold): Promise<void> {
    const isFirst = !one.wasTried;
    one.isTaken = true;
    one.wasTried = true;
    const known = { ...one.order, supplierOrder: one.supplierOrder };
    const answer = await Promise.race([tried(supplier, known, isFirst), life.ended]);
    one.isTaken = false;
    if (life.isOver || answer === 'killed') {
      // A process that waits for the turn of a killed one gets it when the lease has expired.
      clock.advance(LEASE_MS);
      return;
    }
    one.answer = answer;
    // As the order's row keeps it.
    if ('supplierOrder' in answer) one.supplierOrder = answer.supplierOrder;
    assert.notEqual(answer.outcome, 'refused');
  }

  /** eSIM Go never has more than was sold. */
  function proveNoneTwice(): void {
    const count = <T>(of: readonly T[], keyOf: (one: T) => string) =>
      Object.entries(Object.groupBy(of, keyOf)).map(([key, all]) => [key, all?.length ?? 0] as const);
    const there = new Map(
      count([...fake.orders.values()], (one) => `${one.bundle} ${one.isRefill ? one.esim.iccid : 'new'}`),
    );
    const here = new Map(
      count(sold, ({ order }) => `${order.plan.replace('refill:', '')} ${order.refillOf?.iccid ?? 'new'}`),
    );
    for (const [what, times] of there)
      assert.ok(times <= (here.get(what) ?? 0), `seed ${seed}: ${what} ${times} times`);
    const numbers = sold.filter(isDone).map(({ supplierOrder }) => supplierOrder);
    assert.equal(new Set(numbers).size, numbers.length, `seed ${seed}: one order of theirs was taken for two of ours`);
  }

  let processes = [start(), start()];
  for (let round = 0; round < ROUNDS; round++) {
    while (sold.length < ORDERS && dice(2) === 0) sold.push(sell());
    fake.behaveAgain();
    fake.state.listedAfterMs = dice(4) === 0 ? 5 * MINUTE : 0;
    fake.state.readyAfterMs = dice(6) === 0 ? MINUTE : 0;
    if (dice(3) === 0) fake.meet(dice(2) === 0 ? 'break' : 'vanish', /orders transaction$/);
    if (dice(4) === 0) fake.meet('server_error', /GET/, 1 + dice(2));
    await Promise.all(
      processes.map(async (one) => {
        const open = sold.filter((each) => !isDone(each) && !each.isTaken);
        const next = open[dice(Math.max(1, open.length))];
        if (!next) return;
        if (dice(3) === 0) one.life.endAfter(1 + dice(24));
        await attempt(one, next);
      }),
    );
    processes = processes.map((one) => {
      if (!one.life.isOver) {
        one.life.endAfter(Number.POSITIVE_INFINITY);
        return one;
      }
      kills += 1;
      return start();
    });
    proveNoneTwice();
    clock.advance([SECOND, 20 * SECOND, 2 * MINUTE, 8 * MINUTE, 16 * MINUTE, 40 * MINUTE][dice(6)] ?? 0);
  }

  fake.behaveAgain();
  Object.assign(fake.state, { listedAfterMs: 0, readyAfterMs: 0 });
  const last = start();
  for (let pass = 0; pass < 5; pass++)
    for (const one of sold.filter((each) => !isDone(each))) {
      clock.advance(20 * MINUTE);
      await attempt(last, one);
    }
  proveNoneTwice();
  const open = sold.filter((one) => !isDone(one));
  const waiting = open.filter(({ answer }) =>
    /waits for the operator$/.test((answer as { reason?: string })?.reason ?? ''),
  );
  assert.deepEqual(open, waiting, `seed ${seed}: what is not delivered waits for a person`);
  assert.equal(fake.orders.size, sold.length - waiting.length, `seed ${seed}: ordered and delivered`);
  await Promise.all(opened.map((one) => one.close()));
  await db.close();
  return { delivered: sold.length - waiting.length, kills, waiting: waiting.length };
}

test('esim go: killed anywhere, with replies lost before and after, no order is ever placed twice', async () => {
  const sum = { delivered: 0, kills: 0, waiting: 0 };
  for (let n = 0; n < WALKS; n++) {
    const walked = await walk(FIRST_SEED + n);
    for (const figure of ['delivered', 'kills', 'waiting'] as const) sum[figure] += walked[figure];
  }
  assert.ok(sum.delivered > WALKS * ORDERS * 0.7 && sum.kills > WALKS, JSON.stringify(sum));
  if (WALKS > 3) console.log(JSON.stringify({ walks: WALKS, ...sum }));
});
