import { parseTimestamp, SECOND } from '../../../../platform/clock.ts';
import { type Esim, esimOf, type OrderAnswer, type SupplierOrder } from '../../port/port.ts';
import { type Deadline, deadlineIn } from '../connection.ts';
import { type Json, listOf, microsOf, numberOf, objectOf, parseJson, parseObject, textOf } from '../loose.ts';
import { type EsimGoClient, noAnswer } from './client.ts';
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
function chargedFor(order: Json): { charged: NonNullable<ReturnType<typeof microsOf>> } | Record<never, never> {
  const total = (textOf(order.currency) ?? 'USD') === 'USD' ? microsOf(order.total) : null;
  return total === null ? {} : { charged: total };
}

/** Undefined while the activation data is incomplete. */
function readEsim(esim: unknown): Esim | undefined {
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

/** An order whose number we know was accepted; what is it now? */
export async function readKnown(
  client: EsimGoClient,
  order: Pick<SupplierOrder, 'refillOf'>,
  number: string,
  deadline: Deadline,
): Promise<OrderAnswer> {
  const called = await client.get(`/orders/${encodeURIComponent(number)}`, deadline);
  if ('failed' in called || called.status !== 200) return noAnswer(called);
  const theirs = parseObject(called.text);
  const line = readOneLine(theirs);
  if (line?.orderReference !== number) return { outcome: 'unavailable', reason: 'HTTP 200, not our order' };
  return readDelivery(client, order, theirs, line, deadline);
}

/** The state of an order of ours. Its activation data is included, or has to be requested. */
export async function readDelivery(
  client: EsimGoClient,
  { refillOf }: Pick<SupplierOrder, 'refillOf'>,
  theirs: Json,
  line: OneLine,
  deadline: Deadline,
): Promise<OrderAnswer> {
  const supplierOrder = line.orderReference;
  if (!line.isDone) return { outcome: 'pending', supplierOrder };
  if (refillOf) return { outcome: 'refilled', supplierOrder, ...chargedFor(theirs) };
  const esim = readEsim(line.esim) ?? (await assigned(client, supplierOrder, deadline));
  return esim
    ? { outcome: 'delivered', supplierOrder, esim, ...chargedFor(theirs) }
    : { outcome: 'pending', supplierOrder };
}

async function assigned(client: EsimGoClient, number: string, deadline: Deadline) {
  const called = await client.get(`/esims/assignments?reference=${encodeURIComponent(number)}`, deadline);
  if ('failed' in called || called.status !== 200) return undefined;
  const answer = parseJson(called.text);
  const [esim] = Array.isArray(answer) ? (listOf(answer) ?? []) : [objectOf(answer)];
  return readEsim(esim);
}

const MARK_LIMIT_MS = 2 * SECOND;

/** Our reference on the eSIM, for people and for other installations. Nothing depends on it, so a failure does not matter. */
export async function mark(client: EsimGoClient, iccid: string, reference: string, deadline: Deadline): Promise<void> {
  const limit = deadlineIn(Math.min(MARK_LIMIT_MS, deadline.leftMs()));
  await client.put('/esims', { iccid, customerRef: reference }, limit);
}
