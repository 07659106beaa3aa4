import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type EmbeddedPostgres, startPostgres } from '../../../src/platform/db/embedded/embedded.ts';
import { createLog } from '../../../src/platform/log.ts';
import { testFolder } from '../../support/database/folder.ts';
import { getBalance, until } from '../../support/program/process.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

test('servers on a database the operator runs', async (t) => {
  await using folder = await testFolder(0o711);
  const open = () => startPostgres(join(folder.path, 'database'), createLog('silent'));
  await using undo = new AsyncDisposableStack();
  let postgres: EmbeddedPostgres = await open();
  undo.defer(() => postgres.stop());

  const env = { DATABASE_URL: postgres.url, WAYFARE_SECRET: 'ab'.repeat(32), WAYFARE_DEMO: 'on' };
  const [first, second] = await Promise.all([
    ServerProcess.launch({ dataDir: join(folder.path, 'first'), env }),
    ServerProcess.launch({ dataDir: join(folder.path, 'second'), env }),
  ]);
  undo.use(first);
  undo.use(second);
  const banners = (await Promise.all([first.banner(), second.banner()])).join('');
  const keys = banners.match(/\besk_test_[0-9a-f]{40}\b/g) ?? [];
  const key = keys[0] ?? '';
  const urls = [first.urls.sandbox, second.urls.sandbox];
  const answers = () => Promise.all(urls.map((url) => getBalance(url, key)));
  const all = (given: { status: number }[], status: number) => given.every((answer) => answer.status === status);

  await t.test('two that start at once on an empty one migrate it once, seed it once, and both serve', async () => {
    assert.equal(new Set(keys).size, 1, 'only one of them may have made the demo partner');
    assert.ok(all(await answers(), 200));
  });

  await t.test('the database stops: 503 service_unavailable in the envelope; it is back: they recover', async () => {
    await postgres.stop();
    await until(async () => all(await answers(), 503), 'no 503 though the database is away');
    for (const { body } of await answers()) {
      const { result, code, error, livemode } = body;
      assert.deepEqual([result, code, error, livemode], ['fail', '503', 'service_unavailable', false]);
    }
    postgres = await open();
    await until(async () => all(await answers(), 200), 'the servers did not recover');
  });

  await t.test('the database freezes: callers get their 503 in seconds instead of waiting for it', async () => {
    const frozen = await family(postgres.pid);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    try {
      await until(async () => all(await answers(), 503), 'no 503 though the database is frozen');
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    }
    await until(async () => all(await answers(), 200), 'the servers did not recover');
  });

  await t.test('SIGTERM ends them and not the database', async () => {
    assert.deepEqual(await Promise.all([first.end(), second.end()]), [0, 0]);
    process.kill(postgres.pid, 0);
  });
});

/** A process and its children. */
async function family(parent: number): Promise<number[]> {
  const found = [parent];
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (ppid === String(parent)) found.push(Number(name));
  }
  return found;
}
