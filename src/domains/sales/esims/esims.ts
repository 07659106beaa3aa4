import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { bound, type Readers } from '../../../platform/db/replicas.ts';
import type { Catalog, Plan } from '../../catalog/catalog.ts';
import type { Suppliers } from '../../supply/supply.ts';
import { isSuspended, type ProfileRow, profileColumns, profileJoin, profileOf } from './profile.ts';
import {
  type Esim,
  type EsimRules,
  type EsimState,
  isBeingReplaced,
  type KeptReading,
  type ServiceState,
  shownState,
  suspendable,
} from './rules.ts';
import { broughtEsim, isLatest, refilled, type SoldEsim, soldColumns } from './sold.ts';

/** The expression of the index `orders_by_esim_state`: the last known state, which may be outdated. */
export const lastState: Sql = sql`(case when o.withdrawn_at is not null then 'cancelled'
  else coalesce(o.script ->> 'usage', o.usage_state, 'not_active') end)`;

/** In use when it was last read, and its time is up since. A job marks these, so there are few. */
const isOver = (now: Date): Sql =>
  sql`(o.usage_state in ('active', 'depleted') and o.usage_ends_at is not null and o.usage_ends_at <= ${now}::timestamptz)`;

const stillIn = (state: ServiceState, now: Date): Sql =>
  sql`${lastState} = ${state} and (o.usage_ends_at is null or o.usage_ends_at > ${now}::timestamptz)`;

/** eSIMs of real suppliers: they are in the state in which they were last read, until their time is up. */
export const suppliedEsims = (suppliers: Suppliers): EsimRules => ({
  newProfile: 'unknown',
  state: (now) => sql`case when o.withdrawn_at is null and ${isOver(now)} then 'expired' else ${lastState} end`,

  inState(state, now) {
    if (state === 'active' || state === 'depleted') return [stillIn(state, now)];
    if (state !== 'expired') return [sql`${lastState} = ${state}`];
    // An array is found first, and its ids are looked up. A join with these few could begin with all eSIMs of the partner instead.
    const over = sql`o.id = any(array(select o.id from orders o where ${isOver(now)}))`;
    return [sql`${lastState} = 'expired'`, sql`${over} and o.withdrawn_at is null`];
  },

  reading: (_esim, kept) => kept,
  refillsOf: (catalog, esim) => catalog.refillsOf(esim.supplier, esim.supplierPlan),
  isRefillOf: ({ supplier, refills }, esim) =>
    supplier.slug === esim.supplier && refills !== null && refills.includes(esim.supplierPlan),
  acceptsRefills: async ({ state, supplier }) => state !== 'cancelled' && (await suppliers.of(supplier)).sellsRefills,
});

export { coveredBy, type KeptProfile, keepProfile, type ProfileNews, profileOf } from './profile.ts';
export {
  type Capability,
  capabilitiesOf,
  type Esim,
  type EsimProfile,
  type EsimRules,
  type EsimState,
  esimStates,
  isSuspendable,
  type KeptReading,
  type ServiceState,
  shownState,
} from './rules.ts';
export { apnOf, isLatest, planApn, replacedEsims, type SoldEsim, soldEsims } from './sold.ts';
export { serviceSwitch } from './switch.ts';

interface EsimPage {
  readonly limit: number;
  /** Only eSIMs of orders with a smaller id. */
  readonly beforeId: bigint | undefined;
  readonly state: EsimState | undefined;
}

/** One delivered order of an eSIM: the one that delivered it, or a refill. */
export interface EsimOrder {
  readonly id: bigint;
  readonly refillOf: bigint | null;
  readonly productId: string;
  readonly productTitle: string;
  readonly salePrice: Cents;
  readonly status: number;
  readonly reference: string;
  readonly createdAt: Date;
}

/** The eSIMs of one world. No supplier is called: these are the figures we have. */
export type Esims = ReturnType<typeof createEsims>;

/** As `openRefund` decides. One whose refund was requested already is not asked for again. */
const isRefundable: Sql = sql`(o.refunded < o.sale_price and not exists (select from refunds where refunds.order_id = o.id))`;

/** As `openReplacement` decides: its price went back, or it is being taken back. */
const isRefunded: Sql = sql`(o.withdrawn_at is not null or o.cancel_due_at is not null
  or (o.sale_price > 0 and o.refunded >= o.sale_price)
  or exists (select from refunds where refunds.order_id = o.id and refunds.status in ('withdrawing', 'requested')))`;
const replacement: Sql = sql`(
  select status from esim_replacements latest where latest.old_order_id = o.id order by latest.id desc limit 1)`;

type Row = Omit<Esim, 'reading' | 'profile' | 'state'> & { readonly serviceState: ServiceState } & ProfileRow &
  Omit<KeptReading, 'state' | 'fetchedAt'> & { readState: KeptReading['state']; fetchedAt: Date | null };

export function createEsims({ db, reads }: Readers, rules: EsimRules) {
  async function read(on: Queryable, which: Sql, now: Date): Promise<Esim[]> {
    const rows = await on.query<Row>(sql`
      select ${soldColumns}, ${rules.state(now)} as "serviceState", reading.state as "readState", reading.total_mb as "totalMb",
        reading.used_mb as "usedMb", reading.activated_at as "activatedAt", reading.expires_at as "expiresAt",
        reading.fetched_at as "fetchedAt", ${profileColumns}, ${isRefundable} as "isRefundable",
        ${isRefunded} as "isRefunded", ${replacement} as replacement
      from orders o ${refilled} ${profileJoin} left join usage_readings reading on reading.iccid = o.iccid and coalesce(reading.order_id, o.id) = o.id
      where ${broughtEsim} and ${which} order by o.id desc`);
    return rows.map(({ readState, totalMb, usedMb, activatedAt, expiresAt, fetchedAt, ...row }) => {
      const kept = fetchedAt && { state: readState, totalMb, usedMb, activatedAt, expiresAt, fetchedAt };
      const { profileState, brand, model, country, seenAt, serviceState, ...esim } = row;
      const profile = profileOf({ profileState, brand, model, country, seenAt }, rules.newProfile);
      const state = shownState(serviceState, esim.isSuspended);
      return { ...esim, state, profile, reading: rules.reading(esim, kept, now) };
    });
  }

  /** Its replacement has the data of the plan alone. */
  const acceptsRefills = async (esim: Esim) => !isBeingReplaced(esim) && (await rules.acceptsRefills(esim));

  return {
    /** Undefined: the partner has no such eSIM. */
    async find(partnerId: number, iccid: string, now: number): Promise<Esim | undefined> {
      const [esim] = await read(
        db,
        sql`o.iccid = ${iccid} and o.partner_id = ${partnerId} and ${isLatest}`,
        new Date(now),
      );
      return esim;
    },
    /** Newest first. */
    list: (partnerId: number, page: EsimPage, now: number) =>
      read(reads, sql`o.id = any(array(${newestIds(rules, partnerId, page, new Date(now))}))`, new Date(now)),
    /** Newest first. */
    ...bound(db, { ordersOf }),
    /** The plans that can be added to it now. */
    refillsOf: async (catalog: Catalog, esim: Esim): Promise<readonly Plan[]> =>
      (await acceptsRefills(esim)) ? rules.refillsOf(catalog, esim) : [],
    /** Whether this plan, if it is on sale, can be added to it now. */
    mayRefill: async (plan: Plan, esim: Esim) => rules.isRefillOf(plan, esim) && (await acceptsRefills(esim)),
  };
}

/** Each condition is read off its index as far as the page goes, and the page is cut from what they found. */
function newestIds(rules: EsimRules, partnerId: number, { limit, beforeId, state }: EsimPage, now: Date): Sql {
  const before = beforeId === undefined ? nothing : sql`and o.id < ${beforeId}`;
  if (state === 'suspended')
    return sql`
      select o.id from esim_profiles profile join orders o on o.id = profile.order_id ${refilled}
      where profile.partner_id = ${partnerId} and profile.suspended_at is not null and ${broughtEsim}
        and ${rules.state(now)} = any(${suspendable}::text[]) ${before} and ${isLatest}
      order by profile.order_id desc limit ${limit}`;
  const branches = conditionsOf(rules, state, now).map(
    (condition) => sql`(
      select o.id from orders o ${refilled}
      where o.partner_id = ${partnerId} and ${broughtEsim} and ${condition} ${before} and ${isLatest}
      order by o.id desc limit ${limit})`,
  );
  const all = branches.reduce((sofar, branch) => sql`${sofar} union all ${branch}`);
  return sql`select id from (${all}) as matching order by id desc limit ${limit}`;
}

function conditionsOf(rules: EsimRules, state: ServiceState | undefined, now: Date): readonly Sql[] {
  if (state === undefined) return [sql`o.status <> 2`];
  const conditions = rules.inState(state, now);
  return suspendable.includes(state) ? conditions.map((one) => sql`${one} and not ${isSuspended}`) : conditions;
}

const ordersOf = (db: Queryable, { orderId, iccid }: SoldEsim): Promise<EsimOrder[]> =>
  db.query<EsimOrder>(sql`
    select id, refill_of as "refillOf", product_id as "productId", product_title as "productTitle", sale_price as "salePrice",
      status, reference, created_at as "createdAt"
    from orders where iccid = ${iccid} and status = 1 and (id = ${orderId} or refill_of = ${orderId}) order by id desc`);
