import assert from 'node:assert/strict';
import { takeBackShares } from '../../../src/domains/billing/revenue-share/revenue-share.ts';
import { createProvisioning, type Provisioning } from '../../../src/domains/sales/purchase/provision.ts';
import type { Routing } from '../../../src/domains/sales/purchase/route-on.ts';
import { type PaidOrder, paidSupply } from '../../../src/domains/sales/purchase/supplier-calls.ts';
import { createRefunds } from '../../../src/domains/sales/refunds/refunds.ts';
import type { Absent, OrderAnswer, Supplier, WithdrawAnswer } from '../../../src/domains/supply/port/port.ts';
import { HOUR, MINUTE } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { TestApp } from '../program/app.ts';
import { PRICE } from './paid-order.ts';

/** What a supplier does with an order, one answer per call; the last one repeats. */
export interface Behaviour {
  /** `books`: the order is there, whatever is answered. */
  readonly order: readonly { readonly books: boolean; readonly answers: OrderAnswer['outcome'] }[];
  /** To look-ups of an order that is there: its eSIM, or this. One that is not there is absent. */
  readonly find?: readonly ('pending' | 'unavailable' | 'there')[];
  readonly withdraw: readonly (WithdrawAnswer['outcome'] | 'none')[];
}

interface Booked {
  withdrawn: boolean;
  readonly iccid: string;
}

let serial = 0;
const next = <T>(answers: readonly T[], n: number): T => answers[Math.min(n, answers.length - 1)] as T;

/** A scripted supplier that records what it has sold. */
export class FakeSupplier {
  readonly booked = new Map<string, Booked>();
  /** Order calls, by reference. */
  readonly placed: string[] = [];
  readonly supplier: Supplier;
  #orders = 0;
  #finds = 0;
  #withdrawals = 0;

  constructor(name: string, behaviour: Behaviour) {
    const delivered = (reference: string): OrderAnswer => ({
      outcome: 'delivered',
      supplierOrder: `theirs-${reference}`,
      esim: {
        iccid: this.booked.get(reference)?.iccid ?? '',
        smdpAddress: 'smdp.example',
        matchingId: 'M',
        activationCode: 'LPA:1$smdp.example$M',
        appleUrl: null,
        confirmationCode: null,
        msisdn: null,
        apn: null,
        apnType: null,
        apnValue: null,
        isRoaming: null,
      },
    });
    const answer = (outcome: string, reference: string): OrderAnswer => {
      if (outcome === 'delivered') return delivered(reference);
      if (outcome === 'pending') return { outcome, supplierOrder: `theirs-${reference}` };
      return { outcome, reason: 'told to' } as OrderAnswer;
    };
    const takesBack = next(behaviour.withdraw, 0) !== 'none';
    this.supplier = {
      name,
      sellsRefills: false,
      plans: async () => undefined,
      order: async ({ reference }) => {
        this.placed.push(reference);
        const { books, answers } = next(behaviour.order, this.#orders++);
        if (books && !this.booked.has(reference))
          this.booked.set(reference, { withdrawn: false, iccid: `89007${String(++serial).padStart(13, '0')}` });
        return answer(answers, reference);
      },
      find: async ({ reference }): Promise<OrderAnswer | Absent> => {
        const answers = next(behaviour.find ?? ['there'], this.#finds++);
        if (answers === 'unavailable') return { outcome: 'unavailable', reason: 'told to' };
        if (!this.booked.has(reference)) return { outcome: 'absent' };
        return answers === 'pending' ? answer('pending', reference) : delivered(reference);
      },
      usage: async () => ({ outcome: 'none' }),
      ...(takesBack && {
        withdraw: async ({ iccid }) => {
          const outcome = next(behaviour.withdraw, this.#withdrawals++);
          const one = [...this.booked.values()].find((booked) => booked.iccid === iccid);
          if (outcome === 'withdrawn' && one) one.withdrawn = true;
          return outcome === 'withdrawn' ? { outcome } : { outcome: outcome as 'refused', reason: 'told to' };
        },
      }),
    };
  }

  get open(): number {
    return [...this.booked.values()].filter(({ withdrawn }) => !withdrawn).length;
  }
}

/** What happens at a step: nothing, a cancel before it, or the end of the process. */
export type AtStep = (n: number, label: string) => Promise<void>;

class Killed extends Error {}

/** A process of its own: its calls to the database and to suppliers are numbered, and the test comes in before each. */
export function walkingProcess(t: TestApp, suppliers: ReadonlyMap<string, FakeSupplier>, atStep: AtStep) {
  let n = 0;
  let isDead = false;
  const step = async <T>(label: string, work: () => Promise<T>): Promise<T> => {
    if (isDead) throw new Killed();
    await atStep(++n, label);
    if (isDead) throw new Killed();
    const result = await work();
    if (isDead) throw new Killed();
    return result;
  };
  const { live } = t.base.worlds;
  const counted = ['query', 'maybe', 'one', 'run', 'tx'];
  const db = new Proxy(live.db, {
    get(target, name) {
      const own = Reflect.get(target, name);
      if (typeof name !== 'string' || !counted.includes(name)) return own;
      return (...args: unknown[]) => step(`db.${name}`, () => own.apply(target, args));
    },
  }) as Db;
  const of = async (slug: string): Promise<Supplier> => {
    const { supplier } = suppliers.get(slug) as FakeSupplier;
    const { withdraw } = supplier;
    return {
      ...supplier,
      order: (order, limitMs) => step('order', () => supplier.order(order, limitMs)),
      find: (order, limitMs) => step('find', () => supplier.find(order, limitMs)),
      ...(withdraw && { withdraw: (esim, limitMs) => step('withdraw', () => withdraw(esim, limitMs)) }),
    };
  };
  const world = {
    ...live,
    supplyTerms: paidSupply,
    db,
    suppliers: { ...live.suppliers, of },
    beforeRead: async () => 0,
  };
  const options = { ...t.base, budgetMs: 2_000, overdueMs: 24 * HOUR, takeBackShares };
  return {
    provisioning: createProvisioning(world, options),
    refunds: createRefunds(world, options),
    die() {
      isDead = true;
    },
    get steps() {
      return n;
    },
  };
}

/** Runs jobs, for hours of clock time if need be, until the order and its cancel are finished. */
export async function toItsEnd(
  t: TestApp,
  { provisioning, refunds }: { provisioning: Provisioning; refunds: ReturnType<typeof createRefunds> },
  orderId: bigint,
  routing?: Routing,
): Promise<void> {
  for (let rounds = 0; rounds < 60; rounds++) {
    t.clock.advance(MINUTE);
    await provisioning.provisionDue(routing);
    await refunds.handBackDue();
    const { isOver } = await t.base.worlds.live.db.one<{ isOver: boolean }>(sql`
      select provision_due_at is null and cancel_due_at is null and coalesce(cancel_status, '') <> 'requested' as "isOver"
      from orders where id = ${orderId}`);
    if (isOver) return;
  }
  throw new Error(`order ${orderId} never came to an end`);
}

export interface End {
  readonly state: string;
  readonly cancel: string | null;
  readonly given: bigint;
  readonly isWithdrawn: boolean;
}

export const endOf = (t: TestApp, orderId: bigint): Promise<End> =>
  t.base.worlds.live.db.one(sql`
    select delivery as state, cancel_status as cancel, withdrawn_at is not null as "isWithdrawn",
      (select coalesce(sum(abs(amount)), 0)::bigint from movements where order_id = orders.id and type = 'refund') as given
    from orders where id = ${orderId}`);

/** Money and eSIM: the partner has exactly one of the two, and what suppliers have sold is what partners have. */
export function requireOneOfTwo(
  end: End,
  suppliers: ReadonlyMap<string, FakeSupplier>,
  order: PaidOrder,
  label: string,
): void {
  const sold = [...suppliers.values()].reduce((sum, { open }) => sum + open, 0);
  const hasEsim = end.state === 'delivered' && !end.isWithdrawn;
  assert.equal(end.given, hasEsim ? 0n : PRICE, `${label}: ${JSON.stringify(end, (_, v) => String(v))} of ${order.id}`);
  assert.equal(sold, hasEsim ? 1 : 0, `${label}: ${sold} at suppliers`);
  const isCancelled = !hasEsim && (end.state === 'delivered' || end.cancel === 'cancelled');
  if (end.cancel !== null && !(end.state === 'failed' && end.cancel === 'too_late'))
    assert.equal(end.cancel, isCancelled ? 'cancelled' : 'too_late', label);
}
