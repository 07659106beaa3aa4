import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { testFolder } from '../../support/database/folder.ts';
import { record } from '../../support/program/app.ts';
import { wayfare } from '../../support/program/cli.ts';
import { until } from '../../support/program/process.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
async function call(base: string, path: string, key: string, form?: Record<string, string>): Promise<any> {
  const answer = await request(`${base}${path}`, {
    headers: { 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' },
    ...(form && { method: 'POST', body: new URLSearchParams(form).toString() }),
  });
  return answer.body.json();
}

/** Every order makes the backup larger, and what a busy machine sells meanwhile must not. */
const PAUSE_MS = 250;

/** Buys in the sandbox until it is stopped; knows every order that was paid, oldest first. */
function shopper(base: string, key: string, product_id: string) {
  const orders: number[] = [];
  let stopped = false;
  const buyer = async () => {
    for (; !stopped; await wait(PAUSE_MS)) {
      const { result, order_id } = await call(base, '/purchase/buy', key, { product_id });
      if (result === 'ok') orders.push(order_id);
    }
  };
  const buying = buyer();
  return {
    orders,
    async stop() {
      stopped = true;
      await buying;
    },
  };
}

test('a backup taken beside a busy server is restored elsewhere', async (t) => {
  await using folder = await testFolder(0o711);
  const [dataDir, elsewhere, file] = ['data', 'elsewhere', 'wayfare.backup'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const env = { HOME: process.env.HOME, WAYFARE_DATA: dataDir };
  const restoring = { ...env, WAYFARE_DATA: elsewhere };
  await using server = await ServerProcess.start({ dataDir, env: { LOG_LEVEL: 'error' } });
  const key = /\besk_test_[0-9a-f]{40}\b/.exec(await server.banner())?.[0] ?? '';
  const [{ id: product }] = (await call(server.urls.sandbox, '/catalog/products?country=FR&limit=1', key)).products;
  const shop = shopper(server.urls.sandbox, key, product);
  await until(async () => shop.orders.length >= 5, 'nothing is sold');
  const before = [...shop.orders];

  await t.test('the file appears whole, for its owner only, while orders keep coming in', async () => {
    const taken = await wayfare(env, 'backup', file, '--json');
    const soldMeanwhile = shop.orders.length - before.length;
    assert.equal(taken.code, 0, taken.stderr + taken.stdout);
    assert.ok(soldMeanwhile > 0, 'the server sold nothing while the backup was taken');
    const { size, mode } = await stat(file);
    assert.equal(mode & 0o777, 0o600);
    assert.equal(taken.json.bytes, size);
    assert.ok(taken.json.rows > before.length);
    assert.deepEqual(
      (await readdir(folder.path)).filter((name) => name.startsWith('wayfare.backup')),
      ['wayfare.backup'],
    );
  });
  await shop.stop();
  const last = before.at(-1) as number;
  const { esim } = await call(server.urls.sandbox, `/order/detail/${last}`, key);
  record('secrets', `${esim.activationCode}\n`);

  await t.test('without the secret it was made with nothing is restored', async () => {
    await mkdir(elsewhere, { mode: 0o711 });
    const none = await wayfare(restoring, 'restore', file, '--json');
    assert.deepEqual([none.code, none.json.error], [1, 'no_secret']);
    const other = await wayfare({ ...restoring, WAYFARE_SECRET: 'ab'.repeat(32) }, 'restore', file, '--json');
    assert.deepEqual([other.code, other.json.error], [1, 'wrong_secret']);
    assert.deepEqual(await readdir(elsewhere), []);
  });

  await t.test('a damaged file is refused in one line, and the folder can still be used', async () => {
    await copyFile(join(dataDir, 'secret'), join(elsewhere, 'secret'));
    const whole = await readFile(file);
    const cut = join(folder.path, 'cut.backup');
    await writeFile(cut, whole.subarray(0, whole.length - 100));
    const { code, stderr } = await wayfare(restoring, 'restore', cut);
    assert.equal(code, 1);
    assert.equal(stderr, `wayfare: ${cut} is not a whole backup: unexpected end of file\n`);
  });

  await t.test('a restore that is told to end leaves no database running, and nothing half restored', async () => {
    const fresh = join(folder.path, 'ended');
    await mkdir(fresh, { mode: 0o711 });
    await copyFile(join(dataDir, 'secret'), join(fresh, 'secret'));
    const child = spawn(process.execPath, ['src/main.ts', 'restore', file], {
      env: { ...restoring, PATH: process.env.PATH, WAYFARE_DATA: fresh },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const pidFile = join(await realpath(fresh), 'postgres', 'postmaster.pid');
    const postmaster = async () => Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
    await until(async () => (await postmaster()) > 0, 'it started no database');
    const pid = await postmaster();
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [null, 'SIGTERM']);
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    const again = await wayfare({ ...restoring, WAYFARE_DATA: fresh }, 'restore', file, '--json');
    assert.equal(again.json.ok, true, again.stderr);
  });

  await t.test('restored, the ledger adds up', async () => {
    const restored = await wayfare(restoring, 'restore', file, '--json');
    assert.equal(restored.code, 0, restored.stderr + restored.stdout);
    assert.equal(restored.json.ok, true);
    assert.deepEqual([restored.json.live.drift, restored.json.sandbox.drift], [[], []]);
    assert.ok(restored.json.sandbox.orders >= before.length);
  });

  await t.test('a folder that has a database is refused, running or not', async () => {
    const stopped = await wayfare(restoring, 'restore', file);
    assert.equal(stopped.code, 1);
    assert.match(stopped.stderr, /^wayfare: there is a Wayfare database already: .*\n$/);
    const running = await wayfare(env, 'restore', file);
    assert.equal(running.stderr, `wayfare: Wayfare is already running on ${dataDir}\n`);
  });

  await t.test('a server on it has every order sold before, with its activation data, and sells on', async () => {
    await using second = await ServerProcess.start({ dataDir: elsewhere, env: { LOG_LEVEL: 'error' } });
    for (const id of before) assert.equal((await call(second.urls.sandbox, `/order/detail/${id}`, key)).result, 'ok');
    const detail = await call(second.urls.sandbox, `/order/detail/${last}`, key);
    assert.equal(detail.esim.activationCode, esim.activationCode);
    const bought = await call(second.urls.sandbox, '/purchase/buy', key, { product_id: product });
    assert.equal(bought.result, 'ok');
    assert.ok(bought.order_id > last);
    const audit = await wayfare(restoring, 'audit', '--json');
    assert.equal(audit.json.ok, true);
  });
});

test('a backup of a folder without a database is refused and makes none', async () => {
  await using folder = await testFolder(0o711);
  const dataDir = join(folder.path, 'data');
  const { code, stderr } = await wayfare({ WAYFARE_DATA: dataDir }, 'backup', join(folder.path, 'file'));
  assert.deepEqual([code, stderr], [1, `wayfare: there is no database in ${dataDir}\n`]);
  assert.deepEqual(await readdir(folder.path), []);
});
