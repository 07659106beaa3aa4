import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent, request } from 'undici';
import { ConfigError, readConfig } from '../../../src/platform/settings/config.ts';
import { testFolder } from '../../support/database/folder.ts';
import { getBalance, refused, until } from '../../support/program/process.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

const CONNECTIONS = 200;

test('DRAIN_SECONDS: none on the embedded database, five where load balancers are likely, or as it is set', () => {
  const drainMs = (env: NodeJS.ProcessEnv) => readConfig(env).drainMs;
  assert.equal(drainMs({}), 0);
  assert.equal(drainMs({ DATABASE_URL: 'postgres://db' }), 5_000);
  assert.equal(drainMs({ DATABASE_URL: 'postgres://db', DRAIN_SECONDS: '0' }), 0);
  assert.equal(drainMs({ DRAIN_SECONDS: '1.5' }), 1_500);
  assert.throws(() => drainMs({ DRAIN_SECONDS: '-1' }), ConfigError);
  assert.throws(() => drainMs({ DRAIN_SECONDS: 'soon' }), ConfigError);
});

test('SIGTERM: not ready at once, serving for DRAIN_SECONDS, and no kept-alive connection loses its request', async () => {
  await using folder = await testFolder(0o700);
  await using server = await ServerProcess.start({ dataDir: folder.path, env: { DRAIN_SECONDS: '3' } });
  const key = /\besk_test_[0-9a-f]{40}\b/.exec(await server.banner())?.[0] ?? '';
  const { sandbox, panel } = server.urls;
  await using agents = new AsyncDisposableStack();
  const own = Array.from({ length: CONNECTIONS }, () => agents.adopt(new Agent({ connections: 1 }), (a) => a.close()));
  const post = async (dispatcher: Agent) => {
    const form = { 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await request(`${sandbox}/webhook/test`, { dispatcher, method: 'POST', headers: form, body: 'a=b' });
    await answer.body.dump();
    return `${answer.statusCode} ${answer.headers.connection}`;
  };
  const each = async () => new Set(await Promise.all(own.map(post)));
  const ready = async () => (await request(`${panel}/readyz`)).statusCode;

  assert.equal(await ready(), 200);
  assert.ok([...(await each())].every((answer) => answer.endsWith('keep-alive')));
  const ended = server.end('SIGTERM');
  await until(async () => (await ready()) === 503, 'it still says that it is ready');
  assert.equal((await getBalance(sandbox, key)).status, 200, 'a new connection is served as well');
  assert.ok([...(await each())].every((answer) => answer.endsWith('close')));
  await until(() => refused(Number(new URL(sandbox).port)), 'it never stopped');
  assert.equal(await ended, 0);
});
