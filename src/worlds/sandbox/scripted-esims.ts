import { type EsimRules, lastState, type ServiceState } from '../../domains/sales/esims/esims.ts';
import { nextEndAt, type WatchTerms } from '../../domains/sales/usage/usage.ts';
import { SECOND } from '../../platform/clock.ts';
import { type Sql, sql } from '../../platform/db/query/sql.ts';
import { scriptedUsage } from './scripted-supplier.ts';

const scripted = sql`(o.script ->> 'usage')`;
const isOver = (now: Date): Sql =>
  sql`o.delivered_at + (o.day + coalesce(refilled.day, 0)) * interval '24 hours' <= ${now}::timestamptz`;

/** The state that `scriptedUsage` results in, as SQL, for lists. */
const stateAt = (now: Date): Sql => sql`case
    when o.withdrawn_at is not null then 'cancelled'
    when ${scripted} = 'expired' or (${scripted} in ('active', 'depleted') and ${isOver(now)}) then 'expired'
    when ${scripted} = 'depleted' and refilled.count = 0 then 'depleted'
    when ${scripted} in ('active', 'depleted') then 'active'
    else 'not_active' end`;

/** The scripts that can lead to each state. */
const scriptsOf: Record<ServiceState, readonly ServiceState[]> = {
  not_active: ['not_active'],
  active: ['active', 'depleted'],
  depleted: ['depleted'],
  expired: ['expired', 'active', 'depleted'],
  cancelled: ['cancelled'],
};

/** eSIMs are in the state their script, the account's time and their refills put them in, whether they were read or not. */
export const scriptedEsims: EsimRules = {
  state: stateAt,
  newProfile: 'released',
  inState: (state, now) =>
    scriptsOf[state].map((script) => sql`${lastState} = ${script} and ${stateAt(now)} = ${state}`),
  reading: (esim, _kept, now) => ({ ...scriptedUsage(esim), fetchedAt: now }),
  // Which supplier sells it in live does not matter here: every refill of the destination fits.
  refillsOf: (catalog, { countryCode }) => catalog.refillsFor(countryCode),
  isRefillOf: ({ refills, destination }, { countryCode }) => refills !== null && destination.code === countryCode,
  acceptsRefills: async ({ state }) => state !== 'cancelled' && state !== 'expired',
};

/** The wait when a reading could not be taken. A script always answers, so it was only delayed. */
const DELAYED_MS = 30 * SECOND;

/** Only time and refills change the usage, so there is no need to look for anything else. */
export const scriptedWatch: WatchTerms = {
  spreadMs: 0,
  nextReadingAt: (_sold, usage, now) => (usage ? nextEndAt(usage, now) : now + DELAYED_MS),
};
