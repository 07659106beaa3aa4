import type { Cents } from '../../../platform/amounts/cents.ts';
import { HOUR } from '../../../platform/clock.ts';
import { ago, counted } from '../../../platform/db/alerts.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { PRICING_CHANNEL } from '../../catalog/prices/prices.ts';
import type { Payment } from './cards.ts';
import type { TopupState } from './outcome.ts';

export interface Topup extends TopupState {
  readonly id: bigint;
  readonly partnerId: number;
  readonly provider: string;
  readonly intentId: string | null;
  readonly mismatch: string | null;
  readonly refunded: Cents;
  readonly disputed: Cents;
  readonly revision: number;
  /** When it was credited or given up. */
  readonly closedAt: Date | null;
}

const columns = sql`id, partner_id as "partnerId", payment_key as "paymentKey", provider, intent_id as "intentId", amount,
  currency, status, mismatch, refunded, disputed, recovered, revision, created_at as "createdAt", closed_at as "closedAt"`;

export async function recordTopup(
  db: Db,
  topup: Payment & { partnerId: number; provider: string; createdAt: Date; checkDueAt: Date },
): Promise<bigint> {
  const { id } = await db.one<{ id: bigint }>(sql`
    insert into topups (partner_id, payment_key, provider, amount, currency, created_at, check_due_at)
    values (${topup.partnerId}, ${topup.paymentKey}, ${topup.provider}, ${topup.amount}, ${topup.currency},
      ${topup.createdAt}, ${topup.checkDueAt})
    returning id`);
  return id;
}

/** False when the top-up was closed, or given an intent, in the meantime. */
export async function storeIntent(db: Db, id: bigint, intentId: string): Promise<boolean> {
  const stored = await db.run(sql`
    update topups set intent_id = ${intentId}
    where id = ${id} and status = 'requires_payment' and intent_id is null`);
  return stored === 1;
}

/** The provider refused to open it, so there is nothing to pay. */
export async function refuseTopup(db: Db, id: bigint, at: Date): Promise<void> {
  await db.run(sql`
    update topups set status = 'failed', closed_at = ${at}, check_due_at = null
    where id = ${id} and status = 'requires_payment' and intent_id is null`);
}

export function findTopup(db: Db, paymentKey: string, partnerId?: number): Promise<Topup | undefined> {
  const mine = partnerId === undefined ? sql`` : sql`and partner_id = ${partnerId}`;
  return db.maybe(sql`select ${columns} from topups where payment_key = ${paymentKey} ${mine}`);
}

export async function rereadTopup(db: Db, id: bigint): Promise<Topup> {
  return stillThere(await db.maybe(sql`select ${columns} from topups where id = ${id}`));
}

export async function lockTopup(tx: Tx, id: bigint): Promise<Topup> {
  return stillThere(await tx.maybe(sql`select ${columns} from topups where id = ${id} for update`));
}

/** Its world was reset while one of its top-ups was being confirmed. */
export class TopupGone extends Error {}

function stillThere(topup: Topup | undefined): Topup {
  if (!topup) throw new TopupGone('the top-up is gone');
  return topup;
}

/** Its partner's prices are read again: they depend on what was topped up and not returned. */
export async function writeOutcome(
  tx: Tx,
  id: bigint,
  now: Pick<Topup, 'status' | 'mismatch' | 'refunded' | 'disputed' | 'recovered'> & { intentId: string; at: Date },
): Promise<void> {
  // One that was given up and then paid is closed when it is credited.
  await tx.run(sql`
    with written as (
      update topups set status = ${now.status}, mismatch = ${now.mismatch}, refunded = ${now.refunded},
        disputed = ${now.disputed}, recovered = ${now.recovered}, intent_id = coalesce(intent_id, ${now.intentId}),
        closed_at = case when ${now.status} = status then closed_at when ${now.status} <> 'requires_payment' then ${now.at}::timestamptz end,
        revision = revision + 1
      where id = ${id} returning partner_id
    )
    select pg_notify(${PRICING_CHANNEL}, partner_id::text) from written`);
}

/** Notifies every process that a check is due at once. */
export const TOPUPS_CHANNEL = 'wayfare_topups';

/** Something happened to a payment, so the job looks at once. False: it is not one of ours. */
export async function expediteCheck(
  db: Queryable,
  which: { provider: string; intentId?: string | undefined; paymentKey?: string | undefined },
  now: Date,
): Promise<boolean> {
  const changed = await db.run(sql`
    with expedited as (
      update topups set check_due_at = ${now}
      where provider = ${which.provider}
        and (intent_id = ${which.intentId ?? null} or payment_key = ${which.paymentKey ?? null})
      returning id
    )
    select pg_notify(${TOPUPS_CHANNEL}, '') from expedited limit 1`);
  return changed > 0;
}

/**
 * Claims due rows by moving their due time ahead, so a process that dies with them loses nothing. The wait grows with the age
 * of the top-up: an abandoned one is checked about ten times before it expires.
 */
export function claimDue(
  db: Db,
  provider: string,
  now: Date,
  limit: number,
): Promise<(Topup & { readonly leasedUntil: Date })[]> {
  return db.query(sql`
    update topups set check_due_at = ${now}::timestamptz
      + least(greatest(${now}::timestamptz - created_at, interval '1 minute'), interval '6 hours')
    where id in (
      select id from topups where check_due_at <= ${now} and provider = ${provider}
      order by check_due_at limit ${limit} for update skip locked
    )
    returning ${columns}, check_due_at as "leasedUntil"`);
}

/** Checks are at most six hours apart. A due time further ahead was written while the clock was wrong. */
export async function pullInChecks(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    update topups set check_due_at = ${now} where check_due_at > ${now}::timestamptz + interval '7 hours'`);
}

/** Nothing more is expected, unless a new hint has moved the due time since it was claimed. */
export async function releaseClosed(db: Db, id: bigint, leasedUntil: Date): Promise<void> {
  await db.run(sql`
    update topups set check_due_at = null
    where id = ${id} and check_due_at = ${leasedUntil} and status <> 'requires_payment'`);
}

const kinds = {
  open: sql`status = 'requires_payment'`,
  failed: sql`status = 'failed'`,
  disputed: sql`(refunded + disputed > 0 or mismatch is not null)`,
} as const;

/** For the operator, newest first. */
export function listTopups(
  db: Db,
  which: {
    only?: keyof typeof kinds | undefined;
    partnerId?: number | undefined;
    /** Goes on after this one, towards the past. */
    before?: bigint | undefined;
    limit: number;
  },
): Promise<Topup[]> {
  const mine = which.partnerId === undefined ? sql`` : sql`and partner_id = ${which.partnerId}`;
  const older = which.before === undefined ? sql`` : sql`and id < ${which.before}`;
  return db.query(sql`
    select ${columns} from topups where ${which.only ? kinds[which.only] : sql`true`} ${mine} ${older}
    order by id desc limit ${which.limit}`);
}

export async function forgetTopups(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`delete from topups where partner_id = ${partnerId}`);
}

/** Unpaid card payments are closed after a day. One that is still open an hour later cannot be closed. */
const OPEN_PAYMENT_MS = 25 * HOUR;

export const paymentAlerts = (now: number): Sql => sql`
  ${counted(
    'open_payments',
    sql`select created_at as since from topups where status = 'requires_payment' and created_at < ${ago(now, OPEN_PAYMENT_MS)}`,
  )}
  union all ${counted(
    'disputed_payments',
    sql`select created_at as since from topups where (refunded + disputed > 0 or mismatch is not null)
      and case when mismatch is null then status = 'succeeded' and least(refunded + disputed, amount) > recovered
        else refunded + disputed = 0 end`,
  )}`;

export type FailedTopup = Payment & { readonly failedAt: Date };

/** A partner may have opened any number that were never paid, so only the latest are read. */
const LATEST = 100;

/** The top-up that was decided last, if it failed after `since`. A later success clears it. */
export function lastFailed(db: Queryable, partnerId: number, since: Date): Promise<FailedTopup | undefined> {
  return db.maybe(sql`
    select payment_key as "paymentKey", amount, currency, closed_at as "failedAt"
    from (
      select payment_key, amount, currency, closed_at, status from (
        select payment_key, amount, currency, closed_at, status from topups
        where partner_id = ${partnerId} order by id desc limit ${LATEST}
      ) as latest
      where status in ('succeeded', 'failed') order by closed_at desc limit 1
    ) as decided
    where status = 'failed' and closed_at > ${since}`);
}
