import { type Cents, formatCents } from '../../../platform/amounts/cents.ts';
import {
  accountFields,
  autorefillFields,
  type CatalogValues,
  catalogFields,
  type EventFields,
  esimFields,
  eventBody,
  type HelpValues,
  helpFields,
  invoiceFields,
  limitFields,
  type OrderValues,
  orderFields,
  phoneFields,
  replacedFields,
} from '../../../platform/contract/event-bodies.ts';
import { BIG_ID_DIGITS, bigIdIn } from '../../../platform/contract/ids.ts';
import type {
  AutorefillValues,
  InvoiceValues,
  LimitValues,
  ProfileValues,
  RefundValues,
  ReplacementValues,
  UsageValues,
} from '../../../platform/contract/resources.ts';
import type { LowBalance } from '../../money/ledger/ledger.ts';
import type {
  EventName,
  InvoiceEventName,
  MoneyEventName,
  OrderEventName,
  PhoneEventName,
  UsageEventName,
} from './names.ts';

/** A refund as the partner sees it. */
export interface PartnerRefund extends Omit<RefundValues, 'amount'> {
  readonly amount: Cents;
}

/** A state change of one order. */
export interface OrderEvent extends Omit<OrderValues, 'status' | 'refund'> {
  readonly partnerId: number;
  readonly event: OrderEventName;
  /** How many times this event has happened to this order, this time included; 1 if left out. */
  readonly n?: number;
  /** The order's status, where the event alone does not say it. */
  readonly status?: string;
  /** For the events of refunds: the refund as it is now. */
  readonly refund?: PartnerRefund;
  /** The request that caused it, where that is not the one being answered; for traces. */
  readonly cause?: string | undefined;
}

/** What every event but those of orders says of itself. */
interface Told<Name extends EventName> {
  readonly partnerId: number;
  readonly event: Name;
  /** How many times it was published for this eSIM, this document or (about neither) this account, this time included. */
  readonly n: number;
  readonly occurredAt: number;
}

interface ToldOfEsim<Name extends EventName> extends Told<Name> {
  /** The order that delivered it, and that order's reference. */
  readonly orderId: bigint;
  readonly reference: string;
  readonly iccid: string;
}

/** What a usage reading shows of an eSIM. */
export interface EsimEvent extends ToldOfEsim<UsageEventName> {
  readonly usage: UsageValues;
}

/** What happened to an eSIM on the phone, or to its service. */
export interface PhoneEvent extends ToldOfEsim<PhoneEventName> {
  readonly profile: ProfileValues;
}

/** An eSIM was replaced by a new one: `iccid` and `orderId` are those of the old one. */
interface ReplacedEvent extends ToldOfEsim<'esim.replaced'> {
  readonly replacement: ReplacementValues;
}

/** An eSIM refills itself no more. */
interface AutorefillEvent extends ToldOfEsim<'esim.autorefill_stopped'> {
  readonly autorefill: AutorefillValues;
}

/** A traveller asked for help on the page of their eSIM. */
export interface HelpEvent extends ToldOfEsim<'esim.help_requested'> {
  readonly help: HelpValues;
}

/** What happened to a partner's money. */
export interface AccountEvent extends Told<MoneyEventName> {
  /** What can be spent now; on credit terms the free credit. */
  readonly balance: Cents;
  readonly level?: Cents;
  readonly amount?: Cents;
}

export const balanceLow = ({ partnerId, balance, level, n }: LowBalance, at: Date): AccountEvent => ({
  partnerId,
  event: 'account.balance_low',
  n,
  balance,
  level,
  occurredAt: at.getTime(),
});

/** A limit refused a purchase, for the first time in its window. */
export interface LimitEvent extends Told<'account.limit_reached'> {
  readonly limit: LimitValues;
}

/** A partner's catalog differs from the one last reported to it. */
export interface CatalogEvent extends CatalogValues, Told<'catalog.changed'> {}

/** What became of an invoice or a credit note. */
export interface InvoiceEvent extends Told<InvoiceEventName> {
  readonly number: string;
  readonly invoice: InvoiceValues;
}

export type NewEvent =
  | OrderEvent
  | EsimEvent
  | PhoneEvent
  | ReplacedEvent
  | AutorefillEvent
  | HelpEvent
  | AccountEvent
  | LimitEvent
  | InvoiceEvent
  | CatalogEvent;

/** How the events of one world differ from the other's. */
export interface EventStyle {
  readonly eventIdPrefix: string;
  /** Fields at the end of every body. */
  readonly bodyExtra: Readonly<Record<string, unknown>>;
}

/** The `status` of each change. An order can be refunded in more than one state, so those events name their own. */
export const statuses: Readonly<Record<OrderEventName, string>> = {
  'order.created': '3',
  'order.paid': '4',
  'order.delivered': '1',
  'order.deferred': '4',
  'order.failed': '2',
  'order.refunded': '1',
  'order.refund_requested': '1',
  'order.refund_rejected': '1',
};

export interface Message {
  readonly eventId: string;
  /** Exactly what is signed, stored, sent and shown. */
  readonly body: string;
}

export function messageOf(style: EventStyle, event: NewEvent): Message {
  if ('usage' in event) return message(style, event.event, event.iccid, event.n, esimFields(event));
  if ('profile' in event) return message(style, event.event, event.iccid, event.n, phoneFields(event));
  if ('replacement' in event) return message(style, event.event, event.iccid, event.n, replacedFields(event));
  if ('autorefill' in event) return message(style, event.event, event.iccid, event.n, autorefillFields(event));
  if ('help' in event) return message(style, event.event, event.iccid, event.n, helpFields(event));
  if ('balance' in event) return message(style, event.event, event.partnerId, event.n, moneyFields(event));
  if ('limit' in event) return message(style, event.event, event.partnerId, event.n, limitFields(event));
  if ('invoice' in event) return message(style, event.event, event.number, event.n, invoiceFields(event));
  if ('since' in event) return message(style, event.event, event.partnerId, event.n, catalogFields(event));
  return orderMessage(style, event);
}

export function orderMessage(style: EventStyle, { refund, ...event }: OrderEvent): Message {
  const status = event.status ?? statuses[event.event];
  const given = refund && { ...refund, amount: formatCents(refund.amount) };
  return message(style, event.event, event.orderId, event.n ?? 1, orderFields({ ...event, status, refund: given }));
}

export const moneyFields = ({
  balance,
  level,
  amount,
  occurredAt,
}: Pick<AccountEvent, 'balance' | 'level' | 'amount' | 'occurredAt'>): EventFields =>
  accountFields({
    occurredAt,
    balance: formatCents(balance),
    level: level === undefined ? undefined : formatCents(level),
    amount: amount === undefined ? undefined : formatCents(amount),
  });

type Subject = bigint | number | string;

export function message(
  style: EventStyle,
  event: EventName,
  subject: Subject,
  n: bigint | number,
  fields: EventFields,
): Message {
  const eventId = `${style.eventIdPrefix}${event}:${subject}:${n}`;
  return { eventId, body: eventBody(event, eventId, fields, style.bodyExtra) };
}

const ORDER_EVENT = new RegExp(`^order\\.[a-z_]+:(${BIG_ID_DIGITS}):\\d+$`);

/** The order an event of this world is about, by the event's id; undefined: it is of the other world, or about something else. */
export function orderOfEvent({ eventIdPrefix }: EventStyle, eventId: string): bigint | undefined {
  const name = eventId.startsWith(eventIdPrefix) ? eventId.slice(eventIdPrefix.length) : '';
  return bigIdIn(ORDER_EVENT.exec(name)?.[1] ?? '');
}
