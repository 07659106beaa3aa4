import { setInterval as every } from 'node:timers';
import { type Clock, DAY, MINUTE, SECOND } from '../../../platform/clock.ts';
import { ago } from '../../../platform/db/alerts.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

/** What a proof of all books found, as `audit` prints it. */
interface FoundProof {
  readonly ok: boolean;
}

/** `label` is the world being proved, `done` and `total` its rules. */
export type OnProgress = (label: string, done: number, total: number) => void;

export interface ProofRow {
  readonly id: bigint;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly startedAt: Date | null;
  readonly done: number;
  readonly total: number;
  readonly finishedAt: Date | null;
  /** Null while it runs, and if it could not be made, for the reason in `error`. */
  readonly result: FoundProof | null;
  readonly error: string;
}

const columns = sql`id, asked_by as "requestedBy", asked_at as "requestedAt", started_at as "startedAt", done, total,
  finished_at as "finishedAt", result, error`;

/** The latest ones, newest first. On the owner's connection, like everything about proofs. */
export const latestProofs = (db: Queryable, limit: number): Promise<ProofRow[]> =>
  db.query(sql`select ${columns} from shared.proofs order by id desc limit ${limit}`);

export const lastProof = (db: Queryable): Promise<ProofRow | undefined> =>
  db.maybe(sql`select ${columns} from shared.proofs where result is not null order by finished_at desc limit 1`);

/** Records a proof that was made outside the job. */
export async function recordProof(
  db: Queryable,
  { by, startedAt, finishedAt, result }: { by: string; startedAt: Date; finishedAt: Date; result: FoundProof },
): Promise<void> {
  await db.run(sql`
    insert into shared.proofs (asked_by, asked_at, started_at, finished_at, result)
    values (${by}, ${startedAt}, ${startedAt}, ${finishedAt}, ${asJson(result)}::jsonb)`);
}

const asJson = (result: FoundProof): string =>
  JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? Number(value) : value));

/** Queues a proof for the job. False: one is already waiting or running. */
export async function askForProof(tx: Tx, { by, at }: { readonly by: string; readonly at: Date }): Promise<boolean> {
  await tx.run(sql`lock table shared.proofs in share row exclusive mode`);
  const inserted = await tx.run(sql`
    insert into shared.proofs (asked_by, asked_at)
    select ${by}, ${at} where not exists (select from shared.proofs where finished_at is null)`);
  return inserted > 0;
}

const LEASE_MS = 1 * MINUTE;
const RENEW_MS = 20 * SECOND;
const LOOK_MS = 5 * SECOND;

/** Runs the requested proofs. If a worker dies, its lease expires and another starts again. */
export function proofJob({
  db,
  clock,
  prove,
}: {
  readonly db: Queryable;
  readonly clock: Clock;
  /** Proves all books, one world after the other. */
  readonly prove: (onProgress: OnProgress) => Promise<FoundProof>;
}): Job {
  const lease = () => new Date(clock.now() + LEASE_MS);

  async function make(id: bigint, signal: AbortSignal): Promise<void> {
    // Progress is written in order, and the result after it: a late write would be lost, or undo a newer one.
    let noted: Promise<unknown> = Promise.resolve();
    const note = (done: number, total: number) => {
      noted = noted
        .then(() =>
          db.run(sql`
            update shared.proofs set done = ${done}, total = ${total}, leased_until = ${lease()}
            where id = ${id} and finished_at is null`),
        )
        .catch(() => {});
    };
    let latest = { done: 0, total: 0 };
    const renewing = every(() => note(latest.done, latest.total), RENEW_MS);
    try {
      const onProgress: OnProgress = (label, done, total) => {
        signal.throwIfAborted();
        latest = { done: label === 'live' ? done : total + done, total: 2 * total };
        note(latest.done, latest.total);
      };
      const result = await prove(onProgress);
      await noted;
      // A server of the version before may have queued a proof of new rows only.
      await finish(id, sql`result = ${asJson(result)}::jsonb, kind = 'whole'`);
    } catch (error) {
      await noted;
      // The process is stopping: the next worker that looks may start at once.
      if (signal.aborted) await db.run(sql`update shared.proofs set leased_until = null, done = 0 where id = ${id}`);
      else await finish(id, sql`error = ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      clearInterval(renewing);
    }
  }

  const finish = (id: bigint, outcome: ReturnType<typeof sql>) =>
    db.run(sql`
      update shared.proofs set ${outcome}, finished_at = ${new Date(clock.now())}, leased_until = null
      where id = ${id} and finished_at is null`);

  return {
    name: 'ledger proof',
    everyMs: LOOK_MS,
    async run(signal) {
      const now = new Date(clock.now());
      const claimed = await db.maybe<Pick<ProofRow, 'id'>>(sql`
        update shared.proofs set started_at = ${now}, leased_until = ${lease()}, done = 0
        where id = (
          select id from shared.proofs
          where finished_at is null and (leased_until is null or leased_until < ${now}) order by id limit 1 for update skip locked)
        returning id`);
      if (!claimed) return 0;
      await make(claimed.id, signal);
      return 1;
    },
  };
}

/** The timers prove the ledger every night. */
const OLD_PROOF_MS = 2 * DAY;

export const ledgerAlerts = (now: number): Sql => sql`
  select case when made.is_ok then 'old_proof' else 'broken_ledger' end as kind, 1::float8 as count,
    made.finished_at as since, '' as of, '' as about
  from (
    select finished_at, (result ->> 'ok')::boolean as is_ok from proofs where result is not null
    order by finished_at desc limit 1
  ) as made
  where not made.is_ok or made.finished_at < ${ago(now, OLD_PROOF_MS)}
  union all
  select 'old_proof', 1, null, '', 'never' from (select from movements order by id limit 1) as first
  where not exists (select from proofs where result is not null)`;

/** The door of the ledger's proof: proving it, and the proofs that were made. */
export type { Pass } from './passes.ts';
export { type Drift, type Proof, proveBooks, proveIn } from './prove.ts';
