import type { Cents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { refundOrders, type Wallet } from '../../money/ledger/ledger.ts';
import { orderMarks } from '../orders/orders.ts';
import { orderColumns, type Refund, type RefundOfOrder, refundColumns, refundEvent } from './rows.ts';

export interface GiveBackParts {
  readonly vault: Vault;
  readonly webhooks: Pick<Webhooks, 'publish'>;
  readonly takeBackShares: TakeBackShares;
}

/** Takes back the revenue share that was paid for these orders, in the caller's transaction; returns how much. */
export type TakeBackShares = (
  tx: Tx,
  wallets: ReadonlyMap<number, Wallet>,
  orderIds: readonly bigint[],
  at: Date,
) => Promise<Cents>;

export interface GiveBack {
  readonly orderId: bigint;
  readonly partnerId: number;
  /** Undefined: everything that is left, which may be nothing. */
  readonly amount?: Cents | undefined;
  /** What the line in the partner's books says. */
  readonly line: string;
  /** The operator's note to the partner; undefined: the one it has. */
  readonly note?: string | undefined;
  /** The eSIM was withdrawn at its supplier. */
  readonly isWithdrawn: boolean;
  readonly at: Date;
}

export interface GivenBack {
  readonly refund: Refund;
  readonly given: Cents;
  /** How much of the order's revenue share was taken back. */
  readonly takenBack: Cents;
}

/**
 * The only way a delivered order is refunded: the movement, the revenue share, the order's mark, the refund's row and the
 * event, in the caller's transaction, which holds the wallet. Throws `RefundTooLarge` if less than `amount` is left.
 */
export async function giveBack(
  tx: Tx,
  parts: GiveBackParts,
  wallets: ReadonlyMap<number, Wallet>,
  wanted: GiveBack,
): Promise<GivenBack> {
  const { orderId, line, at } = wanted;
  await requireCharge(tx, orderId);
  const given = await refundOrders(tx, wallets, [wanted], line, at);
  const takenBack = await parts.takeBackShares(tx, wallets, [orderId], at);
  const refund = await mark(tx, wanted);
  if (given > 0n && !refund.isQuiet)
    await parts.webhooks.publish(tx, [refundEvent(parts.vault, 'order.refunded', refund, at, refund.n)]);
  return { refund, given, takenBack };
}

/** Whether a delivered order was sold, and its charge is archived: what it drew on is no longer known here. */
export const isArchived = (order: Sql): Sql => sql`(
  ${order}.paid_at < (select max(until) from archives) and ${order}.sale_price > 0 and not exists (
    select from movements where movements.order_id = ${order}.id and type in ('purchase', 'charge')))`;

async function requireCharge(tx: Tx, orderId: bigint): Promise<void> {
  const archived = await tx.maybe(sql`select from orders where id = ${orderId} and ${isArchived(sql`orders`)}`);
  if (archived)
    throw new Refused('order_archived', {
      page: `the books of order ${orderId} are archived, so it cannot be refunded: credit its partner instead`,
      terminal: `the books of order ${orderId} are archived, so it cannot be refunded; see \`wallet credit\` and \`wallet adjust\``,
    });
}

interface MarkedRefund extends RefundOfOrder {
  /** How many refunds the order has had. */
  readonly n: number;
}

/** Writes what the ledger now says. */
function mark(tx: Tx, { orderId, partnerId, note, isWithdrawn, at }: GiveBack): Promise<MarkedRefund> {
  return tx.one(sql`
    with given as (
      select coalesce(sum(abs(amount)), 0)::bigint as amount, count(*)::int as n
      from movements where order_id = ${orderId} and type = 'refund'
    ), marked as (
      ${orderMarks.refunded(orderId, isWithdrawn, at)}
      returning ${orderColumns}
    ), kept as (
      insert into refunds (order_id, partner_id, status, amount, note, requested_at, decided_at)
      select ${orderId}::bigint, ${partnerId}::int, 'refunded', amount, ${note ?? ''}, ${at}::timestamptz, ${at}::timestamptz
      from given
      on conflict (order_id) do update set status = 'refunded', amount = excluded.amount,
        note = coalesce(${note ?? null}::text, refunds.note), decided_at = excluded.decided_at, due_at = null
      returning ${refundColumns}
    )
    select kept.*, marked.*, given.n from kept, marked, given`);
}
