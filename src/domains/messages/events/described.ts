import type { EventStyle } from './messages.ts';
import { contractEvents, type EventName, eventNames } from './names.ts';
import { sampleMessage } from './samples.ts';

/** When each event is sent, in one line. */
export const sentWhen: Readonly<Record<EventName, string>> = {
  'order.created': 'An order was made. It is not paid yet.',
  'order.paid': 'The order was paid. Its eSIM is not ready yet.',
  'order.delivered': 'The eSIM is ready, with its ICCID and QR code.',
  'order.deferred': 'The eSIM takes longer. Another event follows when the order is delivered or fails.',
  'order.failed': 'The order will not be delivered.',
  'order.test': 'You asked for a test event.',
  'order.refunded': 'Money for an order went back to you, in whole or in part.',
  'order.refund_requested': 'A refund was asked for, and the operator has to decide.',
  'order.refund_rejected': 'The operator refused a refund; the note may say why.',
  'esim.activated': 'The first usage or the activation of an eSIM was seen.',
  'esim.usage_high': '80 % of an eSIM’s data is used.',
  'esim.depleted': 'All data of an eSIM is used.',
  'esim.expiring': 'An activated eSIM ends within 24 hours.',
  'esim.expired': 'An eSIM has ended.',
  'account.balance_low': 'What you can spend has fallen below your alert level.',
  'topup.succeeded': 'A card payment was credited to your wallet.',
  'account.limit_reached': 'A limit on spending refused a purchase, for the first time in its hour, day or month.',
  'catalog.changed': 'Plans or your prices changed: at most once in five minutes.',
};

export interface DescribedEvent {
  readonly name: EventName;
  /** When it is sent. */
  readonly about: string;
  /** The contract has it, so a subscription that names no events receives it. */
  readonly isStandard: boolean;
  /** A body as a receiver gets it, about no order in particular. */
  readonly sample: string;
}

/** Every event a subscription can name, the contract's first. */
export const describedEvents = (style: EventStyle, now: number): DescribedEvent[] =>
  eventNames.map((name) => ({
    name,
    about: sentWhen[name],
    isStandard: contractEvents.some((standard) => standard === name),
    sample: sampleMessage(style, name, 1, undefined, now).body,
  }));
