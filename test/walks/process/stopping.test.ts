import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { checkEvents, createSubscription } from '../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { createKey } from '../../../src/domains/partners/keys/keys.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type EmbeddedPostgres, startPostgres } from '../../../src/platform/db/embedded/embedded.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openBase } from '../../../src/worlds/base.ts';
import { testFolder } from '../../support/database/folder.ts';
import { until } from '../../support/program/process.ts';
import { ServerProcess } from '../../support/program/server-process.ts';
import { receiver } from '../../support/servers/receiver.ts';

const silent = createLog('silent');
const STOPPED_WITHIN_MS = 90_000;

test('SIGTERM ends a server whose database is away and a webhook outcome unrecorded; the next one sends it again', {
  timeout: 300_000,
}, async () => {
  await using undo = new AsyncDisposableStack();
  await using folder = await testFolder(0o711);
  const open = () => startPostgres(join(folder.path, 'database'), silent, ['fsync=off']);
  let postgres: EmbeddedPostgres = await open();
  undo.defer(() => postgres.stop());
  await using hook = await receiver();
  const env = {
    DATABASE_URL: postgres.url,
    WAYFARE_SECRET: randomBytes(32).toString('hex'),
    WAYFARE_DEMO: 'off',
    WEBHOOK_TRUSTED_HOSTS: hook.host,
  };
  const key = await subscribed(env, hook.url);
  const dataDir = join(folder.path, 'data');

  await using first = await ServerProcess.start({ dataDir, env });
  // The receiver answers only once the database is away.
  const answers: (() => void)[] = [];
  hook.answer = (_received, response) => void answers.push(() => response.end());
  const queued = await request(`${first.urls.live}/webhook/test`, { method: 'POST', headers: { 'x-api-key': key } });
  assert.equal(queued.statusCode, 200, await queued.body.text());
  await hook.got(1);
  await postgres.stop();
  for (const answer of answers) answer();
  await until(async () => first.stdout.includes('could not be recorded'), 'no outcome waited to be recorded');

  const begun = performance.now();
  assert.equal(await first.end('SIGTERM'), 0);
  const took = performance.now() - begun;
  assert.ok(took < STOPPED_WITHIN_MS, `it took ${took} ms to stop`);

  hook.answer = 200;
  postgres = await open();
  await using second = await ServerProcess.start({ dataDir, env });
  await hook.got(2);
  const [lost, again] = hook.received;
  assert.equal(again?.headers['webhook-id'], lost?.headers['webhook-id'], 'the same event');
  await until(async () => (await statuses(second.urls.live, key)).join() === 'sent', 'it was never recorded as sent');
});

/** A partner with a subscription in live; returns a key. */
async function subscribed(env: NodeJS.ProcessEnv, url: string): Promise<string> {
  await using base = await openBase({ config: readConfig(env), clock: systemClock, log: silent, as: 'server' });
  const partnerId = await base.db.tx((tx) => createPartner(tx, { name: 'Stop', email: 's@example.com' }, new Date()));
  const wanted = { partnerId, url, events: checkEvents([]) };
  await base.worlds.live.db.tx((tx) => createSubscription(tx, base.vault, wanted, Date.now()));
  const { key } = await base.db.tx((tx) => createKey(tx, { partnerId, mode: 'live' }));
  return key;
}

async function statuses(live: string, key: string): Promise<string[]> {
  const { body } = await request(`${live}/webhook/deliveries`, { headers: { 'x-api-key': key } });
  const { deliveries } = (await body.json()) as { deliveries: { status: string }[] };
  return deliveries.map(({ status }) => status);
}
