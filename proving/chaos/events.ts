import { createHmac } from 'node:crypto';
import type { Received, Receiver } from '../../test/support/servers/receiver.ts';
import type { Model, Order, Partner, WorldName } from './model.ts';
import { requireThat } from './violation.ts';

export interface Subscription {
  readonly id: number;
  readonly partner: Partner;
  readonly world: WorldName;
  readonly secret: string;
  readonly receiver: Receiver;
  /** Whether it subscribes to events of refunds and eSIMs; if not, it must never receive one. */
  readonly wantsMore: boolean;
  /** Events of orders bought in later rounds must arrive. */
  readonly round: number;
  /** The id of some delivery of it. */
  deliveryId: string | undefined;
}

/** A test event that was queued, for so many subscriptions. */
interface QueuedTest {
  readonly eventId: string;
  readonly partner: Partner;
  readonly world: WorldName;
  readonly queued: number;
}

/** A recorded attempt at a live delivery, with the subscription as it is now. Times in milliseconds. */
export interface TriedRow {
  readonly subscription: number;
  /** Since when it is disabled. */
  readonly disabledAt: number;
  readonly from: number;
  readonly to: number;
  readonly succeeded: boolean;
}

const FAILURES_TO_DISABLE = 10;
/** Times and durations are rounded, each by itself. */
const ROUNDED_MS = 5;
/** Attempts that end while others are being recorded are recorded together: the tenth failure counts although a success followed. */
const RECORDED_LATE_MS = 5_000;

/** A subscription is disabled only after ten failures one after the other: those that overlap are one. */
export function requireTenInARow(rows: readonly TriedRow[]): void {
  for (const [id, tried] of Map.groupBy(rows, ({ subscription }) => subscription)) {
    const endOf = ({ to, succeeded }: TriedRow) => to - (succeeded ? ROUNDED_MS : 0);
    const before = tried.filter(({ to, disabledAt }) => to <= disabledAt + ROUNDED_MS);
    before.sort((a, b) => endOf(a) - endOf(b));
    let [counted, most] = [0, 0];
    let until = Number.NEGATIVE_INFINITY;
    for (const { from, to, succeeded, disabledAt } of before) {
      if (!succeeded && from < until - ROUNDED_MS) continue;
      counted = succeeded ? 0 : counted + 1;
      until = succeeded ? Number.NEGATIVE_INFINITY : to;
      if (to > disabledAt - RECORDED_LATE_MS) most = Math.max(most, counted);
    }
    const last = before.slice(-2 * FAILURES_TO_DISABLE);
    requireThat(most >= FAILURES_TO_DISABLE, `subscription ${id} was disabled after ${most} failures`, last);
  }
}

const STATUS: Readonly<Record<string, string>> = {
  'order.created': '3',
  'order.paid': '4',
  'order.delivered': '1',
  'order.deferred': '4',
  'order.failed': '2',
  'order.test': 'test',
};
export const esimEvents = [
  'esim.suspended',
  'esim.resumed',
  'esim.replaced',
  'esim.autorefill_stopped',
  'esim.help_requested',
];
export const refundEvents = ['order.refunded', 'order.refund_requested', 'order.refund_rejected'];
const DELIVERY: Readonly<Record<string, string>> = {
  'order.delivered': 'delivered',
  'order.deferred': 'deferred',
  'order.failed': 'failed',
};

/** The events every subscription must receive, and those it received. */
export class Events {
  readonly subscriptions: Subscription[] = [];
  readonly tests: QueuedTest[] = [];
  /** Bodies by event id, per subscription. */
  readonly #received = new Map<Subscription, Map<string, string>>();

  get count(): number {
    return [...this.#received.values()].reduce((sum, bodies) => sum + bodies.size, 0);
  }

  /** Reads what has arrived since the last time. */
  takeIn(model: Model): void {
    for (const subscription of this.subscriptions)
      for (const one of subscription.receiver.received.splice(0)) this.#receive(model, subscription, one);
  }

  #receive(model: Model, subscription: Subscription, { headers, body }: Received): void {
    const { world, partner, secret } = subscription;
    const signed = createHmac('sha256', secret).update(`${headers['x-webhook-timestamp']}.${body}`).digest('hex');
    requireThat(headers['x-signature'] === `sha256=${signed}`, 'an event with a wrong signature', headers);
    subscription.deliveryId ??= String(headers['x-webhook-id']);
    const told = JSON.parse(body);
    const { event, event_id: id, order_id: orderId, status, delivery } = told;
    const ofEsim = esimEvents.includes(event);
    const expectedId = `${world === 'sandbox' ? 'sbx_' : ''}${event}:${ofEsim ? told.iccid : orderId}:`;
    requireThat(id.startsWith(expectedId), 'an event id of another shape', told);
    requireThat((world === 'sandbox') === (told.livemode === false), 'an event of the other world', told);
    if (ofEsim) {
      requireThat(subscription.wantsMore, 'an event that was not chosen', told);
      requireEsimEvent(model, subscription, told);
      this.#keep(subscription, id, body);
      return;
    }
    const ofRefund = refundEvents.includes(event);
    requireThat(!ofRefund || subscription.wantsMore, 'an event that was not chosen', told);
    // The event of a refund that an operator makes before the delivery shows an order that is still paid.
    const isRight = ofRefund
      ? (status === '1' && delivery === 'delivered') || (status === '4' && delivery !== 'delivered')
      : status === STATUS[event] && delivery === (DELIVERY[event] ?? '');
    requireThat(isRight, 'an event contradicts itself', told);
    const filled = delivery === 'delivered';
    const known = model.order(world, orderId);
    // What an eSIM has just bought by itself may be told of before it is read.
    const hasCode = known ? filled && !known.refillOf : filled && Boolean(told.qr_code);
    requireThat(
      Boolean(told.iccid) === filled && Boolean(told.qr_code) === hasCode,
      'activation data in the wrong event',
      event,
    );
    if (event !== 'order.test') {
      if (event !== 'order.refunded')
        requireThat(id === `${expectedId}1`, 'the same state change happened twice', told);
      const order = model.order(world, orderId);
      requireThat(
        !order || order.partner === partner,
        `partner ${partner.id} received an event of another partner’s order`,
        told,
      );
      if (order?.iccid && filled) requireThat(order.iccid === told.iccid, 'an event names another eSIM', told);
    }
    this.#keep(subscription, id, body);
  }

  #keep(subscription: Subscription, id: string, body: string): void {
    const bodies = this.#received.get(subscription) ?? new Map<string, string>();
    this.#received.set(subscription, bodies);
    requireThat((bodies.get(id) ?? body) === body, 'one event id with two bodies', [bodies.get(id), body]);
    bodies.set(id, body);
  }

  /** The events still missing; empty when everything has arrived. Called when every order is finished. */
  missing(model: Model): string[] {
    const missing = this.subscriptions.flatMap((one) => this.#missingOf(model, one));
    for (const { eventId, partner, world, queued } of this.tests) {
      const takers = this.subscriptions.filter((one) => one.partner === partner && one.world === world);
      const received = takers.filter((one) => this.#received.get(one)?.has(eventId)).length;
      if (received < queued) missing.push(`${eventId} to ${queued - received} more`);
    }
    return missing;
  }

  #missingOf(model: Model, subscription: Subscription): string[] {
    const { partner, world, round, id } = subscription;
    const received = this.#received.get(subscription);
    const orders = model.ordersOf(partner, world);
    const ofEsims = subscription.wantsMore ? esimEventsOf(model, orders) : [];
    requireNoOthers(subscription, orders, ofEsims, received);
    const due = orders
      .filter((order) => order.round > round)
      .flatMap((order) => {
        const events = eventsIn(received, order);
        requireThat(
          !events.includes('order.delivered') || !events.includes('order.failed'),
          `order ${order.id} was delivered and failed`,
          events,
        );
        const ofRefund = subscription.wantsMore ? refundsOf(order) : [];
        const due = [...eventsOf(order).filter((event) => !events.includes(event)), ...ofRefund];
        return due
          .filter((event) => !received?.has(`${event}`))
          .map((event) => `${event} of ${world} order ${order.id} to subscription ${id}`);
      });
    // In the sandbox they may be dropped.
    const late = world === 'sandbox' ? [] : ofEsims.filter((event) => !received?.has(event));
    return [...due, ...late.map((event) => `${event} to subscription ${id}`)];
  }
}

/** The ids of the refund events of a live order; in the sandbox they may be dropped. */
function refundsOf({ world, id, refunds, wasRequested, wasRejected }: Order): string[] {
  if (world === 'sandbox') return [];
  return [
    ...Array.from({ length: refunds }, (_, n) => `order.refunded:${id}:${n + 1}`),
    ...(wasRequested ? [`order.refund_requested:${id}:1`] : []),
    ...(wasRejected ? [`order.refund_rejected:${id}:1`] : []),
  ];
}

const NAMES = ['order.created', 'order.paid', 'order.delivered', 'order.deferred', 'order.failed'];

const eventsIn = (received: Map<string, string> | undefined, { world, id }: Order): string[] =>
  NAMES.filter((event) => received?.has(`${world === 'sandbox' ? 'sbx_' : ''}${event}:${id}:1`));

/** The events an order must have caused. */
function eventsOf({ partner, world, key, wasPaid, wasDeferred, state }: Order): string[] {
  // Nobody is told that there was no room for the events of what an eSIM bought by itself.
  if (world === 'sandbox' && (partner.queueWasFull || key?.startsWith('autorefill:'))) return [];
  return [
    'order.created',
    ...(wasPaid ? ['order.paid'] : []),
    ...(wasDeferred ? ['order.deferred'] : []),
    ...(state === 'delivered' ? ['order.delivered'] : []),
    ...(state === 'failed' ? ['order.failed'] : []),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the contract says is there.
function requireEsimEvent(model: Model, { world, partner }: Subscription, told: any): void {
  const order = model.order(world, told.order_id);
  const isTheirs = !order || (order.partner === partner && (order.iccid ?? told.iccid) === told.iccid);
  requireThat(isTheirs, `partner ${partner.id} received an event of another eSIM`, told);
  if (told.event === 'esim.autorefill_stopped')
    requireThat(
      told.stopped && told.stopped === told.autorefill?.stopped,
      'an event of a rule contradicts itself',
      told,
    );
  if (told.event !== 'esim.replaced') return;
  const { status, order_id: orderId, iccid, old_iccid: oldIccid } = told.replacement;
  const free = model.order(world, orderId);
  const isRight = status === 'replaced' && oldIccid === told.iccid && iccid && iccid !== oldIccid;
  requireThat(isRight && (!free || free.replaces === order), 'an event of a replacement contradicts itself', told);
}

/**
 * The ids of the events of these eSIMs: switched off, on, off and so on; its rule stopped, and help asked for, so many times; and
 * replaced, once for each time one was sold.
 */
function esimEventsOf(model: Model, orders: readonly Order[]): string[] {
  const noted = Map.groupBy(
    [...model.orders.values()].filter(({ stops, helps }) => stops + helps > 0),
    ({ world, iccid }) => `${world} ${iccid}`,
  );
  return orders.flatMap(({ id, world, iccid, switches, stops, helps, replacements }) => {
    const prefix = world === 'sandbox' ? 'sbx_esim' : 'esim';
    const numbered = (count: number, name: string, before = 0) =>
      Array.from({ length: count }, (_, n) => `${prefix}.${name}:${iccid}:${before + n + 1}`);
    // A stock eSIM may have been sold before, and the numbers of its events go on.
    const sold = noted.get(`${world} ${iccid}`)?.filter((one) => one.id < id) ?? [];
    const sumOf = (name: 'stops' | 'helps') => sold.reduce((sum, one) => sum + one[name], 0);
    const told = [
      ...numbered(Math.ceil(switches / 2), 'suspended'),
      ...numbered(Math.floor(switches / 2), 'resumed'),
      ...numbered(stops, 'autorefill_stopped', sumOf('stops')),
      ...numbered(helps, 'help_requested', sumOf('helps')),
    ];
    const done = replacements.find(({ status }) => status === 'replaced');
    if (!done) return told;
    const earlier = [...model.replacements.values()].filter(
      ({ id, status, old }) => id < done.id && status === 'replaced' && old.world === world && old.iccid === iccid,
    );
    return [...told, `${prefix}.replaced:${iccid}:${earlier.length + 1}`];
  });
}

/** Nothing is told of an eSIM that did not happen to it. Of what a reset has deleted nothing is known. */
function requireNoOthers(
  { world, id }: Subscription,
  orders: readonly Order[],
  due: readonly string[],
  received: ReadonlyMap<string, string> | undefined,
): void {
  const iccids = new Set(orders.map(({ iccid }) => iccid));
  for (const eventId of received?.keys() ?? []) {
    const [event = '', iccid] = eventId.replace('sbx_', '').split(':');
    if (!esimEvents.includes(event) || (world === 'sandbox' && !iccids.has(iccid))) continue;
    requireThat(due.includes(eventId), `subscription ${id} was told what did not happen`, eventId);
  }
}
