/** Every event a subscription can name, and when it is sent, in one line. */
export const sentWhen = {
  // Once per order, in the order they can happen.
  'order.created': 'An order was made. It is not paid yet.',
  'order.paid': 'The order was paid. Its eSIM is not ready yet.',
  'order.delivered': 'The eSIM is ready, with its ICCID and QR code.',
  'order.deferred': 'The eSIM takes longer. Another event follows when the order is delivered or fails.',
  'order.failed': 'The order will not be delivered.',
  // Once per call of webhook/test.
  'order.test': 'You asked for a test event.',
  // Once per refund: an order that is refunded in parts sends several.
  'order.refunded': 'Money for an order went back to you, in whole or in part.',
  // Once per order: the operator has to decide; the operator has rejected it.
  'order.refund_requested': 'A refund was asked for, and the operator has to decide.',
  'order.refund_rejected': 'The operator refused a refund; the note may say why.',
  // Once per eSIM; those about its data once per refill, too, and those about its end once per end.
  'esim.activated': 'The first usage or the activation of an eSIM was seen.',
  'esim.usage_high': '80 % of an eSIM’s data is used.',
  'esim.depleted': 'All data of an eSIM is used.',
  'esim.expiring': 'An activated eSIM ends within 24 hours.',
  'esim.expired': 'An eSIM has ended.',
  // Once per eSIM; the others each time it happens.
  'esim.installed': 'An eSIM was installed on a phone.',
  'esim.removed': 'An eSIM was deleted from the phone.',
  'esim.country_changed': 'An eSIM was seen in another country than before, or for the first time.',
  'esim.suspended': 'The service of an eSIM was suspended. Data and days run on.',
  'esim.resumed': 'The service of a suspended eSIM was resumed.',
  // Once per eSIM: a new one was delivered in its place.
  'esim.replaced': 'A new eSIM was delivered in place of one that did not work.',
  // Once per rule.
  'esim.autorefill_stopped': 'An eSIM refills itself no more. `stopped` says why.',
  // Once per request; at most three per eSIM and day.
  'esim.help_requested': 'A traveller asked for help on the page of their eSIM.',
  // Each time the money falls below the level.
  'account.balance_low': 'What you can spend has fallen below your alert level.',
  // Once per top-up.
  'topup.succeeded': 'A card payment was credited to your wallet.',
  // Once per limit and window.
  'account.limit_reached': 'A limit on spending refused a purchase, for the first time in its hour, day or month.',
  // At most once in five minutes.
  'catalog.changed': 'Plans or your prices changed: at most once in five minutes.',
  // Once per document.
  'invoice.issued': 'An invoice or a credit note was issued.',
  // Each time it is settled: a payment may be taken back.
  'invoice.paid': 'An invoice was paid in full; from the balance, as it was issued.',
  // Each time it becomes overdue.
  'invoice.overdue': 'An invoice on credit terms was not paid by its due date.',
  // Once per invoice.
  'invoice.voided': 'An invoice was voided by a credit note.',
};

export type EventName = keyof typeof sentWhen;
export const eventNames = Object.keys(sentWhen) as readonly EventName[];

/** The contract's six: what a subscription receives that names none. This list never grows. */
export const contractEvents = [
  'order.created',
  'order.paid',
  'order.delivered',
  'order.deferred',
  'order.failed',
  'order.test',
] as const satisfies readonly EventName[];

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
export type UsageEventName = (typeof usageEvents)[number];
export type InvoiceEventName = Extract<EventName, `invoice.${string}`>;
export type MoneyEventName = 'account.balance_low' | 'topup.succeeded';

const usageEvents = ['esim.activated', 'esim.usage_high', 'esim.depleted', 'esim.expiring', 'esim.expired'] as const;

/** The events that usage readings trigger. */
export const readingEvents: readonly EsimEventName[] = [
  ...usageEvents,
  'esim.installed',
  'esim.removed',
  'esim.country_changed',
];
