import { charge, end, requireAffordable, requireNoCredit, requireShort } from './ledger.ts';
import { type Model, type Order, type Partner, type Product, partnerPrice, type WorldName } from './model.ts';
import type { Answer } from './site.ts';
import { requireThat } from './violation.ts';

/** A purchase as it was sent. */
export interface Attempt {
  readonly world: WorldName;
  readonly partner: Partner;
  readonly product: Product;
  readonly key: string | undefined;
  /** Sandbox only. */
  readonly scenario: { readonly name: string; readonly usage: string } | undefined;
  /** The order under the key when it was sent, and its state then. */
  readonly recorded: { readonly order: Order; readonly state: Order['state'] } | undefined;
}

/** Takes one definite answer to a purchase into the model, or says what is wrong with it. */
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
    case '409 idempotency_key_conflict':
      model.atClose(() => {
        const owner = key === undefined ? undefined : model.keyed(partner, world, key);
        requireThat(owner && owner.product !== product, 'a key conflict without another product', body);
      });
      break;
    default:
      requireThat(false, 'a purchase was answered like no other', { status, body });
  }
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

function delivered(model: Model, attempt: Attempt, { status, body }: Answer): void {
  const { world, partner, product, key, recorded, scenario } = attempt;
  const { delivery, delivery_reason: reason } = body;
  requireThat(status === (delivery === 'deferred' ? 202 : 200), 'delivery and status disagree', { status, body });
  requireThat(body.id === String(body.order_id) && body.order.id === body.id, 'one order, two ids', body);
  const known = model.order(world, body.order_id);
  if (recorded) requireThat(known === recorded.order, 'a key gave another order than before', body);
  const seen = delivery === 'deferred' ? 'open' : delivery;
  if (known) {
    requireThat(key !== undefined && known.key === key, 'an order was sold twice', body);
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
  const order = newOrder(model, attempt, details);
  // A paid order whose provisioning was interrupted is answered as deferred before it is.
  order.wasDeferred = seen === 'open' && (reason === 'provider_unavailable' || !model.faulted);
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

const SILENT: readonly string[] = ['', 'provider_unavailable', 'awaiting_profile'];

/** Does the outcome follow from what the supplier, or the sandbox script, was told to do? */
function requireExpected({ id, world, state, reason, product, wasPaid }: Order, scenario = ''): void {
  const what = `${world} order ${id} is ${state} (${reason})`;
  if (!wasPaid) {
    const isScripted = reason !== 'sandbox_scenario' || scenario === 'failed';
    requireThat(state === 'failed' && (world === 'live' || isScripted), what);
    return;
  }
  if (world === 'sandbox') {
    const wanted = { '': 'delivered', success: 'delivered', deferred: 'open', failed: 'failed' }[scenario];
    // A purchase cut off after its payment is finished by the job, so it may still be open.
    requireThat(state === wanted || state === 'open', `${what} in the scenario "${scenario}"`);
    return;
  }
  if (state === 'failed') requireThat(product.behaviour.has('refuse') && reason === 'provider_rejected', what);
  if (state === 'open') requireThat(SILENT.includes(reason), what);
  if (state === 'delivered')
    requireThat(
      product.behaviour.all.some((one) => !['refuse', 'timeout', 'delay'].includes(one)),
      what,
    );
}

/** An order was seen in a state; `before` is the state it was in when whoever saw it asked. */
export function observed(order: Order, before: Order['state'], seen: Order['state'], reason: string): void {
  const what = `${order.world} order ${order.id} was ${before} (${order.reason}) and is ${seen} (${reason})`;
  if (before !== 'open') requireThat(seen === before, what);
  if (seen === 'open' || order.state !== 'open') return;
  if (order.world === 'sandbox')
    requireThat(seen === 'delivered' && (order.scenario?.name !== 'deferred' || minuteOf(order) !== 'no'), what);
  if (seen === 'failed') requireThat(order.mayFail || order.product.behaviour.has('refuse'), what);
  end(order, seen, reason);
}

/** Has the minute of a deferred sandbox order passed? Its clock may be turned, and ours is not the server's. */
export function minuteOf(order: Order): Order['minuteIsOver'] {
  const waitedMs = Date.now() - order.boughtAt;
  if (waitedMs > 65_000) return 'yes';
  return waitedMs > 55_000 && order.minuteIsOver === 'no' ? 'perhaps' : order.minuteIsOver;
}

type Details = Pick<Order, 'id' | 'list' | 'price' | 'billing' | 'state' | 'reason' | 'wasPaid'>;

export function newOrder(model: Model, attempt: Omit<Attempt, 'recorded'>, details: Details): Order {
  const { world, partner, product, key, scenario } = attempt;
  return {
    world,
    partner,
    product,
    key,
    scenario,
    ...details,
    round: model.round,
    boughtAt: Date.now(),
    refunded: 0,
    mayFail: product.behaviour.has('refuse'),
    wasDeferred: false,
    deleted: false,
    minuteIsOver: 'no',
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
