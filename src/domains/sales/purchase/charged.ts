import { formatMicros, type Micros } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import type { PaidOrder } from './supplier-calls.ts';

/** Called with the supplier, and whether it charged more or less than we expected. */
export type CountDifference = (supplier: string, direction: 'higher' | 'lower') => void;

/**
 * Reports an order whose supplier charged a different price than the sale was calculated with. The price is on the order in any
 * case. An expected cost of zero was not known when it was sold, so there is nothing to compare.
 */
export function reportCharge(
  { id, supplier, supplierPlan, cost }: PaidOrder,
  charged: Micros | undefined,
  { log, countChargeDifference }: { readonly log: Log; readonly countChargeDifference?: CountDifference },
): void {
  if (charged === undefined || charged === cost || cost === 0n) return;
  countChargeDifference?.(supplier, charged > cost ? 'higher' : 'lower');
  log.warn(
    {
      orderId: id.toString(),
      supplier,
      plan: supplierPlan,
      expected: formatMicros(cost),
      charged: formatMicros(charged),
    },
    'the supplier charged another price than expected: see `supplier charges`',
  );
}

/** An order whose supplier charged another price than we expected. */
export interface ChargeDifference {
  readonly orderId: bigint;
  readonly partnerId: number;
  readonly supplier: string;
  readonly supplierPlan: string;
  readonly supplierOrder: string | null;
  readonly expected: Micros;
  readonly charged: Micros;
  readonly deliveredAt: Date | null;
}

/** Newest first. On the owner's connection. */
export function chargeDifferences(
  db: Queryable,
  { supplier, limit }: { readonly supplier: string | undefined; readonly limit: number },
): Promise<ChargeDifference[]> {
  return db.query<ChargeDifference>(sql`
    select id as "orderId", partner_id as "partnerId", supplier, supplier_plan as "supplierPlan",
      supplier_order as "supplierOrder", cost_micros as expected, charged_micros as charged, delivered_at as "deliveredAt"
    from live.orders
    where charged_micros <> cost_micros and cost_micros > 0 ${supplier === undefined ? nothing : sql`and supplier = ${supplier}`}
    order by id desc limit ${limit}`);
}
