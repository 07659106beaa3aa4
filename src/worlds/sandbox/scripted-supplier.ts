import { type Clock, DAY, SECOND } from '../../clock.ts';
import { iccidOf } from '../../suppliers/iccid.ts';
import {
  appleInstallUrl,
  type EsimReference,
  type OrderAnswer,
  type Supplier,
  type SupplierOrder,
  type UsageReading,
  type UsageState,
} from '../../suppliers/supplier.ts';

/** What a purchase asked its order to play. */
export interface Script {
  readonly scenario?: 'success' | 'deferred' | 'failed';
  readonly usage?: UsageState;
}

const DEFERRED_MS = 60 * SECOND;
/** A reserved name: nothing can ever be installed from it. */
const SMDP_ADDRESS = 'sandbox.invalid';
const ICCID_PREFIX = '89000';

/** Plays the script of each order; nobody is called. */
export function scriptedSupplier(clock: Clock): Supplier {
  async function play(order: SupplierOrder): Promise<OrderAnswer> {
    const { scenario } = (order.script ?? {}) as Script;
    const supplierOrder = order.reference;
    if (scenario === 'failed') return { outcome: 'refused', reason: 'scripted' };
    const readyAt = order.paidAt.getTime() + (scenario === 'deferred' ? DEFERRED_MS : 0);
    if (clock.now() < readyAt) return { outcome: 'pending', supplierOrder, readyAt: new Date(readyAt) };
    return { outcome: 'delivered', supplierOrder, esim: fakeEsim(order.reference) };
  }

  return {
    name: 'scripted',
    plans: async () => undefined,
    order: play,
    find: play,
    usage: async (esim) => ({ outcome: 'reading', reading: scriptedUsage(esim, clock.now()) }),
  };
}

function fakeEsim(reference: string) {
  const serial = reference.slice(reference.lastIndexOf('-') + 1);
  const matchingId = `SANDBOX-${serial}`;
  const activationCode = `LPA:1$${SMDP_ADDRESS}$${matchingId}`;
  return {
    iccid: iccidOf(ICCID_PREFIX, BigInt(serial)),
    smdpAddress: SMDP_ADDRESS,
    matchingId,
    activationCode,
    appleUrl: appleInstallUrl(activationCode),
    confirmationCode: null,
    msisdn: null,
    apn: null,
    apnType: 'automatic',
    apnValue: null,
    isRoaming: true,
  };
}

const TOTAL_MB = 1024;
const usedMb = { not_active: 0, active: 512, depleted: 1024, expired: 512 } as const satisfies Record<
  UsageState,
  number
>;

function scriptedUsage(esim: EsimReference, now: number): UsageReading {
  const state = (esim.script as Script | null)?.usage ?? 'not_active';
  const validity = esim.day * DAY;
  const delivered = esim.deliveredAt.getTime();
  // The state is the script's for as long as the order lives, so validity starts where it keeps that state true.
  const activated = { not_active: null, active: now, depleted: now, expired: delivered - validity - DAY }[state];
  return {
    state,
    totalMb: TOTAL_MB,
    usedMb: usedMb[state],
    activatedAt: activated === null ? null : new Date(Math.min(activated, delivered)),
    expiresAt: activated === null ? null : new Date(activated + validity),
  };
}
