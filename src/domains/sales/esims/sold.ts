import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { OperatorMeta } from '../../catalog/catalog.ts';
import type { Esim, EsimReference } from '../../supply/port/port.ts';

/** An eSIM by the order that delivered it. Data and days are those of that order and of its refills together. */
export interface SoldEsim extends EsimReference {
  readonly partnerId: number;
  readonly orderId: bigint;
  readonly reference: string;
  readonly productId: string;
  readonly productTitle: string;
  readonly countryCode: string;
  readonly supplier: string;
  readonly supplierPlan: string;
  readonly amountMb: number;
  readonly isUnlimited: boolean;
  /** How many refills were delivered. */
  readonly refills: number;
}

/** What the delivered refills of eSIM `o` add up to. They carry its ICCID, so they are found by the index of ICCIDs. */
export const refilled: Sql = sql`
  left join lateral (
    select count(*)::int as count, sum(refill.amount_mb)::int as amount_mb, sum(refill.day)::int as day,
      coalesce(bool_or(refill.is_unlimited), false) as is_unlimited
    from orders refill where refill.iccid = o.iccid and refill.refill_of = o.id and refill.status = 1
  ) refilled on true`;

export const soldColumns: Sql = sql`
  o.id as "orderId", o.partner_id as "partnerId", o.iccid, o.reference, o.product_id as "productId", o.product_title as "productTitle",
  o.country_code as "countryCode", o.supplier, o.supplier_plan as "supplierPlan", o.supplier_order as "supplierOrder",
  o.day + coalesce(refilled.day, 0) as day, o.amount_mb + coalesce(refilled.amount_mb, 0) as "amountMb",
  o.is_unlimited or refilled.is_unlimited as "isUnlimited", refilled.count as refills,
  refilled.amount_mb as "refilledMb", o.delivered_at as "deliveredAt", o.script`;

/** Orders `o` that delivered an eSIM. A refill has an eSIM's ICCID but delivers none. */
export const broughtEsim: Sql = sql`o.status = 1 and o.refill_of is null`;

/** An ICCID that a supplier uses again belongs to its latest order. */
export const isLatest: Sql = sql`not exists (
  select from orders later where later.iccid = o.iccid and later.id > o.id and later.status = 1 and later.refill_of is null)`;

/** Sold eSIMs `o`, newest first. */
export const soldEsims = (db: Queryable, which: Sql): Promise<SoldEsim[]> =>
  db.query<SoldEsim>(
    sql`select ${soldColumns} from orders o ${refilled} where ${broughtEsim} and ${which} order by o.id desc`,
  );

/** How a phone gets its access point name. */
interface Apn {
  readonly type: string | null;
  readonly value: string | null;
}

/** What a plan says about all its eSIMs. If the phone finds the name by itself, there is nothing to type in. */
export const planApn = ({ apn_type: type, apn_value: value }: Pick<OperatorMeta, 'apn_type' | 'apn_value'>) => ({
  type,
  value: type === 'automatic' ? null : value || null,
});

/**
 * The same wherever it is shown: the eSIM's own data, completed by the plan's. If the eSIM says how the name is
 * set, the plan's name is not used: it could contradict that.
 */
export function apnOf(
  esim: Pick<Esim, 'apn' | 'apnType' | 'apnValue'> | null,
  meta: Pick<OperatorMeta, 'apn_type' | 'apn_value'> | undefined,
): Apn {
  const own = esim?.apnValue || esim?.apn || null;
  if (esim?.apnType) return { type: esim.apnType, value: own };
  const plan = meta && planApn(meta);
  return { type: plan?.type ?? null, value: own ?? plan?.value ?? null };
}

/*
 * An order whose eSIM was replaced, and the free order that replaced it, seen from either end. An eSIM that replaced another can be
 * replaced itself, so both follow the chain. A replacement is younger than what it replaces: the largest id is the last.
 */

/** `replaced`: its successor is delivered. `placed`: it is at least ordered. */
const statuses = { replaced: sql`('replaced')`, placed: sql`('pending', 'replaced')` };

const chain = (id: Sql, which: keyof typeof statuses): Sql => sql`
  with recursive brought (id) as (
    select ${id}::bigint
    union all
    select replaced.order_id from brought
    join esim_replacements replaced on replaced.old_order_id = brought.id and replaced.status in ${statuses[which]}
  )`;

/** The order whose eSIM stands in for that of order `id`: the last one that replaced it, or the order itself. */
const lastInPlaceOf = (id: Sql, which: keyof typeof statuses): Sql =>
  sql`(${chain(id, which)} select max(id) from brought)`;

/** Whether all eSIMs that others replaced for order `id`, or are ordered to replace, were withdrawn. */
const areFormerWithdrawn = (id: Sql): Sql => sql`not exists (
  ${chain(id, 'placed')}
  select from brought join orders former on former.id = brought.id
  where former.withdrawn_at is null and brought.id < (select max(id) from brought))`;

export const replacedEsims = { lastInPlaceOf, areFormerWithdrawn };
