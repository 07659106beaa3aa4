import { type EsimRules, lastState, type ServiceState } from '../../domains/sales/esims/esims.ts';
import type { SupplyTerms, Wanted } from '../../domains/sales/purchase/purchase.ts';
import { nextEndAt, type WatchTerms } from '../../domains/sales/usage/usage.ts';
import {
  type EsimReference,
  esimOf,
  iccidOf,
  type OrderAnswer,
  type Supplier,
  type SupplierOrder,
  type UsageReading,
  type UsageState,
} from '../../domains/supply/port/port.ts';
import { type Clock, DAY, SECOND } from '../../platform/clock.ts';
import { type Sql, sql } from '../../platform/db/query/sql.ts';

/** What a purchase asks its sandbox order to play. */
export interface Script {
  readonly scenario: 'success' | 'deferred' | 'failed';
  readonly usage: UsageState;
}

/** What each scenario sends once its order is paid. */
const eventsAhead = {
  success: ['order.delivered'],
  deferred: ['order.deferred', 'order.delivered'],
} as const;

/** A replacement comes as quickly as the eSIM it replaces, and unused. */
export function replacedScript(script: unknown): {
  script: Script;
  eventsAhead: (typeof eventsAhead)[keyof typeof eventsAhead];
} {
  const scenario = (script as Partial<Script> | null)?.scenario === 'deferred' ? 'deferred' : 'success';
  return { script: { scenario, usage: 'not_active' }, eventsAhead: eventsAhead[scenario] };
}

/** What a script changes about a purchase. A scenario that fails is refused before any money moves. */
export function scripted(script: Script): Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'> {
  if (script.scenario === 'failed') return { script, refuse: 'sandbox_scenario' };
  return { script, eventsAhead: eventsAhead[script.scenario] };
}

const scriptedState = sql`(o.script ->> 'usage')`;
const isOver = (now: Date): Sql =>
  sql`o.delivered_at + (o.day + coalesce(refilled.day, 0)) * interval '24 hours' <= ${now}::timestamptz`;

/** The state that `scriptedUsage` results in, as SQL, for lists. */
const stateAt = (now: Date): Sql => sql`case
    when o.withdrawn_at is not null then 'cancelled'
    when ${scriptedState} = 'expired' or (${scriptedState} in ('active', 'depleted') and ${isOver(now)}) then 'expired'
    when ${scriptedState} = 'depleted' and refilled.count = 0 then 'depleted'
    when ${scriptedState} in ('active', 'depleted') then 'active'
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

const DEFERRED_MS = 60 * SECOND;
/** A reserved name: nothing can ever be installed from it. */
const SMDP_ADDRESS = 'sandbox.invalid';
const ICCID_PREFIX = '89000';

/** Plays the script of each order. No supplier is called. */
export function scriptedSupplier(clock: Clock): Supplier {
  return {
    name: 'scripted',
    sellsRefills: true,
    plans: async () => undefined,
    order: async (order) => play(order, order.paidAt.getTime()),
    find: async (order) => play(order, clock.now()),
    usage: async (esim) => ({ outcome: 'reading', reading: scriptedUsage(esim) }),
    withdraw: async (esim) =>
      ((esim.script as Partial<Script> | null)?.usage ?? 'not_active') === 'not_active'
        ? { outcome: 'withdrawn' }
        : { outcome: 'refused', reason: 'it was activated' },
    suspend: async () => ({ outcome: 'done' }),
    resume: async () => ({ outcome: 'done' }),
  };
}

/** No supplier can have an order, and a delivery that is not taken was never paid for. */
export const scriptedSupply: SupplyTerms = { mayHaveOrder: () => false, reportUnsold: () => {} };

/** Where an order's script stands at a time. */
export function play(
  order: Pick<SupplierOrder, 'reference' | 'refillOf' | 'paidAt' | 'script'>,
  now: number,
): OrderAnswer {
  const { scenario } = (order.script ?? {}) as Partial<Script>;
  const supplierOrder = order.reference;
  if (scenario === 'failed') return { outcome: 'refused', reason: 'scripted' };
  const readyAt = order.paidAt.getTime() + (scenario === 'deferred' ? DEFERRED_MS : 0);
  if (now < readyAt) return { outcome: 'pending', supplierOrder, readyAt: new Date(readyAt) };
  if (order.refillOf) return { outcome: 'refilled', supplierOrder };
  return { outcome: 'delivered', supplierOrder, esim: fakeEsim(order.reference) };
}

function fakeEsim(reference: string) {
  const serial = reference.slice(reference.lastIndexOf('-') + 1);
  const matchingId = `SANDBOX-${serial}`;
  const activationCode = `LPA:1$${SMDP_ADDRESS}$${matchingId}`;
  const iccid = iccidOf(ICCID_PREFIX, BigInt(serial));
  return esimOf({ iccid, smdpAddress: SMDP_ADDRESS, matchingId, activationCode, isRoaming: true });
}

const TOTAL_MB = 1024;
const usedMb = { not_active: 0, active: 512, depleted: 1024, expired: 512 } as const satisfies Record<
  UsageState,
  number
>;

/**
 * Activated at delivery, so that it runs out as a real one does. An expired one had ended before it was delivered. Refills add
 * their data and days to it: one that was used up is active again.
 */
function scriptedUsage(esim: EsimReference): UsageReading {
  const { script, day, refilledMb = null, deliveredAt } = esim;
  const scripted = (script as Partial<Script> | null)?.usage ?? 'not_active';
  const validity = day * DAY;
  const delivered = deliveredAt.getTime();
  const activated = { not_active: null, active: delivered, depleted: delivered, expired: delivered - validity - DAY };
  const since = activated[scripted];
  return {
    state: scripted === 'depleted' && refilledMb !== null ? 'active' : scripted,
    totalMb: TOTAL_MB + (refilledMb ?? 0),
    usedMb: usedMb[scripted],
    activatedAt: since === null ? null : new Date(since),
    expiresAt: since === null ? null : new Date(since + validity),
  };
}
