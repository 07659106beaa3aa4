import { Refused } from '../contract/refused.ts';
import { type EventName, eventNames } from '../events/events.ts';
import { type Api, apiOptions, clientCommand, openApi } from './client.ts';
import { choice, required, text } from './options.ts';

interface Recipe {
  readonly scenario: string;
  readonly usage?: string;
  readonly events: readonly string[];
  /** A refund is requested once the order is delivered; this is its outcome. */
  readonly refund?: 'refunded it' | 'asked for a refund';
  /** What somebody else has to do. */
  readonly next?: (orderId: number) => string;
  /** Only a plan of so many days sends the last of the events at once. */
  readonly days?: number;
}

type Bought = Exclude<EventName, 'order.test' | 'account.balance_low' | 'topup.succeeded'>;

/** The purchase that triggers each event, and every event it sends. */
const success = { scenario: 'success', events: ['order.created', 'order.paid', 'order.delivered'] };
const used = (usage: string, ...events: readonly EventName[]): Recipe => ({
  scenario: 'success',
  usage,
  events: [...success.events, ...events],
});
/** An eSIM that was used is not refunded at once. */
const refundRequested: Recipe = { ...used('active', 'order.refund_requested'), refund: 'asked for a refund' };
const recipes: Readonly<Record<Bought, Recipe>> = {
  'order.created': success,
  'order.paid': success,
  'order.delivered': success,
  'order.deferred': { scenario: 'deferred', events: ['order.created', 'order.paid', 'order.deferred'] },
  'order.failed': { scenario: 'failed', events: ['order.created', 'order.failed'] },
  'order.refunded': { scenario: 'success', events: [...success.events, 'order.refunded'], refund: 'refunded it' },
  'order.refund_requested': refundRequested,
  'order.refund_rejected': {
    ...refundRequested,
    next: (id) => `order.refund_rejected is sent when the operator rejects it: refund reject ${id} --mode sandbox`,
  },
  'esim.activated': used('active', 'esim.activated'),
  'esim.usage_high': used('depleted', 'esim.activated', 'esim.usage_high', 'esim.depleted'),
  'esim.depleted': used('depleted', 'esim.activated', 'esim.usage_high', 'esim.depleted'),
  // It is sent 24 hours before the end.
  'esim.expiring': { ...used('active', 'esim.activated', 'esim.expiring'), days: 1 },
  'esim.expired': used('expired', 'esim.activated', 'esim.expired'),
};

export const triggerCommand = clientCommand({
  path: ['trigger'],
  console: { never: 'it runs on a developer’s own machine, with a key' },
  summary: 'Trigger the event you name in the sandbox: place an order, top up or empty the wallet',
  args: { event: required(choice(eventNames, 'the event to trigger')) },
  options: {
    ...apiOptions,
    product: text(
      'esc_…',
      'the plan to buy; by default the cheapest one that triggers the event, in the first destination that has one',
    ),
  },
  run: (client, { event, product, ...given }) => trigger(openApi(client, given), event, product),
});

export async function trigger(api: Api, event: EventName, product?: string): Promise<Record<string, unknown>> {
  const { subscriptions } = await api.get('/webhook/list');
  const hearing = (subscriptions as { events_list: string[]; status: string }[]).filter(
    ({ events_list, status }) => status !== '3' && (event === 'order.test' || events_list.includes(event)),
  ).length;
  if (event === 'order.test') {
    const { event_id, queued } = await api.post('/webhook/test', {});
    return { event, did: 'queued a test event', event_id, subscriptions_hearing: queued };
  }
  if (event === 'topup.succeeded')
    return { event, ...(await topUp(api)), events: [event], subscriptions_hearing: hearing };
  if (event === 'account.balance_low') return { event, ...(await emptyWallet(api)), subscriptions_hearing: hearing };
  const { scenario, usage, events: following, refund, days, next }: Recipe = recipes[event];
  const { id: product_id, isLater } = await chosen(api, product, days);
  const events = isLater ? following.slice(0, -1) : following;
  const script = { sandbox_scenario: scenario, ...(usage && { sandbox_usage: usage }) };
  const bought = await api.post('/purchase/buy', { product_id, ...script });
  if (refund) await api.post('/order/refund', { order_id: String(bought.order_id) });
  return {
    event,
    did: `bought ${product_id} with ${new URLSearchParams(script).toString().replace('&', ' and ')}${refund ? ` and ${refund}` : ''}`,
    order_id: bought.order_id,
    delivery: bought.delivery,
    balance: bought.balance,
    // A warning means that the queue was full and the events were not sent.
    events: bought.warnings ? [] : events,
    subscriptions_hearing: hearing,
    ...(bought.warnings && { warnings: bought.warnings }),
    ...(next && { next: next(Number(bought.order_id)) }),
    ...(isLater && {
      next: `${event} is sent 24 hours before the end of the plan: advance the sandbox clock until then`,
    }),
    ...(scenario === 'deferred' && {
      next: `order.delivered is sent by the first read after 60 s: GET /order/detail/${bought.order_id}`,
    }),
  };
}

async function topUp(api: Api): Promise<Record<string, unknown>> {
  const { payment_key } = await api.post('/account/topup', { amount: '10.00' });
  const { balance } = await api.post('/account/topupConfirm', { payment_key });
  return { did: 'topped up the sandbox wallet with 10.00 USD', balance };
}

/** Falls from above any level to zero, then returns to what it was. */
async function emptyWallet(api: Api): Promise<Record<string, unknown>> {
  const set = (amount: number) => api.post('/account/sandboxBalance', { operation: 'set', amount: amount.toFixed(2) });
  const { previous_balance } = await set(1_000_000);
  await set(0);
  const { balance } = await set(previous_balance);
  return {
    did: 'emptied the sandbox wallet and filled it again',
    balance,
    next: 'it is sent if the account has an alert level: set one in the panel',
  };
}

/** What to buy. `isLater`: its length does not send the event at once. */
async function chosen(api: Api, named: string | undefined, days?: number): Promise<{ id: string; isLater: boolean }> {
  if (named !== undefined) {
    if (days === undefined) return { id: named, isLater: false };
    const { product } = await api.get(`/catalog/product/${encodeURIComponent(named)}`);
    return { id: named, isLater: Number(product.day) !== days };
  }
  const fitting = days === undefined ? undefined : await cheapest(api, `&day=${days}&include_small=1`);
  const id = fitting ?? (await cheapest(api, ''));
  if (id === undefined) throw new Refused('product_not_found', 'the catalog is empty');
  return { id, isLater: days !== undefined && fitting === undefined };
}

/** Of the first destination that has one. */
async function cheapest(api: Api, filter: string): Promise<string | undefined> {
  const { countries } = await api.get('/catalog/countries');
  for (const { country_code } of countries as { country_code: string }[]) {
    const { products } = await api.get(`/catalog/products?country=${country_code}&sort=price&limit=1${filter}`);
    if (products.length > 0) return products[0].id;
  }
  return undefined;
}
