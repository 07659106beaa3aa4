import { toCents } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import {
  autorefillFields,
  catalogFields,
  type EventFields,
  esimFields,
  helpFields,
  invoiceFields,
  limitFields,
  orderFields,
  phoneFields,
  replacedFields,
} from '../../../platform/contract/event-bodies.ts';
import type { InvoiceValues, ProfileValues, UsageValues } from '../../../platform/contract/resources.ts';
import { type AccountEvent, type EventStyle, type Message, message, moneyFields, statuses } from './messages.ts';
import { contractEvents, type EventName, eventNames, type PhoneEventName, sentWhen } from './names.ts';

const orderOf = (status: string, delivery: string, occurredAt: number) =>
  ({ ...noEsim, status, delivery, deliveryReason: '', qrCode: '', occurredAt }) as const;

/** A sample is about no eSIM in particular. */
const noEsim = { orderId: 0n, reference: '', iccid: '' } as const;

const sampleOrder =
  (status: string, delivery = '') =>
  (occurredAt: number): EventFields =>
    orderFields(orderOf(status, delivery, occurredAt));

const sampleRefund =
  (status: 'requested' | 'refunded' | 'rejected', amount: string) =>
  (occurredAt: number): EventFields => {
    const at = new Date(occurredAt);
    const decidedAt = status === 'requested' ? null : at;
    return orderFields({
      ...orderOf(statuses['order.refunded'], 'delivered', occurredAt),
      refund: { status, amount, reason: '', note: '', requestedAt: at, decidedAt },
    });
  };

const GB = 1024;

/** The usage of an eSIM of 1 GB and 7 days that was activated 6 days ago. */
const sampleEsim =
  (status: UsageValues['status'], usedMb: number, endsInMs = DAY) =>
  (occurredAt: number): EventFields =>
    esimFields({
      ...noEsim,
      occurredAt,
      usage: {
        iccid: '',
        orderId: 0n,
        productTitle: '',
        status,
        tone: usedMb < GB && status === 'active' ? 'warning' : 'danger',
        totalMb: GB,
        usedMb,
        remainingMb: GB - usedMb,
        percentRemaining: Math.floor((1 - usedMb / GB) * 100),
        isUnlimited: false,
        fairUseText: '',
        activatedAt: new Date(occurredAt + endsInMs - 7 * DAY),
        expiresAt: new Date(occurredAt + endsInMs),
        daysLeft: endsInMs / DAY,
        fetchedAt: new Date(occurredAt),
      },
    });

/** A phone in a country that the plan covers. */
const samplePhone =
  (event: PhoneEventName, state: ProfileValues['state'] = 'enabled') =>
  (occurredAt: number): EventFields =>
    phoneFields({
      event,
      ...noEsim,
      occurredAt,
      profile: {
        state,
        device: { brand: 'Apple', model: 'iPhone 17' },
        country: 'FR',
        covered: true,
        seenAt: new Date(occurredAt),
      },
    });

const sampleAccount =
  (money: Pick<AccountEvent, 'level' | 'amount'>) =>
  (occurredAt: number): EventFields =>
    moneyFields({ ...money, balance: toCents(950n), occurredAt });

/** The invoice of the month before, on credit terms. */
const sampleInvoice =
  (status: InvoiceValues['status'], amountPaid = '0.00', amountDue = '119.00') =>
  (occurredAt: number): EventFields => {
    const month = new Date(new Date(occurredAt).setUTCDate(0)).toISOString().slice(0, 7);
    const [issuedAt, dueAt] = [new Date(occurredAt), new Date(occurredAt + 30 * DAY)];
    const number = `INV${issuedAt.getUTCFullYear()}-000042`;
    const amounts = { net: '100.00', tax: '19.00', total: '119.00', amountPaid, amountDue };
    const invoice: InvoiceValues = {
      ...{ id: 42n, number, kind: 'invoice', status, month, issuedAt, dueAt, ...amounts, credits: null },
    };
    return invoiceFields({ occurredAt, invoice });
  };

/** The body of a sample of every event: what a probe sends. */
const samples: Readonly<Record<EventName, (occurredAt: number) => EventFields>> = {
  'order.created': sampleOrder(statuses['order.created']),
  'order.paid': sampleOrder(statuses['order.paid']),
  'order.delivered': sampleOrder(statuses['order.delivered'], 'delivered'),
  'order.deferred': sampleOrder(statuses['order.deferred'], 'deferred'),
  'order.failed': sampleOrder(statuses['order.failed'], 'failed'),
  'order.test': sampleOrder('test'),
  'order.refunded': sampleRefund('refunded', '4.50'),
  'order.refund_requested': sampleRefund('requested', '0.00'),
  'order.refund_rejected': sampleRefund('rejected', '0.00'),
  'esim.activated': sampleEsim('active', 1),
  'esim.usage_high': sampleEsim('active', 820),
  'esim.depleted': sampleEsim('depleted', GB),
  'esim.expiring': sampleEsim('active', 512),
  'esim.expired': sampleEsim('expired', 512, 0),
  'esim.installed': samplePhone('esim.installed', 'installed'),
  'esim.removed': samplePhone('esim.removed', 'deleted'),
  'esim.country_changed': samplePhone('esim.country_changed'),
  'esim.suspended': samplePhone('esim.suspended'),
  'esim.resumed': samplePhone('esim.resumed'),
  'esim.replaced': (occurredAt) =>
    replacedFields({
      ...noEsim,
      occurredAt,
      replacement: { status: 'replaced', orderId: 0n, iccid: '', oldIccid: '' },
    }),
  'esim.autorefill_stopped': (occurredAt) =>
    autorefillFields({
      ...noEsim,
      occurredAt,
      autorefill: { productId: '', atPercent: 80, times: 5, done: 5, maxPrice: '4.50', stopped: 'done' },
    }),
  'esim.help_requested': (occurredAt) =>
    helpFields({
      ...noEsim,
      occurredAt,
      help: {
        id: 0n,
        language: 'en',
        step: 'turn_on_data',
        email: 'traveller@example.com',
        message: 'No internet since I landed.',
        facts: {
          ...{ shows: 'no_internet', isDelivered: true, hasEnded: false, isSuspended: false, profile: 'enabled' },
          ...{ wasUsed: false, isCovered: true, hasDataLeft: true, isSupplierDown: false, needsApn: false },
          ...{ country: 'FR', remainingMb: GB, endsAt: null },
        },
      },
    }),
  'account.balance_low': sampleAccount({ level: toCents(1000n) }),
  'topup.succeeded': sampleAccount({ amount: toCents(5000n) }),
  'account.limit_reached': (occurredAt) =>
    limitFields({
      occurredAt,
      limit: {
        scope: 'key',
        per: 'day',
        amount: 500,
        count: null,
        usedAmount: 497.5,
        usedCount: 61,
        resetsAt: new Date((Math.floor(occurredAt / DAY) + 1) * DAY),
      },
    }),
  'catalog.changed': (occurredAt) =>
    catalogFields({
      occurredAt,
      version: '1043-9c1f03ab-5d2e77aa-0b6f1c2d3e4f5a6b',
      since: '1042-9c1f03ab-5d2e77aa-0b6f1c2d3e4f5a6b',
      changed: 12,
      removed: 1,
      pricesUp: 4,
      pricesDown: 7,
    }),
  'invoice.issued': sampleInvoice('open'),
  'invoice.paid': sampleInvoice('paid', '119.00', '0.00'),
  'invoice.overdue': sampleInvoice('overdue'),
  'invoice.voided': sampleInvoice('void', '0.00', '0.00'),
};

/** A message that describes no order; `n` makes its event id unique, and a note says what it is for. */
export function sampleMessage(
  style: EventStyle,
  event: EventName,
  n: bigint | number,
  note: string | undefined,
  occurredAt: number,
): Message {
  return message(style, event, 0n, n, { ...samples[event](occurredAt), note });
}

export interface DescribedEvent {
  readonly name: EventName;
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
