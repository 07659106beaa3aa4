import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Suppliers } from '../../supply/supply.ts';
import type { EsimRules, EsimState } from './rules.ts';

/** The expression of the index `orders_by_esim_state`: the last known state, which may be outdated. */
export const lastState: Sql = sql`(case when o.withdrawn_at is not null then 'cancelled'
  else coalesce(o.script ->> 'usage', o.usage_state, 'not_active') end)`;

/** In use when it was last read, and its time is up since. A job marks these, so there are few. */
const isOver = (now: Date): Sql =>
  sql`(o.usage_state in ('active', 'depleted') and o.usage_ends_at is not null and o.usage_ends_at <= ${now}::timestamptz)`;

const stillIn = (state: EsimState, now: Date): Sql =>
  sql`${lastState} = ${state} and (o.usage_ends_at is null or o.usage_ends_at > ${now}::timestamptz)`;

/** eSIMs of real suppliers: they are in the state in which they were last read, until their time is up. */
export const suppliedEsims = (suppliers: Suppliers): EsimRules => ({
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
