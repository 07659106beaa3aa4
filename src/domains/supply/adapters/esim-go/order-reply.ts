import { parseTimestamp } from '../../../../platform/clock.ts';
import { type Esim, esimOf } from '../../port/port.ts';
import { type Json, listOf, microsOf, numberOf, objectOf, textOf } from '../loose.ts';
import type { TheirOrder } from './sent-orders.ts';

/** The one line of an order of ours, and what it is about. */
export interface OneLine extends TheirOrder {
  readonly bundle: string;
  /** Null when it names no time that we can read. */
  readonly createdAt: Date | null;
  readonly isDone: boolean;
  /** The new eSIM, or the one it refilled; null while there is none. */
  readonly esim: Json | null;
}

/** Only `completed` is documented. */
const DONE = 'completed';

/** Undefined: it is not an order of one bundle, such as we place. Lines of other types apply bundles that were bought before. */
export function readOneLine(order: Json): OneLine | undefined {
  const orderReference = textOf(order.orderReference);
  const [line, ...more] = listOf(order.order) ?? [];
  if (!line || more.length > 0 || orderReference === null) return undefined;
  const bundle = textOf(line.item);
  if ((textOf(line.type) ?? 'bundle') !== 'bundle' || bundle === null || (numberOf(line.quantity) ?? 1) !== 1)
    return undefined;
  const [esim = null, ...others] = listOf(line.esims) ?? [];
  if (others.length > 0) return undefined;
  return {
    orderReference,
    bundle,
    createdAt: parseTimestamp(textOf(order.createdDate) ?? '') ?? null,
    isDone: textOf(order.status)?.toLowerCase() === DONE,
    esim,
    iccid: textOf(esim?.iccid) ?? iccidIn(line),
    sourceIp: textOf(order.sourceIP),
  };
}

const iccidIn = ({ iccids }: Json): string | null => (Array.isArray(iccids) ? textOf(iccids[0]) : null);

/** What the order cost us; undefined if the reply does not say, or not in dollars. */
export function chargedFor(order: Json): { charged: NonNullable<ReturnType<typeof microsOf>> } | Record<never, never> {
  const total = (textOf(order.currency) ?? 'USD') === 'USD' ? microsOf(order.total) : null;
  return total === null ? {} : { charged: total };
}

/** Undefined while the activation data is incomplete. */
export function readEsim(esim: unknown): Esim | undefined {
  const { iccid: number, smdpAddress: address, matchingId: id, msisdn } = objectOf(esim);
  const iccid = textOf(number);
  const smdpAddress = textOf(address)
    ?.replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '');
  const matchingId = textOf(id);
  if (iccid === null || !smdpAddress || matchingId === null) return undefined;
  const activationCode = `LPA:1$${smdpAddress}$${matchingId}`;
  return esimOf({ iccid, smdpAddress, matchingId, activationCode, msisdn: textOf(msisdn) });
}
