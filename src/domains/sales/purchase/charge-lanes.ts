/*
 * Which purchases share a transaction, and which wait for which.
 *
 * A charge takes the row lock of the partner's wallet (see charge.ts). That lock is the one point where the purchases of a
 * partner queue up, in this process and in every other. Two things follow, and this file deals with both.
 *
 * 1. One transaction per purchase would waste most of its time on round trips and commits. So purchases that arrive while a
 *    transaction is running are collected and charged together in the next one, whichever partners they belong to (platform/db/query/batch.ts, at
 *    most MAX_BATCH at a time). Inside the batch each purchase of a wallet sees what the one before it left.
 *
 * 2. If such a batch waited for a locked wallet, all partners in it would wait for one. So the batch takes only the wallets
 *    it gets at once (`for update skip locked`) and reports the purchases of the others as `busy`. Those go to a lane: a
 *    batcher of that partner alone, whose transaction does wait for the lock.
 *
 *        purchase ──► fast batch, never waits ──► charged
 *                        │ busy
 *                        └──► lane of its partner, waits up to TWIN_WAIT_MS ──► charged
 *                                 │ lock not free in time
 *                                 └──► charge_in_progress
 *
 *    A purchase whose request has run out of time while it waited leaves without being charged (`late`).
 *
 *    A batch goes to the lane of its partner at once: many orders in one transaction would keep the others waiting. So does a
 *    purchase with limits, which have to be summed up (limits.ts).
 *
 *    While a partner has a lane, its new purchases go there directly: the fast batch would find the wallet held again, and
 *    those already waiting should be served first. The last user of a lane removes it.
 *
 * Who holds a wallet long enough to be noticed? Another process with its own batch (milliseconds), a refund, a settlement, an
 * operator's command, or a transaction whose process has just died and whose connection the server has not closed yet. Only the
 * last can exceed the wait. The buyer then gets 409 `charge_in_progress` and retries with the same key; nothing was written.
 *
 * A charge the ledger refuses (`ChargeNotWritten`: a constraint or trigger said no, which is a bug or a damaged row) was rolled
 * back. On a credit line the contract wants the order on record as failed, so the purchase runs again with `refuse` set; on a
 * wallet it leaves no trace, and a batch never does. The batcher runs a rolled-back batch again one purchase at a time, so a bad
 * purchase fails alone.
 */
import { SECOND } from '../../../platform/clock.ts';
import { type Db, sqlState } from '../../../platform/db/database.ts';
import { type Batched, batcher } from '../../../platform/db/query/batch.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import { isTracing, traceparent } from '../../../platform/traces/traces.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { type Bundle, type Charged, ChargeNotWritten, chargeAll } from './charge.ts';
import type { Wanted } from './decide.ts';

/** How long a request waits for the wallet, or for the outcome of a duplicate request (the same key, sent twice). */
export const TWIN_WAIT_MS = 5 * SECOND;
const MAX_BATCH = 64;
const LOCK_NOT_AVAILABLE = '55P03';

/** `Charged` without `busy`, which never leaves this file, and with the outcome of those that could not be charged. */
export type LaneOutcome =
  | Exclude<Charged, { outcome: 'busy' }>
  | { readonly outcome: 'charge_in_progress' }
  | { readonly outcome: 'credit_refused' }
  | { readonly outcome: 'not_written' };

export interface ChargeWorld {
  readonly db: Db;
  readonly webhooks: Webhooks;
  readonly provisioning: { firstDueAt(paidAt: Date): Date };
}

export type Lanes = ReturnType<typeof openLanes>;

export function openLanes(world: ChargeWorld, { log }: { log: Log }) {
  const { db, webhooks } = world;
  const parts = { webhooks, firstDueAt: world.provisioning.firstDueAt };
  const limits = { max: MAX_BATCH, sizeOf: (members: Bundle) => members.length };
  const fast = batcher<Bundle, readonly Charged[]>(
    withoutLate((batch) => db.tx((tx) => chargeAll(tx, parts, batch, { wait: false }))),
    limits,
  );
  const lanes = new Map<number, { take: Batched<Bundle, readonly Charged[]>; users: number }>();

  const chargeWaiting = withoutLate((batch) =>
    db.tx(async (tx) => {
      // Sent together: the first statement runs before the locks are waited for.
      const [, charged] = await Promise.all([
        tx.run(sql`select set_config('lock_timeout', ${String(TWIN_WAIT_MS)}, true)`),
        chargeAll(tx, parts, batch, { wait: true }),
      ]);
      return charged;
    }),
  );

  async function inLane(bundle: Bundle): Promise<readonly LaneOutcome[]> {
    const { partnerId } = bundle[0];
    const lane = lanes.get(partnerId) ?? { take: batcher(chargeWaiting, limits), users: 0 };
    lanes.set(partnerId, lane);
    lane.users++;
    try {
      const charged = await lane.take(bundle);
      return charged.map((one) => (one.outcome === 'busy' ? { outcome: 'charge_in_progress' } : one));
    } catch (error) {
      if (sqlState(error) === LOCK_NOT_AVAILABLE) return [{ outcome: 'charge_in_progress' }];
      throw error;
    } finally {
      if (--lane.users === 0) lanes.delete(partnerId);
    }
  }

  async function charged(wanted: Wanted): Promise<LaneOutcome> {
    const isLimited = wanted.limits !== undefined && wanted.limits.length > 0;
    if (!isLimited && !lanes.has(wanted.partnerId)) {
      const [tried] = (await fast([wanted])) as [Charged];
      if (tried.outcome !== 'busy') return tried;
    }
    const [waited] = (await inLane([wanted])) as [LaneOutcome];
    return waited;
  }

  /** Undefined: the ledger did not refuse it. */
  function unwritten(error: unknown, { partnerId }: Wanted): ChargeNotWritten | undefined {
    if (!(error instanceof ChargeNotWritten)) return undefined;
    log.error({ err: error, partnerId }, 'a charge could not be written');
    return error;
  }

  return {
    /** Charges one purchase, in whichever transaction it ends up. */
    async one(given: Wanted): Promise<LaneOutcome> {
      const wanted = withCause(given);
      try {
        return await charged(wanted);
      } catch (error) {
        const refused = unwritten(error, wanted);
        if (!refused) throw error;
        return refused.onCredit ? charged({ ...wanted, refuse: 'credit_charge_failed' }) : { outcome: 'not_written' };
      }
    },
    /** Charges all members or none: the outcome of each, or the one of all. */
    async batch(members: Bundle): Promise<readonly LaneOutcome[]> {
      try {
        return await inLane(members.map(withCause) as unknown as Bundle);
      } catch (error) {
        const refused = unwritten(error, members[0]);
        if (!refused) throw error;
        return [{ outcome: refused.onCredit ? 'credit_refused' : 'not_written' }];
      }
    },
  };
}

/** Requests are charged together, so each brings along where it belongs. */
const withCause = (wanted: Wanted): Wanted => (isTracing() ? { ...wanted, cause: traceparent() } : wanted);

type ChargeBatch = (batch: readonly Bundle[]) => Promise<readonly (readonly Charged[])[]>;

/**
 * Charges those that still have time. While the database is slow, a long queue is mostly purchases that nobody waits for any more.
 */
function withoutLate(charge: ChargeBatch): ChargeBatch {
  return async (batch) => {
    const inTime = batch.filter(([{ budget }]) => !budget?.isSpent);
    if (inTime.length === batch.length) return charge(batch);
    const charged = new Map(inTime.length === 0 ? [] : (await charge(inTime)).map((one, i) => [inTime[i], one]));
    return batch.map((bundle) => charged.get(bundle) ?? [{ outcome: 'late' }]);
  };
}
