import { setTimeout as wait } from 'node:timers/promises';
import { DAY, HOUR, MINUTE, SECOND } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { JOB_SUCCESSES } from '../jobs/successes.ts';
import { nextTryAt } from '../webhooks/webhooks.ts';

/*
 * What needs a person now. Each part reads an index and stops at `COUNT_LIMIT`, so all of them together take milliseconds, however
 * many orders and deliveries there are; and each fails on its own, so that a part which cannot be read is never taken for one that
 * is fine. The limits are those of deploy/prometheus/alerts.yml where there is an alert.
 */

/** Counting stops here: whether a thousand or a million wait, somebody has to look. */
export const COUNT_LIMIT = 1_000;
/** A part that takes longer counts as unreadable. */
const READ_LIMIT_MS = 3 * SECOND;
const MOST_RECEIVERS = 20;

export const STUCK_MS = 30 * MINUTE;
/** After so many attempts without an answer from the supplier, an order has waited for two and a half minutes. */
const FAILED_ATTEMPTS = 5;
const SILENT_MS = 10 * MINUTE;
const SILENT_ORDERS = 5;
const BALANCE_UNREAD_MS = 30 * MINUTE;
const LOW_BALANCE_MICROS = 100_000_000n;
const POOR_ORDERS = 10;
const POOR_SHARE = 0.1;
const OLD_LIST_MS = 3 * DAY;
const HALF_WRITTEN_MS = 1 * MINUTE;
/** Unpaid card payments are closed after a day. One that is still open an hour later cannot be closed. */
const OPEN_PAYMENT_MS = 25 * HOUR;
/** What is new is proved every night, everything once a week. */
export const OLD_PROOF_MS = 2 * DAY;
export const OLD_WHOLE_PROOF_MS = 15 * DAY;
const STOPPED_JOB_MS = 2 * MINUTE;

export type Part = keyof typeof parts;
export type Kind =
  | 'overdue_orders'
  | 'stuck_orders'
  | 'failing_orders'
  | 'half_written_orders'
  | 'refund_requests'
  | 'disabled_webhook'
  | 'dead_letters'
  | 'open_payments'
  | 'disputed_payments'
  | 'silent_supplier'
  | 'unread_balance'
  | 'low_balance'
  | 'poor_supplier'
  | 'old_list'
  | 'failed_import'
  | 'broken_ledger'
  | 'old_proof'
  | 'stopped_job';

/** One thing that somebody has to look at. */
export interface Matter {
  readonly kind: Kind;
  readonly count: number;
  /** Since when; null: not known. */
  readonly since: Date | null;
  /** Which supplier, job or receiver (its subscription); '' where there is only one. */
  readonly of: string;
  /** What else is to be said: the receiver's host, the reason of a failure, the money that is left. */
  readonly about: string;
  /** When we try again by ourselves; left out or null: we do not. */
  readonly nextTryAt?: Date | null;
}

export type Attention =
  | { readonly part: Part; readonly matters: readonly Matter[] }
  | { readonly part: Part; readonly isUnreadable: true };

/** Reads every part of the live world at the same time. */
export function readAttention(db: Queryable, now: number): Promise<Attention[]> {
  return Promise.all(
    (Object.keys(parts) as Part[]).map(async (part): Promise<Attention> => {
      const late = new AbortController();
      try {
        const matters = await Promise.race([
          db.query<Matter>(parts[part](now)),
          wait(READ_LIMIT_MS, undefined, { ref: false, signal: late.signal }).catch(() => undefined),
        ]);
        return matters ? { part, matters } : { part, isUnreadable: true };
      } catch {
        return { part, isUnreadable: true };
      } finally {
        late.abort();
      }
    }),
  );
}

/** A webhook address may hold a secret in its path, so only its host is told. */
const hostOf = (url: Sql): Sql => sql`substring(${url} from '^[a-z]+://([^/?#@:]+)')`;

const ago = (now: number, ms: number): Date => new Date(now - ms);

/** The rows of one kind: how many there are, and since when. */
const counted = (kind: Kind, rows: Sql): Sql => sql`
  select ${kind}::text as kind, count(*)::float8 as count, min(counted.since) as since, ''::text as of, ''::text as about
  from (${rows} limit ${COUNT_LIMIT}) as counted having count(*) > 0`;

const parts = {
  orders: (now: number) => sql`
    ${counted(
      'overdue_orders',
      sql`select overdue_at as since from orders where overdue_at is not null and provision_due_at is not null`,
    )}
    union all ${counted(
      'stuck_orders',
      sql`select paid_at as since from (
          select paid_at, overdue_at from orders where provision_due_at is not null order by provision_due_at limit ${5 * COUNT_LIMIT}
        ) as waiting where overdue_at is null and paid_at < ${ago(now, STUCK_MS)}`,
    )}
    union all ${counted(
      'failing_orders',
      sql`select paid_at as since from (
          select paid_at, overdue_at, provision_attempts, delivery_reason
          from orders where provision_due_at is not null order by provision_due_at limit ${5 * COUNT_LIMIT}
        ) as waiting where overdue_at is null and paid_at >= ${ago(now, STUCK_MS)}
          and provision_attempts >= ${FAILED_ATTEMPTS} and delivery_reason = 'provider_unavailable'`,
    )}
    union all ${counted(
      'half_written_orders',
      sql`select half.created_at as since from partners cross join lateral (
          select created_at from orders where partner_id = partners.id and status = 3 and created_at < ${ago(now, HALF_WRITTEN_MS)}
          limit 10
        ) as half`,
    )}`,

  refunds: () => counted('refund_requests', sql`select requested_at as since from refunds where status = 'requested'`),

  webhooks: () => sql`
    (select 'disabled_webhook' as kind, held.number::float8 as count, held_since as since, stopped.id::text as of,
      coalesce(${hostOf(sql`url`)}, '') as about, next_try_at as "nextTryAt"
    from (
      select id, partner_id, url, held_since, ${nextTryAt()} as next_try_at from webhook_subscriptions
      where status = 3 and deleted_at is null order by id
    ) as stopped
    join partners on partners.id = partner_id and partners.deleted_at is null
    cross join lateral (
      select count(*) as number from (select from webhook_queue where subscription_id = stopped.id limit ${COUNT_LIMIT}) as counted
    ) as held
    order by 2 desc, 3 limit ${MOST_RECEIVERS})
    union all
    (select 'dead_letters' as kind, count(*)::float8 as count, min(dead.died_at) as since, dead.subscription_id::text as of,
      coalesce(${hostOf(sql`min(subscription.url)`)}, '') as about, null
    from (
      select subscription_id, died_at from webhook_deliveries where status = 'dead' and not discarded
      order by died_at desc nulls last, id desc limit ${5 * COUNT_LIMIT}
    ) as dead
    join webhook_subscriptions as subscription on subscription.id = dead.subscription_id and subscription.deleted_at is null
    group by dead.subscription_id order by 2 desc, 4 limit ${MOST_RECEIVERS})`,

  payments: (now: number) => sql`
    ${counted(
      'open_payments',
      sql`select created_at as since from topups where status = 'requires_payment' and created_at < ${ago(now, OPEN_PAYMENT_MS)}`,
    )}
    union all ${counted(
      'disputed_payments',
      sql`select created_at as since from topups where (refunded + disputed > 0 or mismatch is not null)
        and case when mismatch is null then status = 'succeeded' and least(refunded + disputed, amount) > recovered
          else refunded + disputed = 0 end`,
    )}`,

  suppliers: (now: number) => sql`
    select 'silent_supplier' as kind, count(*)::float8 as count, min(paid_at) as since, supplier as of, '' as about
    from (
      select supplier, paid_at from orders where provision_due_at is not null order by provision_due_at limit ${5 * COUNT_LIMIT}
    ) as waiting
    where paid_at < ${ago(now, SILENT_MS)} group by supplier having count(*) >= ${SILENT_ORDERS}
    union all
    select 'unread_balance', 1, balance_at, slug, '' from suppliers
    where balance_at < balance_asked_at and balance_at < ${ago(now, BALANCE_UNREAD_MS)}
    union all
    select 'low_balance', 1, null, slug, round(balance_micros / 1000000.0, 2)::text from suppliers
    where balance_micros < ${LOW_BALANCE_MICROS}
    union all
    select 'poor_supplier', sum(failed)::float8, null, supplier,
      round(100.0 * sum(failed) / sum(delivered + failed))::text
    from sale_figures where day >= (${ago(now, DAY)}::timestamptz at time zone 'UTC')::date
    group by supplier having sum(delivered + failed) >= ${POOR_ORDERS} and sum(failed) > ${POOR_SHARE}::numeric * sum(delivered + failed)`,

  catalog: (now: number) => sql`
    select 'old_list' as kind, 1::float8 as count, imported_at as since, slug as of, '' as about from suppliers
    where kind <> 'simulated' and imported_at < ${ago(now, OLD_LIST_MS)}
    union all
    select 'failed_import', failed.count, failed.since, latest.supplier, latest.error
    from (
      select supplier from catalog_syncs union select slug from suppliers
    ) as known
    cross join lateral (
      select id, supplier, error from catalog_imports where supplier = known.supplier order by id desc limit 1
    ) as latest
    cross join lateral (
      select count(*)::float8 as count, min(finished_at) as since from (
        select finished_at from catalog_imports where supplier = latest.supplier and id > coalesce((
          select id from catalog_imports where supplier = latest.supplier and error is null order by id desc limit 1), 0)
        limit ${COUNT_LIMIT}
      ) as run
    ) as failed
    where latest.error is not null`,

  ledger: (now: number) => sql`
    select case when made.is_ok then 'old_proof' else 'broken_ledger' end as kind, 1::float8 as count,
      made.finished_at as since, '' as of, '' as about
    from (
      select finished_at, (result ->> 'ok')::boolean as is_ok from proofs where result is not null
      order by finished_at desc limit 1
    ) as made
    where not made.is_ok or made.finished_at < ${ago(now, OLD_PROOF_MS)}
    union all
    select 'old_proof', 1, made.finished_at, '', 'whole' from (
      select finished_at from proofs where result is not null and kind = 'whole' order by finished_at desc limit 1
    ) as made
    where made.finished_at < ${ago(now, OLD_WHOLE_PROOF_MS)}
      and exists (select from proofs where result is not null and finished_at >= ${ago(now, OLD_PROOF_MS)})
    union all
    select 'old_proof', 1, null, '', 'never' from (select from movements order by id limit 1) as first
    where not exists (select from proofs where result is not null)`,

  jobs: (now: number) => sql`
    select 'stopped_job' as kind, 1::float8 as count, to_timestamp(job.value::float8 / 1000) as since, job.key as of, '' as about
    from settings cross join jsonb_each_text(settings.value) as job
    where settings.name = ${JOB_SUCCESSES} and (job.key like 'deliver %' or job.key like 'provision %' or job.key = 'topups')
      and job.value::float8 < ${now - STOPPED_JOB_MS}::float8`,
};
