import { SECOND } from '../../../../platform/clock.ts';
import type { OrderAnswer, SupplierOrder } from '../../port/port.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import { type Json, listOf, objectOf, parseJson, parseObject } from '../loose.ts';
import type { EsimGoClient } from './client.ts';
import { chargedFor, type OneLine, readEsim, readOneLine } from './order-reply.ts';
import { noAnswer } from './refusals.ts';

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
