import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Services } from '../../../platform/start/services.ts';
import { supplierRows } from '../../catalog/catalog.ts';
import { supplierAccounts } from '../accounts/account-store.ts';
import { namedSuppliers, type Suppliers } from '../accounts/registry.ts';

/** Outcomes of calls without a usable answer. A refusal is an answer. */
const FAILED: readonly string[] = ['unavailable', 'unknown', 'failed'];

interface Row {
  readonly supplier: string;
  readonly call: string;
  readonly outcome: string;
  readonly withinMs: number;
  readonly isLastHour: boolean;
  readonly calls: number;
  readonly totalMs: number;
  readonly lastAt: Date;
}

/** Calls to all suppliers by hour, and how many of them got no answer. */
const byHour = (
  db: Queryable,
  from: Date,
  to: Date,
): Promise<{ readonly hour: Date; readonly measured: number; readonly failed: number }[]> =>
  db.query(sql`
    select date_trunc('hour', minute, 'UTC') as hour, sum(calls)::float8 as measured,
      coalesce(sum(calls) filter (where outcome = any (${[...FAILED]}::text[])), 0)::float8 as failed
    from shared.supplier_figures where minute >= ${from} and minute < ${to} group by 1`);

/** What all processes know of their calls in the last hour and day (by minutes), by supplier. */
async function read(db: Queryable, now: number): Promise<ReadonlyMap<string, SupplierHealth>> {
  const rows = await db.query<Row>(sql`
    select supplier, call, outcome, within_ms as "withinMs", minute > ${new Date(now - HOUR - MINUTE)} as "isLastHour",
      sum(calls)::float8 as calls, sum(total_ms)::float8 as "totalMs", max(last_at) as "lastAt"
    from shared.supplier_figures where minute > ${new Date(now - DAY - MINUTE)}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`);
  return new Map([...Map.groupBy(rows, ({ supplier }) => supplier)].map(([slug, own]) => [slug, healthOf(own)]));
}

export type SupplierHealth = ReturnType<typeof healthOf>;

function healthOf(rows: readonly Row[]) {
  const latest = (among: readonly Row[]) => among.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime())[0];
  const failure = latest(rows.filter(hasFailed));
  return {
    hour: figuresOf(rows.filter(({ isLastHour }) => isLastHour)),
    day: figuresOf(rows),
    /** The day's, by what was called. */
    ofDay: [...Map.groupBy(rows, ({ call }) => call)].map(([call, own]) => ({ call, ...figuresOf(own) })),
    /** Within the last day. */
    lastAnswerAt: latest(rows.filter((row) => !hasFailed(row)))?.lastAt ?? null,
    lastFailureAt: failure?.lastAt ?? null,
    lastFailedCall: failure?.call ?? null,
  };
}

const hasFailed = ({ outcome }: Row): boolean => FAILED.includes(outcome);
const callsOf = (rows: readonly Row[]): number => rows.reduce((sum, { calls }) => sum + calls, 0);

/** Calls of one kind, or of all kinds, to one supplier in some time. */
export type CallFigures = ReturnType<typeof figuresOf>;

function figuresOf(rows: readonly Row[]) {
  const calls = callsOf(rows);
  const totalMs = rows.reduce((sum, row) => sum + row.totalMs, 0);
  return {
    calls,
    failed: callsOf(rows.filter(hasFailed)),
    refused: callsOf(rows.filter(({ outcome }) => outcome === 'refused')),
    /** Null: there were no calls. */
    averageMs: calls === 0 ? null : Math.round(totalMs / calls),
    /** Half of the calls took no longer than this bound; null: there were none. */
    medianMs: boundOf(rows, calls / 2),
    p95Ms: boundOf(rows, calls * 0.95),
  };
}

/** The smallest bound that at least this many calls stay within. */
function boundOf(rows: readonly Row[], enough: number): number | null {
  let within = 0;
  for (const { withinMs, calls } of rows.toSorted((a, b) => a.withinMs - b.withinMs)) {
    within += calls;
    if (within >= enough) return withinMs;
  }
  return null;
}

export const noCalls = healthOf([]);

/** How long a supplier must have been silent, and to how many calls, before travellers are told of an outage. */
const DOWN_MS = 15 * MINUTE;
const DOWN_CALLS = 3;

/** Whether none of its latest calls was answered. Few calls say nothing. */
async function isDown(db: Queryable, supplier: string, now: number): Promise<boolean> {
  const { calls, failed } = await db.one<{ calls: number; failed: number }>(sql`
    select coalesce(sum(calls), 0)::float8 as calls,
      coalesce(sum(calls) filter (where outcome = any (${[...FAILED]}::text[])), 0)::float8 as failed
    from shared.supplier_figures where supplier = ${supplier} and minute > ${new Date(now - DOWN_MS)}`);
  return calls >= DOWN_CALLS && failed === calls;
}

/** How suppliers answer, as all processes together know it. */
export const supplierHealth = { read, byHour, isDown } as const;

interface BalanceParts extends Pick<Services, 'clock' | 'log'> {
  readonly db: Queryable;
  readonly suppliers: Suppliers;
  readonly kinds: readonly string[];
}

/** At most once in this time, however many workers there are. */
const FRESH_MS = 5 * MINUTE;
const LIMIT_MS = 20 * SECOND;

/** Reads what is left of our balance at each supplier whose API reports it, and stores it with the supplier. */
export function balancesJob({ db, suppliers, kinds, clock, log }: BalanceParts): Job {
  // Those without an account have no balance, and asking the simulated one would start it.
  const real = namedSuppliers(kinds).map(({ kind }) => kind);

  async function read(slug: string): Promise<void> {
    const supplier = await suppliers.of(slug);
    const answer = await supplier.balance?.(LIMIT_MS);
    if (answer?.outcome === 'unavailable')
      log.warn({ supplier: slug, reason: answer.reason }, "a supplier's balance could not be read");
    if (answer?.outcome === 'balance') await supplierRows.keepBalance(db, slug, answer.balance, clock.now());
  }

  return {
    name: 'supplier balances',
    everyMs: MINUTE,
    async run() {
      const now = clock.now();
      const slugs = (await supplierAccounts.list(db)).map(({ slug }) => slug);
      const due = await supplierRows.dueForBalance(db, { kinds: real, slugs }, new Date(now), new Date(now - FRESH_MS));
      await Promise.all(due.map(({ slug }) => read(slug)));
      return 0;
    },
  };
}
