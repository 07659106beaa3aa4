import { type Clock, HOUR, MINUTE, SECOND } from '../clock.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import { Breaker } from '../purchase/purchase.ts';
import type { SupplierLog } from '../supplier-log/supplier-log.ts';
import type { EsimReference, Supplier, WithdrawAnswer } from '../suppliers/suppliers.ts';

/** An eSIM that its supplier is asked to take back. */
export interface Withdrawal extends EsimReference {
  readonly orderId: bigint;
  readonly partnerId: number;
  readonly supplier: string;
  /** How often the supplier was asked, this time included. */
  readonly attempts: number;
}

/** What `orders` says of it; the attempts are counted in `refunds`. */
export const withdrawalColumns = sql`
  orders.id as "orderId", orders.partner_id as "partnerId", orders.supplier, orders.iccid, orders.supplier_order as "supplierOrder",
  orders.day, orders.delivered_at as "deliveredAt", orders.script`;

/** Just that, of a row that has more. */
export const withdrawalOf = (row: Withdrawal): Withdrawal => ({
  orderId: row.orderId,
  partnerId: row.partnerId,
  supplier: row.supplier,
  attempts: row.attempts,
  iccid: row.iccid,
  supplierOrder: row.supplierOrder,
  day: row.day,
  deliveredAt: row.deliveredAt,
  script: row.script,
});

/** A supplier may be away for days. We never give up: only it knows whether the eSIM is still good. */
const waits = [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 1 * HOUR] as const;

/** How long to wait after this many tries without an answer. */
export const waitAfter = (attempts: number): number => waits[Math.min(attempts, waits.length) - 1] ?? waits[0];

export interface WithdrawalWorld {
  readonly suppliers: { of(slug: string): Promise<Pick<Supplier, 'withdraw'>> };
  readonly supplierLog: Pick<SupplierLog, 'record'>;
}

export type AskForWithdrawal = (withdrawal: Withdrawal) => Promise<WithdrawAnswer>;

/**
 * Asks suppliers to take eSIMs back, within `limitMs`, and leaves silent ones alone for a while. The breakers are not those of
 * orders: a supplier can deliver and still not answer about withdrawals.
 */
export function supplierWithdrawals(
  { suppliers, supplierLog }: WithdrawalWorld,
  { clock, log, limitMs }: { readonly clock: Clock; readonly log: Log; readonly limitMs: number },
): AskForWithdrawal {
  const breakers = new Map<string, Breaker>();

  function breakerOf(supplier: string): Breaker {
    const breaker = breakers.get(supplier) ?? new Breaker();
    breakers.set(supplier, breaker);
    return breaker;
  }

  return async ({ orderId, partnerId, supplier: slug, attempts, ...esim }) => {
    const { withdraw } = await suppliers.of(slug);
    if (!withdraw) return { outcome: 'refused', reason: `supplier ${slug} takes nothing back` };
    const breaker = breakerOf(slug);
    if (!breaker.admits(clock.now()))
      return { outcome: 'unavailable', reason: `supplier ${slug} does not answer, so it was not called` };
    const call = { orderId, supplier: slug, operation: 'withdraw', asked: esim } as const;
    const answer = await supplierLog.record(call, () => withdraw(esim, limitMs));
    const changed = breaker.ended(orderId, answer.outcome !== 'unavailable', clock.now());
    if (changed === 'opened') log.warn({ supplier: slug }, 'a supplier does not answer about withdrawals');
    if (changed === 'closed') log.info({ supplier: slug }, 'a supplier answers about withdrawals again');
    return answer;
  };
}
