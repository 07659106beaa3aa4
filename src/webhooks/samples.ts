import { DAY } from '../clock.ts';
import { toCents } from '../money/money.ts';
import { refundBlock, type ToldUsage } from './event-blocks.ts';
import {
  type AccountEvent,
  accountFields,
  type EventName,
  type EventStyle,
  esimFields,
  type Fields,
  type Message,
  message,
  orderFields,
  statuses,
} from './events.ts';

const sampleOrder =
  (status: string, delivery = '') =>
  (occurredAt: number): Fields =>
    orderFields(0n, status, {
      reference: '',
      delivery,
      deliveryReason: '',
      iccid: '',
      qrCode: '',
      occurredAt,
    });

const sampleRefund = (occurredAt: number): Fields => {
  const at = new Date(occurredAt);
  const block = { reason: '', note: '', requestedAt: at, decidedAt: at };
  return {
    ...sampleOrder(statuses['order.refunded'], 'delivered')(occurredAt),
    refund: refundBlock({ ...block, status: 'refunded', amount: toCents(450n) }),
  };
};

const GB = 1024;

/** The usage of an eSIM of 1 GB and 7 days that was activated 6 days ago. */
const sampleEsim =
  (status: ToldUsage['status'], usedMb: number, endsInMs = DAY) =>
  (occurredAt: number): Fields =>
    esimFields({
      orderId: 0n,
      reference: '',
      iccid: '',
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

const sampleAccount =
  (money: Pick<AccountEvent, 'level' | 'amount'>) =>
  (occurredAt: number): Fields =>
    accountFields({ ...money, balance: toCents(950n), occurredAt });

/** The body of a sample of every event: what a probe sends. */
const samples: Readonly<Record<EventName, (occurredAt: number) => Fields>> = {
  'order.created': sampleOrder(statuses['order.created']),
  'order.paid': sampleOrder(statuses['order.paid']),
  'order.delivered': sampleOrder(statuses['order.delivered'], 'delivered'),
  'order.deferred': sampleOrder(statuses['order.deferred'], 'deferred'),
  'order.failed': sampleOrder(statuses['order.failed'], 'failed'),
  'order.test': sampleOrder('test'),
  'order.refunded': sampleRefund,
  'esim.activated': sampleEsim('active', 1),
  'esim.usage_high': sampleEsim('active', 820),
  'esim.depleted': sampleEsim('depleted', GB),
  'esim.expiring': sampleEsim('active', 512),
  'esim.expired': sampleEsim('expired', 512, 0),
  'account.balance_low': sampleAccount({ level: toCents(1000n) }),
  'topup.succeeded': sampleAccount({ amount: toCents(5000n) }),
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
