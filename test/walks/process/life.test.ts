import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readlink, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { testFolder } from '../../support/database/folder.ts';
import { getBalance, isAlive, refused, until } from '../../support/program/process.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

const run = promisify(execFile);

/** What the panel's page shows for a one-time link. */
async function shownLink(panel: string, token: string, api = '/api'): Promise<unknown> {
  const headers = { 'content-type': 'application/json', origin: panel };
  const body = JSON.stringify({ token });
  return (await fetch(`${panel}${api}/welcome/show`, { method: 'POST', headers, body })).json();
}

test('a server in a data folder that only its owner can read', async (t) => {
  await using folder = await testFolder(0o700);
  const dataDir = join(folder.path, 'data');
  let key = '';
  const balance = (server: ServerProcess) => getBalance(server.urls.sandbox, key);

  await using first = await ServerProcess.start({ dataDir });
  await t.test(
    'the first start prints the addresses, the keys, links to the panel and the console, and a command that works when pasted',
    async () => {
      const banner = await first.banner();
      for (const url of Object.values(first.urls)) assert.ok(banner.includes(url), `${url} is not in ${banner}`);
      key = /\besk_test_[0-9a-f]{40}\b/.exec(banner)?.[0] ?? '';
      assert.match(banner, /\besk_[0-9a-f]{40}\b/);
      const token = /\d\/welcome#(wfl_[\w-]{43})$/m.exec(banner)?.[1] ?? '';
      assert.deepEqual(await shownLink(first.urls.panel, token), {
        email: 'demo@example.com',
        partner_name: 'Demo Travel',
      });
      const ofOperator = /\d\/operator\/welcome#(wfl_[\w-]{43})$/m.exec(banner)?.[1] ?? '';
      assert.deepEqual(await shownLink(first.urls.panel, ofOperator, '/operator/api'), { email: 'admin@example.com' });
      const line = banner.split('\n').find((text) => text.trim().startsWith('curl ')) ?? '';
      const answer = JSON.parse((await run('sh', ['-c', line])).stdout);
      assert.equal(answer.result, 'ok');
      assert.equal(answer.livemode, false);
    },
  );

  await t.test('a second start on the same folder is refused with one clear line', async () => {
    const second = await ServerProcess.launch({ dataDir });
    assert.equal(await second.exited, 1);
    assert.equal(second.stderr, `wayfare: Wayfare is already running on ${dataDir}\n`);
    assert.equal(second.stdout, '');
  });

  await t.test('after SIGTERM it finishes the request in flight, accepts no more, and exits with 0', async () => {
    const port = Number(new URL(first.urls.sandbox).port);
    const socket = connect(port, 'localhost');
    await once(socket, 'connect');
    const head = `GET /v3/account/balance HTTP/1.1\r\nHost: localhost:${port}\r\nX-API-Key: ${key}\r\n`;
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n';
    socket.write(`${head}${form}a=`);
    // It has begun: the server asks for the rest.
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 100 /);
    const ended = first.end('SIGTERM');
    await until(() => refused(port), 'a stopping server still accepts connections');
    assert.equal(first.child.exitCode, null);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write('b&');
    assert.equal(await ended, 0);
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(text, /"result":"ok"/);
  });

  await using second = await ServerProcess.start({ dataDir });
  await t.test('a later start keeps the data and tells how to create a key and links', async () => {
    const banner = await second.banner();
    assert.doesNotMatch(banner, /esk_|wfl_/);
    assert.match(banner, /key create/);
    assert.match(banner, /member invite/);
    assert.match(banner, /operator invite/);
    assert.equal((await balance(second)).status, 200);
  });

  await t.test('when its database dies it answers with the error envelope and restarts the database', async () => {
    const refusals = new Set<string>();
    process.kill(await postmaster(dataDir), 'SIGKILL');
    await until(
      async () => {
        const { status, body } = await balance(second);
        if (status !== 200) refusals.add(`${body.code} ${body.error} ${body.livemode}`);
        return status === 200 && refusals.size > 0;
      },
      `the server did not recover: ${[...refusals]}`,
    );
    // A read that was in flight fails with its own code; later ones find the database away.
    for (const refusal of refusals)
      assert.match(refusal, /^(503 service_unavailable|500 sandbox_balance_read_failed) false$/);
  });

  const left = await postmaster(dataDir);
  await t.test('SIGKILL leaves its database running, and the next start replaces that and keeps the data', async () => {
    assert.equal(await second.end('SIGKILL'), 'SIGKILL');
    assert.ok(isAlive(left), 'the database did not outlive the server');
    await using third = await ServerProcess.start({ dataDir });
    assert.equal((await balance(third)).status, 200);
    const ours = await postmaster(dataDir);
    assert.notEqual(ours, left);
    assert.ok(!isAlive(left), 'the old database still runs');
    assert.equal(await third.end('SIGTERM'), 0);
    assert.ok(!isAlive(ours), 'its database outlived it');
  });

  let fourth: ServerProcess | undefined;
  await using _ended = { [Symbol.asyncDispose]: async () => fourth?.[Symbol.asyncDispose]() };
  await t.test('deleting the data folder means starting over', async () => {
    const elsewhere = await readlink(join(dataDir, 'postgres')).catch(() => undefined);
    await rm(dataDir, { recursive: true });
    fourth = await ServerProcess.start({ dataDir });
    assert.match(await fourth.banner(), /\besk_test_[0-9a-f]{40}\b/);
    if (elsewhere) await rm(dirname(elsewhere), { recursive: true });
  });

  await t.test('a repeated Ctrl-C, which npm causes by passing it on, stops it like a single one', async () => {
    assert.ok(fourth);
    const ours = await postmaster(dataDir);
    const ended = fourth.end('SIGINT');
    for (let more = 0; more < 3; more++) {
      await sleep(5);
      process.kill(fourth.pid, 'SIGINT');
    }
    assert.equal(await ended, 0);
    assert.ok(!isAlive(ours), 'its database outlived it');
  });
});

async function postmaster(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}
