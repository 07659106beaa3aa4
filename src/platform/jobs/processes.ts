import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { type Clock, DAY, SECOND } from '../clock.ts';
import { Refused } from '../contract/refused.ts';
import type { Queryable } from '../db/database.ts';
import { worksBeside } from '../db/migrate/schema-promise.ts';
import { sql } from '../db/query/sql.ts';
import type { Log } from '../log.ts';
import { version } from '../settings/version.ts';

export const BEAT_MS = 10 * SECOND;
/** After three missed beats a process counts as silent. */
export const SILENT_AFTER_MS = 3 * BEAT_MS + SECOND;
/** A silent process is listed for this long. */
const KEPT_MS = 1 * DAY;
/** Rows kept at most: a process that crashes at every start leaves one each time. */
const MOST_ROWS = 200;

interface ProcessFacts {
  readonly role: string;
  readonly version: string;
  /** Each job it runs, with how long it rests in milliseconds. */
  readonly jobs: Readonly<Record<string, number>>;
  readonly supplierKinds: readonly string[];
}

/** `silentSuppliers`: those whose breaker is open in this process at the moment. */
export function createHeartbeat(
  { db, clock, log }: { readonly db: Queryable; readonly clock: Clock; readonly log: Pick<Log, 'warn'> },
  { role, version, jobs, supplierKinds }: ProcessFacts,
  silentSuppliers: () => readonly string[],
) {
  const id = randomUUID();
  const startedAt = new Date(clock.now());
  let isWriting = false;
  let hasEnded = false;

  async function write(): Promise<void> {
    const now = clock.now();
    // The sweep sees the table as it was before the insert, so it never takes the row of this process.
    await db.run(sql`
      with swept as (
        delete from processes where id <> ${id} and (last_seen < ${new Date(now - KEPT_MS)} or id in (
          select id from processes order by last_seen desc offset ${MOST_ROWS}))
      )
      insert into processes (
        id, host, pid, role, version, started_at, last_seen, jobs, supplier_kinds, silent_suppliers)
      values (${id}, ${hostname()}, ${process.pid}, ${role}, ${version}, ${startedAt}, ${new Date(now)},
        ${JSON.stringify(jobs)}::jsonb, ${supplierKinds}::text[], ${silentSuppliers()}::text[])
      on conflict (id) do update set last_seen = excluded.last_seen, silent_suppliers = excluded.silent_suppliers`);
  }

  return {
    /** Writes the row. Never throws: the next beat tries again. */
    async beat(): Promise<void> {
      // A database that is slow must not collect beats.
      if (isWriting || hasEnded) return;
      isWriting = true;
      await write().catch((error) =>
        log.warn({ err: error }, 'the heartbeat could not be written; the next one will be'),
      );
      isWriting = false;
    },
    /** The process stops in an orderly way, so its row is deleted. */
    async end(): Promise<void> {
      hasEnded = true;
      await db.run(sql`delete from processes where id = ${id}`).catch(() => {});
    },
  };
}

export interface SeenProcess extends ProcessFacts {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly lastSeen: Date;
  readonly silentSuppliers: readonly string[];
}

/** The latest started first. */
export const listProcesses = (db: Queryable): Promise<SeenProcess[]> =>
  db.query(sql`
    select id, host, pid, role, version, started_at as "startedAt", last_seen as "lastSeen", jobs,
      supplier_kinds as "supplierKinds", silent_suppliers as "silentSuppliers"
    from shared.processes order by started_at desc, id limit ${MOST_ROWS}`);

/** Named in a refusal. */
const MOST_NAMED = 5;

/**
 * Throws if a process is alive that a migration could break under its hands: one of a version that this one's schema is not known
 * to work with. Rows that a killed process left behind don't count once they are silent. They are compared with the database's
 * clock, so a process whose own clock is half a minute off is not noticed.
 */
export async function requireKnownProcesses(client: Pick<pg.Client, 'query'>): Promise<void> {
  const { rows } = await client.query<Pick<SeenProcess, 'host' | 'pid' | 'role' | 'version'>>(
    `select host, pid, role, version from shared.processes
    where abs(extract(epoch from now() - last_seen)) * 1000 <= $1 order by host, role, pid`,
    [SILENT_AFTER_MS],
  );
  const unknown = rows.filter((row) => !worksBeside(row.version));
  if (unknown.length === 0) return;
  const named = unknown.slice(0, MOST_NAMED).map((one) => `${one.role} ${one.pid} on ${one.host} (${one.version})`);
  if (unknown.length > MOST_NAMED) named.push(`${unknown.length - MOST_NAMED} more`);
  throw new Refused(
    'processes_running',
    `nothing was migrated: it is not known whether ${named.join(', ')} would go on working on the schema of ${version}. Stop them first; one that was killed counts for ${SILENT_AFTER_MS / SECOND} seconds`,
  );
}

const LOOK_MS = 30 * SECOND;

/**
 * Whether every process on this database runs this version: what only this one can read must not be written before. Once they all
 * do it stays so; the changelog warns against starting an earlier version after that.
 */
export async function watchVersions(db: Queryable, clock: Clock): Promise<{ isAlone: () => boolean } & Disposable> {
  const look = async () => {
    const since = new Date(clock.now() - SILENT_AFTER_MS);
    const { alone } = await db.one<{ alone: boolean }>(sql`
      select not exists (select from shared.processes where version <> ${version} and last_seen > ${since}) as alone`);
    return alone;
  };
  let isAlone = await look();
  let timer: NodeJS.Timeout | undefined;
  if (!isAlone)
    timer = setInterval(async () => {
      isAlone = await look().catch(() => false);
      if (isAlone) clearInterval(timer);
    }, LOOK_MS).unref();
  return { isAlone: () => isAlone, [Symbol.dispose]: () => clearInterval(timer) };
}

export const isSilent = ({ lastSeen }: Pick<SeenProcess, 'lastSeen'>, now: number): boolean =>
  now - lastSeen.getTime() > SILENT_AFTER_MS;
