/*
 * Our names for an order at Zendit.
 *
 * A transaction id of ours can be used once. That makes a lost reply harmless: the same id sent again buys nothing twice. But a
 * transaction that failed because our wallet was too low has used its id up, and the order is still to be delivered. So an order
 * has a chain of ids: its reference, then reference-2, reference-3 and so on. The next one is used only after the one before was
 * read as failed, so at most one id of a chain ever buys something, whichever process dies in between: only the chain at Zendit
 * itself says how far it goes.
 */

import type { OrderAnswer, SupplierOrder } from '../../port/port.ts';
import type { JsonClient } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
import { textOf } from '../loose.ts';
import { uniqueReference } from '../unique-reference.ts';
import { offerIdOf } from './refill-code.ts';
import { isSpent, type MatchingIdField, readPurchase, readTransaction } from './transactions.ts';

/** What a process needs to work on orders. */
export interface OrderParts {
  readonly client: JsonClient;
  readonly matchingIdField: MatchingIdField;
  readonly alarm: (reason: string) => void;
}

/** The end of an order's chain. */
export type ChainEnd =
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
export type Link =
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
