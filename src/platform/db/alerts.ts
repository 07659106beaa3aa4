import { type Sql, sql } from './query/sql.ts';

/*
 * What needs a person now. Each domain offers its own alerts as a statement whose rows are `Alert`s. Each reads an index and
 * stops at `COUNT_LIMIT`, so all of them together take milliseconds, however many rows there are. The limits are those of
 * deploy/prometheus/alerts.yml where there is an alert.
 */

/** Counting stops here: whether a thousand or a million wait, somebody has to look. */
export const COUNT_LIMIT = 1_000;

export interface Alert<Kind extends string = string> {
  readonly kind: Kind;
  readonly count: number;
  /** Since when; null: not known. */
  readonly since: Date | null;
  /** Which supplier, job or receiver (its subscription); '' where there is only one. */
  readonly of: string;
  /** Further detail: the receiver's host, the reason for a failure, the remaining balance. */
  readonly about: string;
  /** When we retry automatically; omitted or null: we do not. */
  readonly nextTryAt?: Date | null;
}

export const ago = (now: number, ms: number): Date => new Date(now - ms);

/** The rows of one kind: how many there are, and since when. */
export const counted = (kind: string, rows: Sql): Sql => sql`
  select ${kind}::text as kind, count(*)::float8 as count, min(counted.since) as since, ''::text as of, ''::text as about
  from (${rows} limit ${COUNT_LIMIT}) as counted having count(*) > 0`;
