import type { SupplyTerms } from '../../domains/sales/purchase/purchase.ts';
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
import type { Script } from './script.ts';

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
export function scriptedUsage(esim: EsimReference): UsageReading {
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
