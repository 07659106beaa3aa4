/** The contract's six: what a subscription receives that names none. This list never grows. */
export const contractEvents = [
  // Once per order, in the order they can happen.
  'order.created',
  'order.paid',
  'order.delivered',
  'order.deferred',
  'order.failed',
  // Once per call of webhook/test.
  'order.test',
] as const;

/** Every event a subscription can name. */
export const eventNames = [
  ...contractEvents,
  // Once per refund: an order that is refunded in parts sends several.
  'order.refunded',
  // Once per order: the operator has to decide; the operator has rejected it.
  'order.refund_requested',
  'order.refund_rejected',
  // Once per eSIM; those about its data once per refill, too, and those about its end once per end.
  'esim.activated',
  'esim.usage_high',
  'esim.depleted',
  'esim.expiring',
  'esim.expired',
  // Once per eSIM; the others each time it happens.
  'esim.installed',
  'esim.removed',
  'esim.country_changed',
  'esim.suspended',
  'esim.resumed',
  // Once per eSIM: a new one was delivered in its place.
  'esim.replaced',
  // Once per rule.
  'esim.autorefill_stopped',
  // Once per request; at most three per eSIM and day.
  'esim.help_requested',
  // Each time the money falls below the level.
  'account.balance_low',
  // Once per top-up.
  'topup.succeeded',
  // Once per limit and window.
  'account.limit_reached',
  // At most once in five minutes.
  'catalog.changed',
  // Once per document.
  'invoice.issued',
  // Each time it is settled: a payment may be taken back.
  'invoice.paid',
  // Each time it becomes overdue.
  'invoice.overdue',
  // Once per invoice.
  'invoice.voided',
] as const;

export type EventName = (typeof eventNames)[number];
export type OrderEventName = Exclude<Extract<EventName, `order.${string}`>, 'order.test'>;
export type EsimEventName = Extract<EventName, `esim.${string}`>;
/** About the eSIM on the phone, and about its service. */
export type PhoneEventName =
  | 'esim.installed'
  | 'esim.removed'
  | 'esim.country_changed'
  | 'esim.suspended'
  | 'esim.resumed';
/** About the data and the days of an eSIM. */
export type UsageEventName = 'esim.activated' | 'esim.usage_high' | 'esim.depleted' | 'esim.expiring' | 'esim.expired';
export type InvoiceEventName = Extract<EventName, `invoice.${string}`>;
export type MoneyEventName = 'account.balance_low' | 'topup.succeeded';

/** The events that usage readings trigger. */
export const readingEvents: readonly EsimEventName[] = [
  'esim.activated',
  'esim.usage_high',
  'esim.depleted',
  'esim.expiring',
  'esim.expired',
  'esim.installed',
  'esim.removed',
  'esim.country_changed',
];
