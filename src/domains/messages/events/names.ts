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
  // Each time the money falls below the level.
  'account.balance_low',
  // Once per top-up.
  'topup.succeeded',
  // Once per limit and window.
  'account.limit_reached',
  // At most once in five minutes.
  'catalog.changed',
] as const;

export type EventName = (typeof eventNames)[number];
export type OrderEventName = Exclude<Extract<EventName, `order.${string}`>, 'order.test'>;
export type EsimEventName = Extract<EventName, `esim.${string}`>;
export type MoneyEventName = 'account.balance_low' | 'topup.succeeded';

/** The events that usage readings trigger. */
export const esimEvents = eventNames.filter((name): name is EsimEventName => name.startsWith('esim.'));
