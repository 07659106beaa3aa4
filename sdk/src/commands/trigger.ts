import type { Wayfare } from '../client.ts';
import type { Fields, WebhookEvent } from '../contract.ts';
import { WayfareError } from '../errors.ts';
import { apiOptions, CommandRefused, type DeveloperCommand, requireSandboxClient, textOf } from './command.ts';

type EventName = WebhookEvent['event'];
type Sale = Fields<'purchase_buy'>;

interface Recipe {
  readonly scenario: NonNullable<Sale['sandbox_scenario']>;
  readonly usage?: NonNullable<Sale['sandbox_usage']>;
  readonly events: readonly string[];
  /** A refund is requested once the order is delivered; this is its outcome. */
  readonly refund?: 'refunded it' | 'asked for a refund';
  /** A step that another person has to take. */
  readonly next?: (orderId: number) => string;
  /** What is done to the eSIM once it is there. */
  readonly phone?: Phone;
  /** Only a plan of this many days sends the last of the events at once. */
  readonly days?: number;
}

/** What happens to the eSIM on the phone, and how the answer says it. */
interface Phone {
  readonly did: string;
  play(wayfare: Wayfare, iccid: string): Promise<unknown>;
}

type Bought = Exclude<
  EventName,
  | 'order.test'
  | 'account.balance_low'
  | 'topup.succeeded'
  | 'account.limit_reached'
  | 'catalog.changed'
  | `invoice.${string}`
>;

/** The purchase that triggers each event, and every event it sends. */
const success: Recipe = { scenario: 'success', events: ['order.created', 'order.paid', 'order.delivered'] };
const used = (usage: NonNullable<Sale['sandbox_usage']>, ...events: readonly EventName[]): Recipe => ({
  scenario: 'success',
  usage,
  events: [...success.events, ...events],
});
const onPhone = (phone: Phone, ...events: readonly EventName[]): Recipe => ({
  scenario: 'success',
  events: [...success.events, ...events],
  phone,
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
  'esim.installed': onPhone(
    { did: 'installed it', play: ({ sandbox }, iccid) => sandbox.profile({ iccid, state: 'installed' }) },
    'esim.installed',
  ),
  'esim.removed': onPhone(
    { did: 'deleted it from the phone', play: ({ sandbox }, iccid) => sandbox.profile({ iccid, state: 'deleted' }) },
    'esim.removed',
  ),
  'esim.country_changed': onPhone(
    { did: 'took it to France', play: ({ sandbox }, iccid) => sandbox.profile({ iccid, country: 'FR' }) },
    'esim.country_changed',
  ),
  'esim.suspended': onPhone(
    { did: 'suspended it', play: ({ esim }, iccid) => esim.suspend({ iccid }) },
    'esim.suspended',
  ),
  'esim.resumed': onPhone(
    {
      did: 'suspended and resumed it',
      async play({ esim }, iccid) {
        await esim.suspend({ iccid });
        await esim.resume({ iccid });
      },
    },
    'esim.suspended',
    'esim.resumed',
  ),
  'esim.replaced': {
    ...onPhone({
      did: 'asked for a new one in its place',
      play: ({ esim }, iccid) => esim.replace({ iccid, idempotency_key: `trigger-${iccid}`, reason: 'trigger' }),
    }),
    next: (id) =>
      `esim.replaced is sent at once if your operator has set a budget for replacements, or else when it approves: replacement approve ${id} --mode sandbox`,
  },
  'esim.autorefill_stopped': {
    ...onPhone(
      { did: 'had it refill itself for less than a refill costs', play: refillForNothing },
      'esim.autorefill_stopped',
    ),
    usage: 'depleted',
  },
  'esim.help_requested': {
    ...success,
    next: (id) =>
      `esim.help_requested is sent when help is asked for on the traveller’s page: share_url of order ${id}`,
  },
};

export const eventNames: readonly EventName[] = [
  ...(Object.keys(recipes) as Bought[]),
  'order.test',
  'account.balance_low',
  'topup.succeeded',
  'account.limit_reached',
  'catalog.changed',
  'invoice.issued',
  'invoice.paid',
  'invoice.overdue',
  'invoice.voided',
];

export const triggerCommand: DeveloperCommand = {
  name: 'trigger',
  summary: 'Trigger the event you name in the sandbox: place an order, top up or empty the wallet',
  argument: { name: 'event', summary: 'the event to trigger', choices: eventNames },
  options: {
    ...apiOptions,
    product: {
      placeholder: 'esc_…',
      summary:
        'the plan to buy; by default the cheapest one that triggers the event, in the first destination that has one',
    },
  },
  run: (terminal, given) =>
    trigger(requireSandboxClient(terminal, given), given.event as EventName, textOf(given.product), terminal.stop),
};

export async function trigger(
  wayfare: Wayfare,
  event: EventName,
  product?: string,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const { subscriptions } = await wayfare.webhook.list({}, { signal });
  const notified = subscriptions.filter(
    ({ events_list, status }) => status !== '3' && (event === 'order.test' || events_list.includes(event)),
  ).length;
  if (event === 'order.test') {
    const { event_id, queued } = await wayfare.webhook.test({}, { signal });
    return { event, did: 'queued a test event', event_id, subscriptions_notified: queued };
  }
  if (event === 'topup.succeeded')
    return { event, ...(await topUp(wayfare)), events: [event], subscriptions_notified: notified };
  if (event === 'account.balance_low')
    return { event, ...(await emptyWallet(wayfare)), subscriptions_notified: notified };
  if (event === 'account.limit_reached')
    return { event, ...(await reachLimit(wayfare, product)), subscriptions_notified: notified };
  if (isAboutInvoice(event))
    return { event, ...(await rehearseInvoice(wayfare, event, product)), subscriptions_notified: notified };
  if (event === 'catalog.changed')
    return {
      event,
      did: 'nothing',
      next: 'it is sent within 90 seconds after the operator has changed plans or prices',
      subscriptions_notified: notified,
    };
  const { scenario, usage, events: following, refund, phone, days, next } = recipes[event];
  const { id: product_id, isLater } = await chosen(wayfare, product, days);
  const events = isLater ? following.slice(0, -1) : following;
  const script = { sandbox_scenario: scenario, ...(usage && { sandbox_usage: usage }) };
  const bought = await wayfare.purchase.buy({ product_id, ...script }, { signal });
  if (refund) await wayfare.order.refund({ order_id: bought.order_id });
  if (phone) await phone.play(wayfare, (await wayfare.order.detail(bought.order_id)).esim.iccid ?? '');
  // The purchase answered before the refund.
  const balance = refund ? (await wayfare.account.balance()).balance : bought.balance;
  return {
    event,
    did: `bought ${product_id} with ${new URLSearchParams(script).toString().replace('&', ' and ')}${[refund, phone?.did].map((more) => (more ? ` and ${more}` : '')).join('')}`,
    order_id: bought.order_id,
    delivery: bought.delivery,
    balance,
    // A warning means that the queue was full and the events were not sent.
    events: bought.warnings ? [] : events,
    subscriptions_notified: notified,
    ...(bought.warnings && { warnings: bought.warnings }),
    ...(next && { next: next(bought.order_id) }),
    ...(isLater && {
      next: `${event} is sent 24 hours before the end of the plan: advance the sandbox clock until then`,
    }),
    ...(scenario === 'deferred' && {
      next: `order.delivered is sent by the first read after 60 s: GET /order/detail/${bought.order_id}`,
    }),
  };
}

type InvoiceEvent = Extract<EventName, `invoice.${string}`>;
const isAboutInvoice = (event: EventName): event is InvoiceEvent => event.startsWith('invoice.');

/** Buys something and moves the clock into the next month, which closes this one; what comes later is rehearsed with that invoice. */
async function rehearseInvoice(
  wayfare: Wayfare,
  event: InvoiceEvent,
  named: string | undefined,
): Promise<Record<string, unknown>> {
  const { id: product_id } = await chosen(wayfare, named, undefined);
  const { date } = (await wayfare.order.detail((await wayfare.purchase.buy({ product_id })).order_id)).order;
  const bought = new Date(`${date.replace(' ', 'T')}Z`);
  const monthEnd = Date.UTC(bought.getUTCFullYear(), bought.getUTCMonth() + 1, 1);
  await wayfare.sandbox.clock({ advance: Math.ceil((monthEnd - bought.getTime()) / 1000) + 1 });
  const { invoices } = await wayfare.invoice.list({ limit: 20 });
  const invoice = invoices.find(({ kind, status }) => kind === 'invoice' && status !== 'void');
  const did = `bought ${product_id} and moved the sandbox clock into the next month`;
  if (!invoice) return { did, next: 'no invoice was issued: your operator has not set up invoices' };
  const { number } = invoice;
  if (event === 'invoice.issued' || event === 'invoice.paid')
    return { did, number, events: ['invoice.issued', 'invoice.paid'] };
  await wayfare.sandbox.invoice({ number, event });
  return { did: `${did}, and rehearsed ${event}`, number, events: ['invoice.issued', 'invoice.paid', event] };
}

async function topUp({ account }: Wayfare): Promise<Record<string, unknown>> {
  const { payment_key } = await account.topup({ amount: 10 });
  const { balance } = await account.topupConfirm({ payment_key });
  return { did: 'topped up the sandbox wallet with 10.00 USD', balance };
}

/** Falls from above any level to zero, then returns to what it was. */
async function emptyWallet({ account }: Wayfare): Promise<Record<string, unknown>> {
  const set = (amount: number) => account.sandboxBalance({ operation: 'set', amount });
  const { previous_balance } = await set(1_000_000);
  await set(0);
  const { balance } = await set(previous_balance);
  return {
    did: 'emptied the sandbox wallet and filled it again',
    balance,
    next: 'it is sent if the account has an alert level: set one in the panel',
  };
}

/** The rule stops at once, because of the price. */
async function refillForNothing({ esim }: Wayfare, iccid: string): Promise<void> {
  const [refill] = (await esim.refills(iccid)).products;
  if (!refill) throw new CommandRefused('product_not_found', 'this plan has no refills: name another with --product');
  await esim.autorefill({ iccid, product_id: refill.id, at_percent: 50, times: 1, max_price: '0.01' });
}

const MOST_BOUGHT = 20;

/** Buys until a limit refuses it. */
async function reachLimit(wayfare: Wayfare, named: string | undefined): Promise<Record<string, unknown>> {
  const { limits } = await wayfare.account.limits();
  if (limits.length === 0) return { did: 'nothing', next: 'it is sent if the key has a limit: set one in the panel' };
  const { id: product_id } = await chosen(wayfare, named, undefined);
  for (let bought = 0; bought < MOST_BOUGHT; bought += 1)
    try {
      await wayfare.purchase.buy({ product_id });
    } catch (error) {
      if (!(error instanceof WayfareError && error.code === 'limit_exceeded')) throw error;
      return { did: `bought ${product_id} ${bought} times, until a limit refused it`, limit: error.limit };
    }
  return { did: `bought ${product_id} ${MOST_BOUGHT} times`, next: 'no limit was reached: set a lower one' };
}

/** What to buy. `isLater`: its length does not send the event at once. */
async function chosen(
  wayfare: Wayfare,
  named: string | undefined,
  days: number | undefined,
): Promise<{ id: string; isLater: boolean }> {
  if (named !== undefined) {
    if (days === undefined) return { id: named, isLater: false };
    const { product } = await wayfare.catalog.product(named);
    return { id: named, isLater: Number(product.day) !== days };
  }
  const fitting = days === undefined ? undefined : await cheapest(wayfare, { day: days, include_small: '1' });
  const id = fitting ?? (await cheapest(wayfare, {}));
  if (id === undefined) throw new CommandRefused('product_not_found', 'the catalog is empty');
  return { id, isLater: days !== undefined && fitting === undefined };
}

/** Of the first destination that has one. */
async function cheapest(
  { catalog }: Wayfare,
  filter: Pick<Fields<'catalog_products'>, 'day' | 'include_small'>,
): Promise<string | undefined> {
  const { countries } = await catalog.countries();
  for (const { country_code } of countries) {
    const { products } = await catalog.products({ country: country_code, sort: 'price', limit: 1, ...filter });
    if (products[0]) return products[0].id;
  }
  return undefined;
}
