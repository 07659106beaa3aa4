import { randomBytes } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { startPostgres } from '../../../src/platform/db/embedded/embedded.ts';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { keepMonths } from '../../../src/platform/jobs/partitions.ts';
import { createLog } from '../../../src/platform/log.ts';
import { debianBinary } from '../debian/debian.ts';
import { scratchFolder } from './folder.ts';

const TEMPLATE = 'wayfare_template';
/** Otherwise each server that a test starts would count the 90 days in which there was none, day by day. */
const NOTHING_BEFORE = `
  insert into shared.service_hours (part, hour, measured, failed, counted_at)
  select unnest(array['api', 'suppliers']), date_trunc('hour', now(), 'UTC'), 0, 0, now()`;

/*
 * On an overloaded machine connections and statements can take long. The default limits of a server are a minute here;
 * tests of such limits set shorter ones.
 */
const DEFAULT_MS = 10_000;
const PATIENT_MS = 60_000;
interface PoolOptions extends pg.PoolConfig {
  readonly settings?: Readonly<Record<string, string>>;
}
const { Pool } = pg;
pg.Pool = class extends Pool {
  constructor(given: PoolOptions = {}) {
    const isDefault = given.settings?.statement_timeout === String(DEFAULT_MS);
    const settings = { ...given.settings, statement_timeout: String(PATIENT_MS) };
    const limits = { connectionTimeoutMillis: PATIENT_MS, query_timeout: 2 * PATIENT_MS, settings };
    super(isDefault ? { ...given, ...limits } : given);
  }
};

/**
 * The programs of the PostgreSQL to test and measure against: those we bring, or with `WAYFARE_TEST_SERVER=debian` those of Debian's
 * package, which operators have.
 */
export async function testedPrograms(): Promise<string | undefined> {
  if (process.env.WAYFARE_TEST_SERVER !== 'debian') return undefined;
  const { path, env } = await debianBinary('postgres');
  // Its libraries, if it was fetched; the server inherits it.
  Object.assign(process.env, env);
  return dirname(path);
}

/** One PostgreSQL for the whole run, with a migrated template database that tests copy. It is removed when the run ends. */
export async function startTestPostgres(): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const folder = await scratchFolder('wayfare-test-');
  await chmod(folder, 0o711);
  // Tests open thousands of connections, and proving a password takes longer than most of what they ask.
  const rules = join(folder, 'trust.conf');
  await writeFile(rules, 'local all all trust\n', { mode: 0o644 });
  // Nothing here outlives the run, so nothing needs to reach the disk.
  const durability = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'wal_level=minimal',
    'max_wal_senders=0',
  ];
  // No database lives long enough to need a vacuum; checking all of them costs more than it saves.
  const settings = [...durability, 'autovacuum=off', 'max_connections=400', `hba_file=${rules}`];
  const postgres = await startPostgres(folder, createLog('warn'), settings, await testedPrograms());
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ask(inDatabase(postgres.url, 'postgres'), `create database ${TEMPLATE}`);
    await migrate(inDatabase(postgres.url, TEMPLATE));
    await ask(inDatabase(postgres.url, TEMPLATE), NOTHING_BEFORE);
    await makeMonths(inDatabase(postgres.url, TEMPLATE));
  } catch (error) {
    // Otherwise the run would wait for a server that has nothing left to do.
    await stop();
    throw error;
  }
  return { url: postgres.url, pid: postgres.pid, stop };
}

/** The months of logs that each server would make in its copy. */
async function makeMonths(url: string): Promise<void> {
  const db = openDatabase({ url, name: 'template', searchPath: 'shared', statementTimeoutMs: 0 });
  for (const schema of ['live', 'sandbox'])
    for (const table of ['request_log', 'supplier_calls'])
      await keepMonths(db, { schema, table, keptMs: Infinity }, Date.now());
  await db.close();
}

function inDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A template database, created and filled when a test first needs a copy of it. */
export interface Template {
  readonly name: string;
  /** What it is made from, if not a migrated database. */
  readonly from?: 'template0';
  fill(url: string): Promise<void>;
}

const migrated: Template = { name: TEMPLATE, async fill() {} };
/** File by file: page by page through the log, which is PostgreSQL's usual way, takes three times as long and leaves more to tidy up. */
const copyOf = (name: string): string => `template ${name} strategy file_copy`;

/** A database for one test, migrated unless `made` says otherwise. Run the test through `npm test`, which starts the server. */
export async function freshDatabase(
  made: string | Template = migrated,
): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.WAYFARE_TEST_POSTGRES;
  if (!server) throw new Error('no test database: run tests with `npm test -- FILE`');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = adminOf(server);
  const client = await admin.connect();
  try {
    // PostgreSQL refuses two copies of one template at the same moment; the lock makes processes take turns.
    await client.query('select pg_advisory_lock(1)');
    if (typeof made !== 'string' && !(await isThere(client, made))) {
      await client.query(`create database ${made.name} ${copyOf(made.from ?? TEMPLATE)}`);
      try {
        await made.fill(inDatabase(server, made.name));
      } catch (error) {
        // A half-filled template would be copied by all later tests.
        await client.query(`drop database ${made.name} with (force)`);
        throw error;
      }
    }
    await client.query(`create database ${name} ${typeof made === 'string' ? made : copyOf(made.name)}`);
  } finally {
    await client.query('select pg_advisory_unlock_all()').finally(() => client.release());
  }
  return {
    url: inDatabase(server, name),
    drop: async () => void (await admin.query(`drop database if exists ${name} with (force)`)),
  };
}

let admin: { readonly server: string; readonly pool: pg.Pool } | undefined;

/** The connection on which a process makes and drops its databases, one at a time. A new one for each would be 1,300 in a run. */
function adminOf(server: string): pg.Pool {
  if (admin?.server === server) return admin.pool;
  const pool = new pg.Pool({ connectionString: inDatabase(server, 'postgres'), max: 1, allowExitOnIdle: true });
  // The server may be stopped while this process goes on; the next database then has a new connection.
  pool.on('error', () => {});
  admin = { server, pool };
  return pool;
}

const isThere = async (client: pg.ClientBase, { name }: Template): Promise<boolean> =>
  (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;
