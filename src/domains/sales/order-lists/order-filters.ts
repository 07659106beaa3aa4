import { nothing, raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { isCancelled, isHeld, states, supplierIn } from '../orders/orders.ts';

/*
 * What lists of orders are filtered by, for partners and operators: each filter and its SQL once. Who lists what by which index is in
 * `page.ts` (of one partner) and `all-orders.ts` (of all).
 */

/**
 * What a partner may ask for: a state, or `refunded` for orders refunded in full or in part. A page tells `cancelled` from `failed`; the
 * contract does not, so its `failed` is `unfulfilled` here.
 */
export const partnerOrderStates = ['paid', 'deferred', 'delivered', 'failed', 'cancelled', 'refunded'] as const;

/** `open`: paid and not delivered. `overdue`: those of them that were reported. `held`: those that wait for a person. */
export const operatorOrderStates = [
  'open',
  'overdue',
  'held',
  'paid',
  'deferred',
  'delivered',
  'failed',
  'cancelled',
  'created',
  'refunded',
] as const;

/**
 * What a partner may ask for about the refund of an order, as `refunds` writes it: until the supplier has answered, it is
 * requested.
 */
const refundRows = {
  requested: ['withdrawing', 'requested'],
  refunded: ['refunded'],
  rejected: ['rejected'],
} as const;

export type RefundFilter = keyof typeof refundRows;
export const refundRowsOf = (refund: RefundFilter): readonly string[] => refundRows[refund];

/** Which orders a list has. Everything that is set must hold. */
export interface OrderFilter {
  readonly partnerId?: number | undefined;
  readonly reference?: string | undefined;
  /** As a person types the reference: case does not matter. For lists in the pages only, not for the API. */
  readonly inAnyCase?: true;
  /** Finds the order that delivered the eSIM, and its refills. */
  readonly iccid?: string | undefined;
  readonly batchId?: bigint | undefined;
  readonly productId?: string | undefined;
  readonly countryCode?: string | undefined;
  readonly supplier?: string | undefined;
  /** The API key they were bought with. No index has it, so only so many orders are looked at (`LOOKED_AT`). */
  readonly keyId?: number | undefined;
  /** `unfailed`: all but failed ones, as the contract lists them. `unfulfilled`: those, cancelled or not. */
  readonly state?: (typeof operatorOrderStates)[number] | 'unfailed' | 'unfulfilled' | undefined;
  /** How far its refund is; undefined: with one or without. */
  readonly refund?: RefundFilter | undefined;
  /** Creation time: `from` is included, `to` is not. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly beforeId?: bigint | undefined;
}

export interface PartnerOrderFilter extends Omit<OrderFilter, 'partnerId' | 'supplier' | 'countryCode'> {
  readonly state?: (typeof partnerOrderStates)[number] | 'unfailed' | 'unfulfilled' | undefined;
}

export interface AllOrdersFilter extends Omit<OrderFilter, 'keyId' | 'refund'> {
  readonly state?: (typeof operatorOrderStates)[number] | undefined;
  readonly limit: number;
}

/** Nothing but the usual list, or the rest of it, with or without failed orders. */
export const isUsual = ({ beforeId: _, state, ...filters }: PartnerOrderFilter): boolean =>
  (state === undefined || state === 'unfailed') && Object.values(filters).every((filter) => filter === undefined);

/**
 * Whether an order matches, as conditions on its row, each after an `and`; `nothing`: there are none. The id it is before is left to
 * the caller, and so are other cases of its reference.
 */
export function matches(filter: OrderFilter): Sql {
  const { partnerId, reference, iccid, batchId, productId, countryCode, supplier, keyId, state, refund, from, to } =
    filter;
  const conditions = [
    ...(partnerId === undefined ? [] : [sql`partner_id = ${partnerId}`]),
    ...(state === undefined ? [] : [isInState(state)]),
    ...(reference === undefined ? [] : [sql`reference = ${reference}`]),
    ...(iccid === undefined ? [] : [sql`iccid = ${iccid}`]),
    ...(batchId === undefined ? [] : [sql`batch_id = ${batchId}`]),
    ...(productId === undefined ? [] : [sql`product_id = ${productId}`]),
    ...(countryCode === undefined ? [] : [sql`country_code = ${countryCode}`]),
    ...(supplier === undefined ? [] : [sql`${supplierIn(sql`supplier`)} = ${supplier}`]),
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(refund === undefined ? [] : [hasRefund(refund)]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
  ];
  return conditions.length === 0 ? nothing : conditions.map((one) => sql`and ${one}`).reduce((a, b) => sql`${a} ${b}`);
}

const hasRefund = (refund: RefundFilter): Sql => sql`exists (
  select from refunds where refunds.order_id = orders.id and refunds.status = any(${refundRowsOf(refund)}::text[]))`;

export const isRefunded = sql`refunded > 0 and status <> 2`;

function isInState(state: NonNullable<OrderFilter['state']>): Sql {
  switch (state) {
    case 'unfailed':
      return sql`status <> 2`;
    case 'unfulfilled':
      return sql`status = 2`;
    case 'failed':
      return sql`status = 2 and not ${isCancelled}`;
    case 'cancelled':
      // Written like this its index is used.
      return sql`cancel_status = 'cancelled'`;
    case 'refunded':
      return isRefunded;
    case 'open':
      return sql`provision_due_at is not null`;
    case 'overdue':
      return sql`overdue_at is not null and provision_due_at is not null`;
    case 'held':
      return sql`${isHeld}`;
    default:
      // Written out, because a partial index is only used for a status the planner can see.
      return sql`status = ${raw(String(states[state].status))} and delivery = ${states[state].delivery}`;
  }
}
