/*
 * Suspending and resuming the service of an eSIM at its supplier.
 *
 * Three steps: a mark in a short transaction, the call outside any, and the outcome with its event in a second transaction
 * (domains/sales/esims/switch.ts has the rows). A process that dies in between leaves the mark, which runs out. The next request then
 * asks the supplier again, which is safe: an eSIM that is already in the wanted state is answered as switched.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import type { SupplierLog } from '../../supply/calls/calls.ts';
import type { EsimReference, Supplier } from '../../supply/port/port.ts';
import { type Esim, isSuspendable, serviceSwitch } from '../esims/esims.ts';
import { publishPhoneEvents } from '../usage/usage.ts';

type SwitchOutcome =
  /** It is as wanted, now or before. */
  | 'done'
  /** Its account was reset. */
  | 'not_found'
  /** It has expired, was cancelled, or was replaced and stays off. */
  | 'not_active'
  /** Its supplier cannot, or does not with this eSIM. */
  | 'not_supported'
  /** No answer: it may be switched or not. Asking again completes it. */
  | 'unavailable';

/** The suspensions of one world. Asking again changes nothing. */
export type Suspensions = ReturnType<typeof createSuspensions>;

/** The part of a world they work in. */
interface SuspensionWorld {
  readonly db: Db;
  readonly suppliers: { of(slug: string): Promise<Pick<Supplier, 'suspend' | 'resume'>> };
  readonly supplierLog: Pick<SupplierLog, 'record'>;
  readonly webhooks: Pick<Webhooks, 'publish'>;
}

const LIMIT_MS = 5 * SECOND;
/** Longer than the call may take: then another process may ask. */
const MARK_MS = LIMIT_MS + 3 * SECOND;
const POLL_MS = 100;

type Ask = NonNullable<Supplier['suspend']>;

const operations = {
  suspend: { isSuspended: true, event: 'esim.suspended' },
  resume: { isSuspended: false, event: 'esim.resumed' },
} as const;

export function createSuspensions(world: SuspensionWorld, { clock, log }: { clock: Clock; log: Log }) {
  const { db, suppliers, supplierLog, webhooks } = world;

  async function carryOut(esim: Esim, operation: keyof typeof operations, now: number): Promise<SwitchOutcome> {
    if (!isSuspendable(esim)) return 'not_active';
    const { [operation]: ask } = await suppliers.of(esim.supplier);
    if (!ask) return 'not_supported';
    const { isSuspended, event } = operations[operation];
    for (let waitedMs = 0; waitedMs < MARK_MS; waitedMs += POLL_MS) {
      const until = new Date(clock.now() + MARK_MS);
      const begun = await db.tx((tx) => serviceSwitch.begin(tx, esim, isSuspended, new Date(clock.now()), until));
      if (begun === 'settled') return 'done';
      if (begun === 'gone') return 'not_found';
      if (begun === 'replaced') return 'not_active';
      if (begun !== 'busy') return switchMarked(ask, until, begun.isOpen);
      await wait(POLL_MS);
    }
    return 'unavailable';

    async function switchMarked(ask: Ask, until: Date, isOpen: boolean): Promise<SwitchOutcome> {
      const { orderId, supplier } = esim;
      const request = referenceTo(esim);
      const call = { orderId, supplier, operation, request };
      const answer = await supplierLog.record(call, () => ask(request, LIMIT_MS));
      if (answer.outcome !== 'done') {
        log.info({ orderId: orderId.toString(), supplier, operation, ...answer }, 'an eSIM was not switched');
        const isRefused = answer.outcome === 'refused';
        await serviceSwitch.release(db, esim, until, isOpen || !isRefused);
        return isRefused ? 'not_supported' : 'unavailable';
      }
      return db.tx(async (tx) => {
        const ended = await serviceSwitch.end(tx, esim, until, isSuspended, new Date(now));
        if (!ended) return 'unavailable';
        const occasion = String(ended.switches);
        if (ended.isChanged) await publishPhoneEvents(tx, webhooks, esim, esim.profile, [{ event, occasion }], now);
        return 'done';
      });
    }
  }

  return {
    /** Whether the supplier of this eSIM suspends and resumes eSIMs. */
    async isSupported({ supplier }: Pick<Esim, 'supplier'>): Promise<boolean> {
      const { suspend, resume } = await suppliers.of(supplier);
      return suspend !== undefined && resume !== undefined;
    },
    suspend: (esim: Esim, now: number) => carryOut(esim, 'suspend', now),
    resume: (esim: Esim, now: number) => carryOut(esim, 'resume', now),
  };
}

const referenceTo = (esim: Esim): EsimReference => ({
  iccid: esim.iccid,
  supplierOrder: esim.supplierOrder,
  day: esim.day,
  refilledMb: esim.refilledMb ?? null,
  amountMb: esim.amountMb,
  deliveredAt: esim.deliveredAt,
  script: esim.script,
});
