import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { embeddedUrl, startPostgres } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLog } from '../../src/log.ts';

const TEMPLATE = 'wayfare_template';

/** One PostgreSQL for the whole run, with a migrated template every test file copies. Gone with the run. */
export async function startTestPostgres(): Promise<{ socketDir: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-test-'));
  await chmod(folder, 0o711);
  // Nothing here outlives the run, so nothing needs to reach the disk.
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400'];
  const postgres = await startPostgres(folder, createLog('warn'), settings);
  await ask(postgres.socketDir, `create database ${TEMPLATE}`);
  await migrate(embeddedUrl(postgres.socketDir, TEMPLATE));
  return {
    socketDir: postgres.socketDir,
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ask(socketDir: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: embeddedUrl(socketDir, 'postgres') });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A fresh database of one's own, migrated unless `made` says otherwise. Run the test through `npm test`, which starts the server. */
export async function freshDatabase(made = `template ${TEMPLATE}`): Promise<{ url: string; drop(): Promise<void> }> {
  const socketDir = process.env.WAYFARE_TEST_POSTGRES;
  if (!socketDir) throw new Error('no test database: run tests with `npm test -- FILE`');
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Two copies of one template at the same moment are refused; the lock makes them take turns.
  const client = new pg.Client({ connectionString: embeddedUrl(socketDir, 'postgres') });
  await client.connect();
  await client.query('select pg_advisory_lock(1)');
  await client.query(`create database ${name} ${made}`).finally(() => client.end());
  return {
    url: embeddedUrl(socketDir, name),
    drop: () => ask(socketDir, `drop database if exists ${name} with (force)`),
  };
}
