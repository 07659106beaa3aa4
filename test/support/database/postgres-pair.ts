import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedPostgres, startPostgres } from '../../../src/platform/db/embedded/embedded.ts';
import { createLog } from '../../../src/platform/log.ts';
import { eventually } from '../eventually.ts';

const run = promisify(execFile);
const RULES = 'local all all scram-sha-256\nhost all,replication all 127.0.0.0/8 scram-sha-256\n';

/** One statement on a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(statement).finally(() => client.end())).rows;
}

export interface Pair {
  /** Names both. */
  readonly url: string;
  readonly primary: EmbeddedPostgres;
  readonly standby: EmbeddedPostgres;
}

/** A primary, and a standby that confirms every commit. */
export async function startPair(folder: string, undo: AsyncDisposableStack): Promise<Pair> {
  const rules = join(folder, 'rules.conf');
  await writeFile(rules, RULES, { mode: 0o644 });
  const start = async (name: string, host: string, more: string[] = []) => {
    const settings = [`listen_addresses=${host}`, `hba_file=${rules}`, ...more];
    const postgres = await startPostgres(join(folder, name), createLog('silent'), settings);
    undo.defer(() => postgres.stop());
    return postgres;
  };
  // Each has its own loopback address, so that both can listen on the usual port.
  const network = `127.9.${randomInt(1, 255)}`;
  const [one, two] = [`${network}.1`, `${network}.2`];
  for (const name of ['first', 'second']) await mkdir(join(folder, name), { mode: 0o711 });

  await (await start('first', one)).stop();
  await run('cp', [
    '-a',
    join(folder, 'first', 'postgres'),
    join(folder, 'first', 'postgres-password'),
    join(folder, 'second'),
  ]);
  await writeFile(join(folder, 'second', 'postgres', 'standby.signal'), '');
  const primary = await start('first', one);
  const { username, password } = new URL(primary.url);
  const standby = await start('second', two, [
    `primary_conninfo=host=${one} user=${username} password=${password} application_name=standby`,
  ]);
  await eventually(
    'the standby follows',
    async () => (await ask(primary.url, 'select from pg_stat_replication')).length,
  );
  await ask(primary.url, "alter system set synchronous_standby_names = 'standby'");
  await ask(primary.url, 'select pg_reload_conf()');
  await eventually('commits wait for the standby', async () => {
    const [row] = await ask<{ sync: string }>(primary.url, 'select sync_state as sync from pg_stat_replication');
    return row?.sync === 'sync';
  });
  return { url: `postgres://${username}:${password}@${two}:5432,${one}:5432/wayfare`, primary, standby };
}
