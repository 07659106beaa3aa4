import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { request } from 'undici';
import { testFolder } from '../../support/database/folder.ts';
import { type DebianBinary, debianBinary, noProgram } from '../../support/debian/debian.ts';
import { wayfare } from '../../support/program/cli.ts';
import { freePort } from '../../support/program/ports.ts';
import { until } from '../../support/program/process.ts';
import { readableCheckout } from '../../support/program/readable-checkout.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

const run = promisify(execFile);
/** PostgreSQL and the drill refuse to be root. */
const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const needed: readonly DebianBinary[] = ['pgbackrest', 'postgres'];
const missing = (await Promise.all(needed.map(noProgram))).find(Boolean) ?? false;

test('pgBackRest as deploy/ configures it: a drill, a restore to a moment, and one to a new machine that sells on', {
  skip: missing,
  timeout: 600_000,
}, async (t) => {
  await using undo = new AsyncDisposableStack();
  await using folder = await testFolder(0o711);
  const checkout = await readableCheckout(owner, join(folder.path, 'checkout'));
  const [data, socket, repo, spool, logs, drills, metrics, newMachine] = (await Promise.all(
    ['data', 'socket', 'repo', 'spool', 'logs', 'drills', 'metrics', 'new'].map(async (name) => {
      const path = join(folder.path, name);
      await mkdir(path, { mode: 0o700 });
      if (owner.uid) await chown(path, owner.uid, owner.gid);
      return path;
    }),
  )) as [string, string, string, string, string, string, string, string];
  const [postgres, pgbackrest] = await Promise.all([debianBinary('postgres'), debianBinary('pgbackrest')]);
  const bin = dirname(postgres.path);
  const config = join(folder.path, 'pgbackrest.conf');
  const shipped = await readFile(join(checkout, 'deploy/backup/pgbackrest.conf'), 'utf8');
  const filled = shipped
    .replace('/var/lib/pgbackrest', repo)
    .replace(/^repo1-cipher-pass=.*/m, `repo1-cipher-pass=${randomBytes(24).toString('hex')}`)
    .replace('/var/spool/pgbackrest/lock', join(spool, 'lock'))
    .replace('/var/spool/pgbackrest', spool)
    .replace('[wayfare]', `log-path=${logs}\n\n[wayfare]\npg1-user=postgres\npg1-socket-path=${socket}`)
    .replace('/var/lib/postgresql/15/main', data);
  await writeFile(config, filled, { mode: 0o644 });
  const secret = randomBytes(32).toString('hex');
  const port = await freePort();
  const env = {
    ...postgres.env,
    ...pgbackrest.env,
    PATH: `${bin}:${dirname(pgbackrest.path)}:${process.env.PATH}`,
    LC_ALL: 'C.UTF-8',
    PGBACKREST_CONFIG: config,
    PGHOST: socket,
    PGUSER: 'postgres',
    METRICS_FOLDER: metrics,
    DRILL_FOLDER: drills,
    PG_BIN: bin,
    WAYFARE_HOME: checkout,
    WAYFARE_SECRET: secret,
    // The unit gives the drill all settings of the server, whose files are not for the user postgres.
    DATABASE_URL_FILE: '/etc/wayfare/database-url',
    STRIPE_SECRET_KEY_FILE: '/etc/wayfare/stripe',
    SITE_LOGO: '/etc/wayfare/logo.svg',
    OIDC_ISSUER: 'https://id.example',
  };
  const as = (command: string, ...args: string[]) => run(command, args, { env, cwd: folder.path, ...owner });
  const backup = (...args: string[]) => as(join(checkout, 'deploy/backup/wayfare-backup'), ...args);
  const serve = async (at: string) => {
    const child = spawn(postgres.path, ['-D', at], { env, cwd: folder.path, stdio: 'ignore', ...owner });
    undo.defer(() => void child.kill('SIGINT'));
    const isReady = () =>
      as(join(bin, 'pg_isready'), '-q').then(
        () => true,
        () => false,
      );
    await until(isReady, 'PostgreSQL is not ready');
    return child;
  };

  await as(join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8');
  const settings = [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    `unix_socket_directories = '${socket}'`,
    'archive_mode = on',
    "archive_command = 'pgbackrest --stanza=wayfare archive-push %p'",
    "archive_timeout = '60s'",
    'max_connections = 200',
  ];
  await writeFile(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  Object.assign(env, { PGPORT: String(port) });
  await writeFile(config, filled.replace('[wayfare]\n', `[wayfare]\npg1-port=${port}\n`));
  const first = await serve(data);
  await as('createdb', 'wayfare');
  const DATABASE_URL = `postgres://postgres@127.0.0.1:${port}/wayfare`;
  const serving = { DATABASE_URL, WAYFARE_SECRET: secret, WAYFARE_DEMO: 'on', LOG_LEVEL: 'error' };
  const server = await ServerProcess.start({ dataDir: join(folder.path, 'none'), env: serving });
  undo.defer(() => server[Symbol.asyncDispose]());
  const key = /\besk_test_[0-9a-f]{40}\b/.exec(await server.banner())?.[0] ?? '';
  const call = async (url: string, form?: Record<string, string>) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' };
    const body = form && new URLSearchParams(form).toString();
    const answer = await request(url, { headers, ...(body && { method: 'POST', body }) });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
    return (await answer.body.json()) as any;
  };
  const [{ id: product_id }] = (await call(`${server.urls.sandbox}/catalog/products?country=FR&limit=1`)).products;
  const buy = async (at = server): Promise<number> => {
    const { result, order_id } = await call(`${at.urls.sandbox}/purchase/buy`, { product_id });
    assert.equal(result, 'ok');
    return order_id;
  };
  const now = async () => (await as('psql', '-XAtc', 'select clock_timestamp()', 'wayfare')).stdout.trim();
  const archiveAll = () => as('psql', '-XAtc', 'select pg_switch_wal()', 'wayfare');

  let backedUp = 0;
  await t.test('a backup, taken while it sells, leaves its time as a metric', async () => {
    await buy();
    await as('pgbackrest', '--stanza=wayfare', 'stanza-create');
    await as('pgbackrest', '--stanza=wayfare', 'check');
    await backup('take', 'full');
    const text = await readFile(join(metrics, 'wayfare_backup.prom'), 'utf8');
    const [, at] = /^wayfare_backup_success_timestamp_seconds (\d+)$/m.exec(text) ?? [];
    backedUp = Number(at);
    assert.ok(Math.abs(backedUp - Date.now() / 1_000) < 120, text);
    assert.deepEqual(await readdir(metrics), ['wayfare_backup.prom']);
  });

  // pgBackRest knows to the second when the backup was complete.
  await until(async () => Date.now() / 1_000 > backedUp + 1, 'the clock stands still');
  const between = await buy();
  const moment = await now();
  const after = await buy();
  await archiveAll();

  await t.test(
    'a drill to the end of the log proves every order, leaves its time as a metric, and nothing else',
    async () => {
      await backup('take', 'incr');
      const { stdout } = await backup('drill');
      const proved = JSON.parse(stdout);
      assert.deepEqual([proved.ok, proved.sandbox.orders], [true, 3]);
      assert.match(
        await readFile(join(metrics, 'wayfare_drill.prom'), 'utf8'),
        /^wayfare_restore_drill_success_timestamp_seconds \d+$/m,
      );
      assert.deepEqual(await readdir(drills), []);
    },
  );

  await t.test('a drill to a moment has the order before it, and not the one after it', async () => {
    const proved = JSON.parse((await backup('drill', moment)).stdout);
    assert.deepEqual([proved.ok, proved.sandbox.orders], [true, 2]);
    assert.deepEqual(await readdir(drills), []);
  });

  await t.test('a drill that fails says so, leaves the metric as it was, and no files', async () => {
    const before = await readFile(join(metrics, 'wayfare_drill.prom'), 'utf8');
    Object.assign(env, { WAYFARE_SECRET: '0'.repeat(64) });
    await assert.rejects(backup('drill'), { code: 1 });
    Object.assign(env, { WAYFARE_SECRET: secret });
    assert.equal(await readFile(join(metrics, 'wayfare_drill.prom'), 'utf8'), before);
    assert.deepEqual(await readdir(drills), []);
  });

  await t.test('the machine is lost: another restores to the moment, proves its ledger and sells on', async () => {
    await server.end('SIGTERM');
    const gone = new Promise((resolve) => first.once('exit', resolve));
    first.kill('SIGKILL');
    await gone;
    await as(
      'pgbackrest',
      '--stanza=wayfare',
      `--pg1-path=${newMachine}`,
      '--type=time',
      `--target=${moment}`,
      '--target-action=promote',
      'restore',
    );
    await serve(newMachine);
    await until(
      async () => (await as('psql', '-XAtc', 'select pg_is_in_recovery()', 'wayfare')).stdout === 'f\n',
      'it is still recovering',
    );
    const audit = await wayfare({ DATABASE_URL, WAYFARE_SECRET: secret }, 'audit', '--json');
    assert.deepEqual([audit.json.ok, audit.json.sandbox.orders], [true, 2]);
    await using second = await ServerProcess.start({ dataDir: join(folder.path, 'none'), env: serving });
    assert.equal((await call(`${second.urls.sandbox}/order/detail/${between}`)).result, 'ok');
    assert.notEqual((await call(`${second.urls.sandbox}/order/detail/${after}`)).result, 'ok');
    assert.ok((await buy(second)) > between);
  });
});
