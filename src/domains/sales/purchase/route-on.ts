import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/start/services.ts';
import type { OrderAnswer } from '../../supply/port/port.ts';
import { type Attempt, type AttemptedPlan, isSamePlan, orderAttempts } from '../orders/orders.ts';
import { type PaidOrder, type SupplierCalls, type Tried, takenOver } from './supplier-calls.ts';

/** Who may deliver a sale, as `routes/` knows it. */
export interface Routing {
  /** In the order in which they are tried, including the supplier of the plan that was sold. */
  offers(sale: { readonly productId: string; readonly price: Cents }): readonly AttemptedPlan[];
}

export type CountRouted = (from: string, to: string, reason: string) => void;

interface RouteOnParts extends Pick<Services, 'db' | 'clock'> {
  readonly calls: SupplierCalls;
  readonly countRouted?: CountRouted | undefined;
}

/** An order as it stands at the end of this try. */
export interface RoutedAnswer {
  readonly order: PaidOrder;
  readonly answer: OrderAnswer;
  /** Certainly no supplier has it. */
  readonly isFree: boolean;
}

/** Reasons are shown to operators; a supplier may send a page. */
const MOST_REASON = 200;

/**
 * Tries the next supplier whenever the one before certainly has not accepted the order, until one has it or may have it, none is
 * left, or `mayGoOn` says that the time is over. Each is tried once per try. A supplier that refused the order is never tried for
 * it again, and the order stays open as long as one of them may still deliver it.
 */
export async function routeOn(
  { db, calls, clock, countRouted }: RouteOnParts,
  routing: Routing | undefined,
  first: { readonly order: PaidOrder; readonly tried: Tried },
  { until, mayGoOn }: { readonly until: number; readonly mayGoOn: () => boolean },
): Promise<RoutedAnswer> {
  let { order, tried } = first;
  const seen: AttemptedPlan[] = [order];
  while (tried.isFree && routing && order.refillOf === null) {
    const left = leftOf(order, tried, new Date(clock.now()));
    const open = routing.offers(order).filter((offer) => !hasRefused(order, offer) && !isSamePlan(offer, order));
    const offer = open.find((one) => !seen.some((plan) => isSamePlan(plan, one)));
    if (!offer || !mayGoOn())
      return { order: await noted(db, order, left), answer: keptOpen(tried.answer, open), isFree: true };
    const next = await movedOn(db, order, left, offer, clock.now());
    // Deferred, it is due at once if a cancel was requested. If another process has claimed it, nothing happens.
    if (!next) return { order, answer: stays, isFree: true };
    countRouted?.(order.supplier, next.supplier, routedFor(tried));
    const wasTried = order.attempted.some((attempt) => attempt.number !== null && isSamePlan(attempt, offer));
    order = next;
    seen.push(next);
    tried = await (wasTried ? calls.lookUpThenOrder(order, until) : calls.order(order, until));
  }
  const { answer, isFree } = tried;
  if (answer === takenOver) return { order, answer, isFree };
  return { order: await noted(db, order, leftOf(order, tried, new Date(clock.now()))), answer, isFree };
}

const stays: OrderAnswer = {
  outcome: 'unavailable',
  reason: 'it is to be cancelled, or another process has taken it over',
};

const hasRefused = ({ attempted }: PaidOrder, offer: AttemptedPlan): boolean =>
  attempted.some((attempt) => attempt.outcome === 'refused' && isSamePlan(attempt, offer));

/** A refusal is not final while another supplier may still deliver: the job tries again. */
const keptOpen = (answer: OrderAnswer, open: readonly AttemptedPlan[]): OrderAnswer =>
  answer.outcome === 'refused' && open.length > 0 ? { ...answer, outcome: 'unavailable' } : answer;

const routedFor = ({ answer, wasCalled }: Tried): string =>
  wasCalled ? (answer.outcome === 'refused' ? 'refused' : 'unavailable') : 'breaker_open';

/** What is recorded about the supplier that was tried last. */
function leftOf(order: PaidOrder, { answer, wasCalled }: Tried, at: Date): Attempt {
  const { supplier, supplierPlan, amountMb, day, cost } = order;
  const known = order.attempted.find((attempt) => isSamePlan(attempt, order));
  // In its first try, a supplier that was not called takes no number.
  const wasTried = wasCalled || order.attempts > 0;
  return {
    ...{ supplier, supplierPlan, amountMb, day, cost },
    position: known?.position ?? 1,
    number: wasTried ? order.number : null,
    outcome: wasTried ? outcomeOf(answer) : 'passed_over',
    reason: wasCalled ? ('reason' in answer ? answer.reason.slice(0, MOST_REASON) : '') : 'breaker_open',
    at: known?.at ?? at,
  };
}

function outcomeOf({ outcome }: OrderAnswer): Attempt['outcome'] {
  if (outcome === 'delivered' || outcome === 'refilled') return 'asked';
  // The order says that it is held; whether the supplier has it is not known.
  return outcome === 'held' ? 'unknown' : outcome;
}

/** Records what the last supplier answered, if others were tried. A delivery needs no record: the order shows it. */
async function noted(db: Db, order: PaidOrder, left: Attempt): Promise<PaidOrder> {
  if (order.attempted.length > 0 && left.outcome !== 'asked')
    await orderAttempts.note(db, order.id, order, left.outcome, left.reason);
  return order;
}

/** The order with its next supplier, which has not been called yet. Undefined: another process has taken it over. */
async function movedOn(
  db: Db,
  order: PaidOrder,
  left: Attempt,
  offer: AttemptedPlan,
  now: number,
): Promise<PaidOrder | undefined> {
  const at = new Date(now);
  const before = [...order.attempted.filter((attempt) => !isSamePlan(attempt, order)), left];
  const known = order.attempted.find((attempt) => isSamePlan(attempt, offer));
  const number = known?.number ?? 1 + Math.max(0, ...before.map((attempt) => attempt.number ?? 0));
  const position = known?.position ?? 1 + Math.max(...before.map((attempt) => attempt.position));
  // A supplier tried before certainly does not have it, and the order is looked up there before it is placed again.
  const orderedAt = known?.number ? null : at;
  const next = { ...offer, number, position, outcome: 'asked', reason: '', at } as const;
  if (!(await orderAttempts.moveOn(db, order, left, next, orderedAt ?? '-infinity'))) return undefined;
  const attempted = [...before.filter((attempt) => !isSamePlan(attempt, offer)), next];
  return { ...order, ...offer, number, orderedAt, supplierOrder: null, attempted };
}
