import { type Clock, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import type { SupplierLog } from '../../supply/calls/calls.ts';
import type { EsimReference, Supplier, WithdrawAnswer } from '../../supply/port/port.ts';
import { Breakers } from '../../supply/supply.ts';

/** An eSIM that its supplier is asked to withdraw. */
export interface Withdrawal extends EsimReference {
  /** The order that brought it. */
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

/**
 * Some withdrawals are ruled out by what we know: refills, eSIMs that were refilled (or whose ICCID was sold again), and eSIMs
 * already seen in use. Otherwise the supplier decides: it refuses an eSIM that was installed.
 */
export const mayWithdraw = sql`
  orders.refill_of is null and orders.iccid is not null and orders.withdrawn_at is null
    and not exists (
      select from orders later where later.iccid = orders.iccid and later.id > orders.id and later.status <> 2
    ) and not exists (
      select from usage_readings where usage_readings.iccid = orders.iccid and state <> 'not_active'
    )`;

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

/** Asks suppliers to withdraw eSIMs, within `limitMs`, and does not call silent ones for a while. */
export function supplierWithdrawals(
  { suppliers, supplierLog }: WithdrawalWorld,
  { clock, log, limitMs }: { readonly clock: Clock; readonly log: Log; readonly limitMs: number },
): AskForWithdrawal {
  const breakers = new Breakers(clock, (supplier, change) => {
    if (change === 'opened') log.warn({ supplier }, 'a supplier does not answer about withdrawals');
    else log.info({ supplier }, 'a supplier answers about withdrawals again');
  });

  return async ({ orderId, partnerId, supplier, attempts, ...esim }) => {
    const { withdraw } = await suppliers.of(supplier);
    if (!withdraw) return { outcome: 'refused', reason: `supplier ${supplier} takes nothing back` };
    const call = { orderId, supplier, operation: 'withdraw', request: esim } as const;
    const answer = await breakers.through(
      supplier,
      orderId,
      () => supplierLog.record(call, () => withdraw(esim, limitMs)),
      ({ outcome }) => outcome === 'unavailable',
    );
    return answer ?? { outcome: 'unavailable', reason: `supplier ${supplier} does not answer, so it was not called` };
  };
}
