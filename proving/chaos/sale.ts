import { charge, end, requireAffordable, requireNoCredit, requireShort } from './ledger.ts';
import type { CancelStatus, Model, Order, Partner, Product, RefundStatus, WorldName } from './model.ts';
import { Possible } from './possible.ts';
import { isBeingReplaced, isReplaced } from './replacements.ts';
import type { Answer } from './site.ts';
import { isRefused, requireExpected } from './supply.ts';
import { deliverers, isRefillOf, partnerPrice } from './terms.ts';
import { requireThat } from './violation.ts';

/** A purchase as it was sent. */
export interface Attempt {
  readonly world: WorldName;
  readonly partner: Partner;
  readonly product: Product;
  readonly key: string | undefined;
  /** The eSIM that is refilled. */
  readonly refillOf?: Order | undefined;
  /** Sandbox only. */
  readonly scenario: { readonly name: string; readonly usage: string } | undefined;
  /** The order under the key when it was sent, and its state then. */
  readonly recorded: { readonly order: Order; readonly state: Order['state'] } | undefined;
}

/** Applies a definite answer to a purchase to the model, or reports what is wrong with it. */
export function sold(model: Model, attempt: Attempt, answer: Answer): void {
  const { world, partner, product, key } = attempt;
  const { status, body } = answer;
  const inLive = world === 'live';
  switch (`${status} ${body.error ?? ''}`.trim()) {
    case '200':
    case '202':
      delivered(model, attempt, answer);
      break;
    case '402 insufficient_balance':
      requireThat(!inLive || partner.billing.has('prepaid'), 'a postpaid purchase asked for balance', body);
      model.atClose(() => requireShort(partner, world, inCents(body.required)));
      short(model, attempt, body, 'insufficient_balance');
      break;
    case '403 credit_limit_exceeded':
      requireThat(inLive && partner.billing.has('postpaid'), 'a prepaid purchase met a credit limit', body);
      model.atClose(() => requireNoCredit(partner, inCents(body.required)));
      short(model, attempt, body, 'credit_limit_exceeded');
      break;
    case '403 partner_account_suspended':
      requireThat(inLive && partner.suspended.has(true) && !attempt.recorded, 'refused as suspended, and is not', body);
      break;
    case '404 product_not_found':
      requireThat(product.onSale.has(false) && !attempt.recorded, 'refused as not on sale, and is', body);
      break;
    case '400 invalid_refill':
      requireThat(!isRecorded(attempt) && mayRefuseRefill(attempt), 'a refill was refused, and fits', body);
      break;
    case '409 idempotency_key_conflict':
      model.atClose(() => {
        const owner = key === undefined ? undefined : model.keyed(partner, world, key);
        requireThat(owner && isOther(owner, attempt), 'a key conflict without another product', {
          wanted: [key, world, partner.id, product.alias, attempt.refillOf?.id],
          owner: owner && [owner.id, owner.product.alias, owner.refillOf?.id, owner.state],
        });
      });
      break;
    default:
      requireThat(false, 'a purchase was answered like no other', { status, body });
  }
}

const isOther = (owner: Order, { product, refillOf }: Pick<Attempt, 'product' | 'refillOf'>) =>
  owner.isBatched || owner.product !== product || owner.refillOf !== refillOf;

/** The same purchase was made before. Another one under its key is refused as a conflict, after the checks of the eSIM and plan. */
const isRecorded = (attempt: Attempt) => attempt.recorded !== undefined && !isOther(attempt.recorded.order, attempt);

/** The eSIM is gone or going, has run out in the sandbox, or the plan is not for it. */
export function mayRefuseRefill({ refillOf, product }: Pick<Attempt, 'refillOf' | 'product'>): boolean {
  if (!refillOf) return false;
  const { withdrawal, cancel, scenario } = refillOf;
  return (
    withdrawal !== 'no' ||
    isBeingReplaced(refillOf) ||
    cancel.has('requested') ||
    scenario?.usage === 'expired' ||
    !isRefillOf(product, refillOf)
  );
}

/** A refusal that leaves a failed order under the key. */
function short(model: Model, attempt: Attempt, body: Answer['body'], reason: string): void {
  requireThat(!attempt.recorded, 'a recorded outcome was not replayed', body);
  requireThat(Number.isInteger(body.order_id), 'a refusal without its failed order', body);
  const price = inCents(body.required);
  const list = listFor(attempt, price);
  if (model.order(attempt.world, body.order_id)) return;
  const billing = reason === 'insufficient_balance' ? 'prepaid' : 'postpaid';
  model.add(
    newOrder(model, attempt, { id: body.order_id, list, price, billing, state: 'failed', reason, wasPaid: false }),
  );
}

function delivered(model: Model, attempt: Attempt, { status, body, isSlow }: Answer): void {
  const { world, partner, product, key, recorded, scenario } = attempt;
  const { delivery, delivery_reason: reason } = body;
  requireThat(status === (delivery === 'deferred' ? 202 : 200), 'delivery and status disagree', { status, body });
  requireThat(body.id === String(body.order_id) && body.order.id === body.id, 'one order, two ids', body);
  const known = model.order(world, body.order_id);
  if (recorded) requireThat(known === recorded.order, 'a key gave another order than before', body);
  const seen = delivery === 'deferred' ? 'open' : delivery;
  if (known) {
    requireThat(key !== undefined && known.key === key, 'an order was sold twice', body);
    requireThat(!isOther(known, attempt), 'a key brought the order of another purchase', body);
    requireThat(known.partner === partner && known.product === product, 'an order of somebody else was replayed', body);
    requireThat(inCents(body.order.sale_price) === known.price, 'a replay names another price', body);
    observed(known, recorded?.state ?? 'open', seen, reason);
    return;
  }
  const price = inCents(body.order.sale_price);
  const list = inCents(body.order.product_price);
  requireThat(product.list.has(list), 'sold at a list price that is not in force', { body, list: product.list.all });
  requireThat(price === partnerPrice(list, product.costMicros, partner.marginShare), 'charged another price', body);
  requireThat(
    world === 'sandbox' ? body.billing_mode === 'prepaid' : partner.billing.has(body.billing_mode),
    'charged in another mode',
    body,
  );
  const wasPaid = !['sandbox_scenario', 'insufficient_balance', 'credit_limit_exceeded'].includes(reason);
  const details = { id: body.order_id, list, price, billing: body.billing_mode, state: seen, reason, wasPaid };
  const { refillOf } = attempt;
  if (refillOf) {
    requireThat(
      body.iccid === refillOf.iccid && body.order.product_type === 'refill',
      'a refill of another eSIM',
      body,
    );
    const gone = refillOf.withdrawal === 'done' || refillOf.scenario?.usage === 'expired' || isReplaced(refillOf);
    requireThat(!gone && isRefillOf(product, refillOf), 'a refill that does not fit was sold', body);
  }
  const order = newOrder(model, attempt, details);
  // A paid order whose provisioning was interrupted is answered as deferred before it is.
  order.wasDeferred = seen === 'open' && (reason === 'provider_unavailable' || !(model.faulted || isSlow));
  model.add(order);
  requireExpected(order, scenario?.name);
  if (!wasPaid) return;
  charge(order);
  if (seen === 'failed') {
    order.state = 'open';
    end(order, 'failed', reason);
  }
  model.atClose(() => requireAffordable(order));
  if (world === 'live') requireThat(partner.suspended.has(false), 'sold to a suspended account', body);
  if (body.warnings) partner.queueWasFull = true;
}

/** An order was seen in a state; `before` is its state when the request was sent. */
export function observed(order: Order, before: Order['state'], seen: Order['state'], reason: string): void {
  const what = `${order.world} order ${order.id} was ${before} (${order.reason}) and is ${seen} (${reason})`;
  if (before !== 'open') requireThat(seen === before, what);
  if (seen === 'open' || order.state !== 'open') return;
  const isCancelled = seen === 'failed' && order.cancel.has('cancelled');
  if (order.world === 'sandbox' && !isCancelled)
    requireThat(seen === 'delivered' && (order.scenario?.name !== 'deferred' || minuteOf(order) !== 'no'), what);
  if (seen === 'failed') requireThat(order.mayFail || isCancelled || isRefused(order), what);
  end(order, seen, reason);
}

/**
 * Has the minute of a deferred sandbox order passed? Its clock may have been moved, ours is not the server's, and after a fault it may
 * take long until we learn of the order.
 */
export function minuteOf({ seenAt, notBefore, minuteIsOver }: Order): Order['minuteIsOver'] {
  const now = Date.now();
  if (now - seenAt > 65_000) return 'yes';
  return now - notBefore > 55_000 && minuteIsOver === 'no' ? 'perhaps' : minuteIsOver;
}

type Details = Pick<Order, 'id' | 'list' | 'price' | 'billing' | 'state' | 'reason' | 'wasPaid'> &
  Partial<Pick<Order, 'replaces' | 'worth'>>;

export function newOrder(model: Model, attempt: Omit<Attempt, 'recorded'>, details: Details): Order {
  const { world, partner, product, key, scenario, refillOf } = attempt;
  const { worth = details.price } = details;
  return {
    refillOf,
    refills: [],
    replaces: undefined,
    replacements: [],
    frees: [],
    worth,
    world,
    partner,
    product,
    key,
    scenario,
    ...details,
    round: model.round,
    seenAt: Date.now(),
    notBefore: model.beganAt,
    isBatched: false,
    refunded: 0,
    refunds: 0,
    refund: new Possible<RefundStatus>('none'),
    cancel: new Possible<CancelStatus>('none'),
    wasRequested: false,
    wasRejected: false,
    withdrawal: 'no',
    isUnanswered: false,
    mayFail: false,
    mayRefuse: new Set(deliverers({ product, worth }).filter(({ behaviour }) => behaviour.has('refuse'))),
    deliveredBy: undefined,
    wasDeferred: false,
    deleted: false,
    minuteIsOver: 'no',
    isSuspended: new Possible(false),
    switches: 0,
    isSwitchUnclear: false,
    isOver: false,
    rule: undefined,
    autorefills: [],
    isFrugal: false,
    stops: 0,
    helps: 0,
    profile: new Possible('released'),
    esim: undefined,
    iccid: undefined,
    used: [],
    share: undefined,
  };
}

/** The list price a partner price was made of. */
function listFor({ partner, product }: Attempt, price: number): number {
  const list = product.list.all.find((one) => partnerPrice(one, product.costMicros, partner.marginShare) === price);
  requireThat(list !== undefined, 'a price that is not in force was asked for', { price, list: product.list.all });
  return list;
}

export const inCents = (usd: string | number): number => Math.round(Number(usd) * 100);
