import { type Esim, esimOf, type OrderAnswer, type SupplierOrder } from '../../port/port.ts';
import { type Deadline, type JsonClient, reasonOf, uniqueReference } from '../connection.ts';
import { type Json, objectOf, parseObject, textOf } from '../loose.ts';
import { codeIn } from './client.ts';
import { microsOfMinor, offerIdOf } from './plans.ts';

/*
 * Our names for an order at Zendit.
 *
 * A transaction id of ours can be used once. That makes a lost reply harmless: the same id sent again buys nothing twice. But a
 * transaction that failed because our wallet was too low has used its id up, and the order is still to be delivered. So an order
 * has a chain of ids: its reference, then reference-2, reference-3 and so on. The next one is used only after the one before was
 * read as failed, so at most one id of a chain ever buys something, whichever process dies in between: only the chain at Zendit
 * itself says how far it goes.
 */

/** What a process needs to work on orders. */
export interface OrderParts {
  readonly client: JsonClient;
  readonly matchingIdField: MatchingIdField;
  readonly alarm: (reason: string) => void;
}

/** The end of an order's chain. */
type ChainEnd =
  /** A transaction that is not spent. */
  | { readonly answer: OrderAnswer }
  /** Every id before this one is spent, and Zendit does not know this one. */
  | { readonly free: number }
  | { readonly reason: string; readonly silent?: true };

/** More failed transactions of one order than this are left to a person. */
const LONGEST = 20;

export const idOf = (order: SupplierOrder, n: number): string =>
  n === 1 ? uniqueReference(order) : `${uniqueReference(order)}-${n}`;

/** What Zendit says about one id of the chain. Behind one that is spent, or another order's, ours continues. */
type Link =
  | { readonly answer: OrderAnswer }
  | 'absent'
  | 'spent'
  | "another order's"
  | { readonly reason: string; readonly silent?: true };

export async function readLink(parts: OrderParts, order: SupplierOrder, n: number, deadline: Deadline): Promise<Link> {
  const looked = await readTransaction(parts.client, idOf(order, n), deadline);
  if (looked === 'absent' || 'reason' in looked) return looked;
  const { transaction } = looked;
  // The references of an order's tries at several suppliers are numbered like a chain.
  if ((textOf(transaction.offerId) ?? offerIdOf(order.plan)) !== offerIdOf(order.plan)) return "another order's";
  if (isSpent(transaction)) return 'spent';
  return { answer: readPurchase(transaction, order, idOf(order, n), parts.matchingIdField) };
}

export async function endOfChain(parts: OrderParts, order: SupplierOrder, deadline: Deadline): Promise<ChainEnd> {
  for (let n = firstToRead(order); n <= LONGEST; n++) {
    const link = await readLink(parts, order, n, deadline);
    if (link === 'spent' || link === "another order's") continue;
    if (link !== 'absent') return link;
    if (idOf(order, n) !== order.supplierOrder) return { free: n };
    const reason = `${order.supplierOrder} was accepted, but Zendit does not know it: it waits for the operator`;
    parts.alarm(reason);
    return { reason };
  }
  const reason = `${uniqueReference(order)} failed ${LONGEST} times: it waits for the operator`;
  parts.alarm(reason);
  return { reason };
}

/** Those before one that was accepted are spent. */
function firstToRead(order: SupplierOrder): number {
  const prefix = `${uniqueReference(order)}-`;
  const n = order.supplierOrder?.startsWith(prefix) ? Number(order.supplierOrder.slice(prefix.length)) : 1;
  return Number.isInteger(n) && n > 1 && n <= LONGEST ? n : 1;
}

/** Which of their two fields has the matching id. Their documents name the first, some clients use the second. */
export type MatchingIdField = 'activationCode' | 'externalReferenceId';

/** What Zendit knows under one of our transaction ids. */
type Looked =
  | { readonly transaction: Json }
  /** It never received the id. */
  | 'absent'
  | { readonly reason: string; readonly silent?: true; readonly status?: number };

export const purchasePath = (id: string): string => `/esim/purchases/${encodeURIComponent(id)}`;

async function readTransaction(client: JsonClient, id: string, deadline: Deadline): Promise<Looked> {
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
const isSpent = (transaction: Json): boolean =>
  hasFailed(transaction) && objectOf(transaction.error).code === 'INSUFFICIENT_FUNDS';

/** One of their guides writes FAIL. */
const hasFailed = ({ status }: Json): boolean => status === 'FAILED' || status === 'FAIL';

/** The outcome of a transaction of ours that is not spent. */
function readPurchase(transaction: Json, { refillOf }: SupplierOrder, id: string, field: MatchingIdField): OrderAnswer {
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
