import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedPostgres, startPostgres } from '../../src/db/embedded.ts';
import { sql } from '../../src/db/sql.ts';
import { createLog } from '../../src/log.ts';
import { proveBooks } from '../../src/proof/prove.ts';
import { testApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { testFolder } from '../support/folder.ts';
import { testPlan } from '../support/paid-order.ts';
import { buy, catalogKnows, credit } from '../support/shop.ts';

const run = promisify(execFile);
const RULES = 'local all all scram-sha-256\nhost all,replication all 127.0.0.0/8 scram-sha-256\n';
const RECOVERY_LIMIT_MS = 10_000;

async function ask<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(statement).finally(() => client.end())).rows;
}

interface Pair {
  /** Names both. */
  readonly url: string;
  readonly primary: EmbeddedPostgres;
  readonly standby: EmbeddedPostgres;
}

/** A primary, and a standby that confirms every commit. */
async function startPair(folder: string, undo: AsyncDisposableStack): Promise<Pair> {
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

test('the primary dies under purchases and the standby takes over: no paid order is lost or doubled', async () => {
  await using folder = await testFolder(0o711);
  await using undo = new AsyncDisposableStack();
  const { url, primary, standby } = await startPair(folder.path, undo);
  const t = undo.use(await testApp({ url }));
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '5000.00');
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);

  /** Buys under one key until it is answered, as a client does that got no answer. */
  const bought = new Map<string, unknown>();
  let stopping = false;
  async function shopper(name: string): Promise<void> {
    for (let n = 0; !stopping; n++) {
      const idempotency_key = `${name}-${n}`;
      // How long that may take is measured below, from the promotion on: the primary's end and the standby's start come first.
      while (!bought.has(idempotency_key)) {
        const { status, body } = await buy(t, key, alias, { idempotency_key });
        // 202: it is paid, and the job delivers it once the attempt that was cut off has lost its lease.
        if (status === 200 || status === 202) bought.set(idempotency_key, body.id);
        else await wait(20);
      }
    }
  }
  const shoppers = Promise.all(['a', 'b', 'c'].map(shopper));
  await eventually('purchases work', async () => bought.size > 10);

  // `stop` first, or it would be restarted; the signal takes effect before it can stop in good order.
  const ended = primary.stop();
  process.kill(primary.pid, 'SIGKILL');
  await ended;
  const before = bought.size;
  const promotedAt = performance.now();
  await ask(standby.url, 'select pg_promote()');
  await eventually('purchases work again', async () => bought.size > before + 10);
  assert.ok(performance.now() - promotedAt < RECOVERY_LIMIT_MS, `${performance.now() - promotedAt} ms`);
  stopping = true;
  await shoppers;

  const orders = await t.base.worlds.live.db.query<{ id: bigint }>(sql`select id from orders`);
  assert.deepEqual(
    new Set(orders.map(({ id }) => String(id))),
    new Set([...bought.values()].map(String)),
    'every answered order is there, and no other',
  );
  assert.equal(orders.length, bought.size);
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, []);
});
