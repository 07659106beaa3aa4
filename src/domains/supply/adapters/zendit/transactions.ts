import { type Esim, esimOf, type OrderAnswer, type SupplierOrder } from '../../port/port.ts';
import { type JsonClient, reasonOf } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
import { type Json, objectOf, parseObject, textOf } from '../loose.ts';
import { microsOfMinor } from './money.ts';
import { codeIn } from './refusals.ts';

/** Which of their two fields has the matching id. Their documents name the first, some clients use the second. */
export const matchingIdFields = ['activationCode', 'externalReferenceId'] as const;
export type MatchingIdField = (typeof matchingIdFields)[number];

/** What Zendit knows under one of our transaction ids. */
export type Looked =
  | { readonly transaction: Json }
  /** It never received the id. */
  | 'absent'
  | { readonly reason: string; readonly silent?: true; readonly status?: number };

export const purchasePath = (id: string): string => `/esim/purchases/${encodeURIComponent(id)}`;

export async function readTransaction(client: JsonClient, id: string, deadline: Deadline): Promise<Looked> {
  const called = await client.get(purchasePath(id), deadline);
  if ('failed' in called) return reasonOf(called);
  const { status } = called;
  const body = parseObject(called.text);
  // Anything on the way can answer 404. Only Zendit itself can say that there is no such transaction.
  if (status === 404 && body.errorCode === 'NOT_FOUND') return 'absent';
  if (status !== 200) return { reason: `HTTP ${status}`, status };
  // An answer with another id belongs to another call, even if it came on our connection.
  return body.transactionId === id ? { transaction: body } : { reason: 'HTTP 200, not our transaction' };
}

/** A transaction that ended because the wallet was too low: nothing was bought, but its id is spent. */
export const isSpent = (transaction: Json): boolean =>
  hasFailed(transaction) && objectOf(transaction.error).code === 'INSUFFICIENT_FUNDS';

/** One of their guides writes FAIL. */
const hasFailed = ({ status }: Json): boolean => status === 'FAILED' || status === 'FAIL';

/** The outcome of a transaction of ours that is not spent. */
export function readPurchase(
  transaction: Json,
  { refillOf }: SupplierOrder,
  id: string,
  field: MatchingIdField,
): OrderAnswer {
  if (hasFailed(transaction))
    return { outcome: 'refused', reason: `the transaction failed: ${codeIn(objectOf(transaction.error).code)}` };
  if (objectOf(transaction.refund).status === 'DONE') return { outcome: 'refused', reason: 'it was refunded' };
  const { cost, costCurrency, costCurrencyDivisor } = transaction;
  const price = microsOfMinor(cost, costCurrency, costCurrencyDivisor);
  const charged = price === null ? {} : { charged: price };
  if (transaction.status !== 'DONE') return { outcome: 'pending', supplierOrder: id };
  if (refillOf) return { outcome: 'refilled', supplierOrder: id, ...charged };
  const esim = readConfirmation(objectOf(transaction.confirmation), field);
  return esim
    ? { outcome: 'delivered', supplierOrder: id, esim, ...charged }
    : { outcome: 'pending', supplierOrder: id };
}

/** Undefined while it is incomplete. */
function readConfirmation(confirmation: Json, field: MatchingIdField): Esim | undefined {
  const [iccid, code] = [textOf(confirmation.iccid), textOf(confirmation.activationCode)];
  // Some carriers send the whole content of the QR code.
  const [, host, inCode] = code?.startsWith('LPA:') ? code.split('$') : [];
  const smdpAddress = host || textOf(confirmation.smdpAddress);
  const given = field === 'activationCode' ? code : (textOf(confirmation.externalReferenceId) ?? code);
  const matchingId = host === undefined ? given : (inCode ?? null);
  if (iccid === null || smdpAddress === null || !matchingId) return undefined;
  const activationCode = host === undefined ? `LPA:1$${smdpAddress}$${matchingId}` : (code ?? '');
  return esimOf({ iccid, smdpAddress, matchingId, activationCode });
}
