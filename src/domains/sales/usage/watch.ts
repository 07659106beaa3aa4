import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Db } from '../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../platform/db/query/account-time.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import { esimWatch, type Webhooks } from '../../messages/webhooks/webhooks.ts';
import type { Supplier } from '../../supply/port/port.ts';
import { autorefillRows } from '../autorefill-rows/autorefill-rows.ts';
import { isLatest, type KeptReading, type SoldEsim, soldEsims } from '../esims/esims.ts';
import { usageMarks } from '../orders/orders.ts';
import { usageOf } from './figures.ts';
import type { WatchTerms } from './next-reading.ts';
import { publishNewEvents } from './publish-events.ts';

/** Longer than one batch takes. If a process dies, its rows fall due again when the lease expires. */
const LEASE_MS = 5 * MINUTE;
/** Orders that a job looks through at a time for a partner whose subscriptions have begun to name eSIM events. */
const BACKLOG_BATCH = 500;

interface Watched {
  readonly orderId: bigint;
  readonly lease: Date;
  /** False: no subscription names eSIM events any more, and it does not refill itself; or the eSIM is gone. */
  readonly isWatched: boolean;
  /** At which percent of its data it refills itself; null: it does not. */
  readonly refillAt: number | null;
  /** How far the account's clock is ahead. */
  readonly aheadMs: number;
}

/** Suppliers with a reading that is due. The index is one sorted list per supplier, and this jumps from one to the next. */
export async function dueSuppliers(db: Db, now: Date): Promise<string[]> {
  const rows = await db.query<{ supplier: string }>(sql`
    with recursive lane as (
      (select supplier, watch_due_at from orders where watch_due_at is not null order by supplier, watch_due_at limit 1)
      union all
      select next.supplier, next.watch_due_at from lane cross join lateral (
        select supplier, watch_due_at from orders where watch_due_at is not null and supplier > lane.supplier
        order by supplier, watch_due_at limit 1
      ) as next
    )
    select supplier from lane where watch_due_at <= ${now}`);
  return rows.map(({ supplier }) => supplier);
}

/** Claims due readings of one supplier by moving their due time to the end of the lease. */
export async function claimDue(db: Db, supplier: string, limit: number, now: number): Promise<Watched[]> {
  const lease = new Date(now + LEASE_MS);
  const rows = await db.query<Omit<Watched, 'lease'>>(sql`
    ${usageMarks.claim(supplier, new Date(now), lease, limit)}
    returning id as "orderId", ${autorefillRows.markOf(sql`orders.id`)} as "refillAt",
      withdrawn_at is null and (${esimWatch.isWanted(sql`orders.partner_id`)} or ${autorefillRows.isAtWork(sql`orders.id`)}) as "isWatched",
      extract(epoch from ${aheadOfRealTime(sql`orders.partner_id`)})::float8 * 1000 as "aheadMs"`);
  return rows.map((row) => ({ ...row, lease }));
}

/** Starts to watch a batch of earlier eSIMs of such a partner, newest first; returns how many orders it went through. */
function takeUp(db: Db, now: number, spreadMs: number): Promise<number> {
  return db.tx(async (tx) => {
    const open = await esimWatch.nextBacklog(tx);
    if (!open) return 0;
    const orders = await tx.query<{ id: bigint }>(sql`
      select id from orders where partner_id = ${open.partnerId} and status <> 2 and id < ${open.beforeId}
      order by id desc limit ${BACKLOG_BATCH}`);
    await usageMarks.begin(
      tx,
      orders.map(({ id }) => id),
      new Date(now),
      spreadMs,
    );
    const last = orders.length < BACKLOG_BATCH ? 0n : (orders.at(-1)?.id ?? 0n);
    await esimWatch.setBacklog(tx, open.partnerId, last);
    return Math.max(1, orders.length);
  });
}

interface WatcherWorld {
  readonly db: Db;
  readonly suppliers: { of(slug: string): Promise<Pick<Supplier, 'usagePerSecond'>> };
  readonly webhooks: Pick<Webhooks, 'publish'>;
  readonly watchTerms: WatchTerms;
}

interface WatcherParts {
  readonly clock: Clock;
  /** The reading of an eSIM, kept or new. Undefined: its supplier gives none. */
  read(sold: SoldEsim, time: Clock): Promise<KeptReading | undefined>;
}

const AT_ONCE = 4;
/** Rows claimed at a time: no more than are read long before the lease ends. */
const MAX_CLAIM = 40;
const CLAIM_SECONDS = 10;
/**
 * Consecutive unanswered readings after which a supplier is skipped: the rest of the claimed rows wait until their lease expires.
 */
const SILENT_AFTER = 8;
/** The wait when the account has no room for the events. */
const HELD_UP_MS = 30 * SECOND;

/**
 * Reads eSIMs that are due: all suppliers side by side, each no faster than it allows. A reading and its events are written in one
 * transaction, and only then is the row rescheduled. If a process is killed in between, the row stays leased and is read again;
 * published events are on record, so none is published twice.
 */
export function createWatcher(world: WatcherWorld, { clock, read }: WatcherParts) {
  const { db, suppliers, webhooks, watchTerms } = world;

  async function readSupplier(supplier: string, signal: AbortSignal | undefined): Promise<number> {
    const perSecond = (await suppliers.of(supplier)).usagePerSecond ?? Number.POSITIVE_INFINITY;
    const limit = Math.max(1, Math.min(MAX_CLAIM, Math.floor(perSecond * CLAIM_SECONDS)));
    const claimed = await claimDue(db, supplier, limit, clock.now());
    const wanted = claimed.filter(({ isWatched }) => isWatched);
    const sold = await soldEsims(
      db,
      sql`o.id = any(${wanted.map(({ orderId }) => orderId)}::bigint[]) and ${isLatest}`,
    );
    const esims = new Map(sold.map((esim) => [esim.orderId, esim]));
    const watched = wanted.filter(({ orderId }) => esims.has(orderId));
    const given = claimed.filter((row) => !watched.includes(row));
    await usageMarks.putOff(
      db,
      given.map((row) => ({ ...row, next: null })),
    );
    let unanswered = 0;
    for (let i = 0; i < watched.length && unanswered < SILENT_AFTER && !signal?.aborted; i += AT_ONCE) {
      const some = watched.slice(i, i + AT_ONCE);
      const read = await Promise.all(
        some.map(async (row) => ({ ...row, ...(await readOne(row, esims.get(row.orderId) as SoldEsim)) })),
      );
      await usageMarks.putOff(db, read);
      unanswered = read.some(({ isAnswered }) => isAnswered) ? 0 : unanswered + read.length;
      const restMs = (some.length * SECOND) / perSecond;
      if (restMs > 0) await wait(restMs, undefined, signal && { signal }).catch(() => {});
    }
    return claimed.length;
  }

  /** `next`: when it is to be read next, in real time; null: no more. */
  async function readOne(
    { aheadMs, refillAt }: Watched,
    sold: SoldEsim,
  ): Promise<{ readonly isAnswered: boolean; readonly next: Date | null }> {
    const time: Clock = { now: () => clock.now() + aheadMs };
    const reading = await read(sold, time);
    const now = time.now();
    const usage = reading && usageOf(sold, reading, now);
    // The events of a fresh reading were published when it was taken; those that time alone has triggered since were not.
    const isPublished = !usage || (await db.tx((tx) => publishKept(tx, usage)));
    const isAnswered = usage !== undefined;
    if (!isPublished) return { isAnswered, next: new Date(clock.now() + HELD_UP_MS) };
    const next = watchTerms.nextReadingAt(sold, usage, now, refillAt);
    return { isAnswered, next: next === undefined ? null : new Date(next - aheadMs) };

    async function publishKept(
      tx: Parameters<typeof publishNewEvents>[0],
      kept: NonNullable<typeof usage>,
    ): Promise<boolean> {
      await tx.run(sql`select from usage_readings where iccid = ${sold.iccid} for update`);
      return publishNewEvents(tx, webhooks, sold, kept, now);
    }
  }

  return {
    async readDue(signal?: AbortSignal): Promise<number> {
      const taken = await takeUp(db, clock.now(), watchTerms.spreadMs);
      const due = await dueSuppliers(db, new Date(clock.now()));
      const read = await Promise.all(due.map((supplier) => readSupplier(supplier, signal)));
      return read.reduce((sum, count) => sum + count, taken);
    },
  };
}

interface WatchedWorld {
  readonly schema: Mode;
  readonly usage: { readDue(signal?: AbortSignal): Promise<number> };
}

/** Reads the usage of watched eSIMs. */
export const watchJob = ({ schema, usage }: WatchedWorld): Job => ({
  name: `watch ${schema}`,
  everyMs: SECOND,
  run: (signal) => usage.readDue(signal),
});

const EXPIRED_AT_ONCE = 500;

/** Marks eSIMs that have expired since their last reading, so that lists of one state stay short to read. */
export const usageStatesJob = ({ db }: { readonly db: Db }, clock: Clock): Job => ({
  name: 'usage states',
  everyMs: MINUTE,
  run: () => usageMarks.expire(db, new Date(clock.now()), EXPIRED_AT_ONCE),
});
