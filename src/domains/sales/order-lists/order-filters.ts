import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { states } from '../orders/orders.ts';

/** What a partner may ask for: a state, or `refunded` for orders refunded in full or in part. */
export const soughtStates = ['paid', 'deferred', 'delivered', 'failed', 'refunded'] as const;

/** `any`: failed ones, too, which the contract's list leaves out. */
export type SoughtState = (typeof soughtStates)[number] | 'any';

/**
 * What a partner may ask for about the refund of an order, as `refunds` writes it: until the supplier has answered, it is
 * requested.
 */
const refundRows = {
  requested: ['withdrawing', 'requested'],
  refunded: ['refunded'],
  rejected: ['rejected'],
} as const;

export type SoughtRefund = keyof typeof refundRows;
export const refundRowsOf = (sought: SoughtRefund): readonly string[] => refundRows[sought];

/** Which orders a partner wants to see. Everything that is set must hold. */
export interface Sought {
  readonly reference: string | undefined;
  /** As a person types the reference: case does not matter. For lists in the pages only, not for the API. */
  readonly inAnyCase?: true;
  /** Finds the order that delivered the eSIM, and its refills. */
  readonly iccid: string | undefined;
  /** Finds the orders that were bought together. */
  readonly batchId?: bigint | undefined;
  readonly productId: string | undefined;
  /** Undefined: all but failed ones. */
  readonly state: SoughtState | undefined;
  /** How far its refund is; undefined: with one or without. */
  readonly refund?: SoughtRefund | undefined;
  /** Creation time: `from` is included, `to` is not. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly beforeId: bigint | undefined;
  /** The API key they were bought with. No index has it, so only so many orders are looked at (`LOOKED_AT`). */
  readonly keyId?: number | undefined;
}

/** Nothing is sought but the usual list, or the rest of it, with or without failed orders. */
export const isUsual = ({ beforeId: _, state, ...filters }: Sought): boolean =>
  (state === undefined || state === 'any') && Object.values(filters).every((filter) => filter === undefined);

/** Whether an order is one of those sought, as a condition on its row. Ids are left to the caller. */
export function isSought(partnerId: number, sought: Sought): Sql {
  const { reference, iccid, batchId, productId, keyId, state, refund, from, to } = sought;
  const conditions = [
    isInState(state),
    ...(reference === undefined ? [] : [sql`reference = ${reference}`]),
    ...(iccid === undefined ? [] : [sql`iccid = ${iccid}`]),
    ...(batchId === undefined ? [] : [sql`batch_id = ${batchId}`]),
    ...(productId === undefined ? [] : [sql`product_id = ${productId}`]),
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(refund === undefined ? [] : [hasRefund(refund)]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
  ];
  return conditions.reduce((all, one) => sql`${all} and ${one}`, sql`partner_id = ${partnerId}`);
}

const hasRefund = (refund: SoughtRefund): Sql => sql`exists (
  select from refunds where refunds.order_id = orders.id and refunds.status = any(${refundRowsOf(refund)}::text[]))`;

function isInState(state: Sought['state']): Sql {
  if (state === undefined) return sql`status <> 2`;
  if (state === 'any') return sql`true`;
  if (state === 'refunded') return sql`refunded > 0 and status <> 2`;
  return sql`status = ${states[state].status} and delivery = ${states[state].delivery}`;
}
