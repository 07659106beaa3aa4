import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { OrderEvent } from '../../../../src/domains/messages/events/events.ts';
import {
  checkEvents,
  createSubscription,
} from '../../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { createPartner } from '../../../../src/domains/partners/accounts/accounts.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { startPostgres } from '../../../../src/platform/db/embedded/embedded.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { readConfig } from '../../../../src/platform/settings/config.ts';
import { openBase } from '../../../../src/worlds/base.ts';
import { receiver, until } from '../../../support/servers/receiver.ts';

const DELIVERIES = 2_400;
const SUBSCRIPTIONS = 5;
const BATCHES = 40;
const EVENTS_PER_BATCH = DELIVERIES / SUBSCRIPTIONS / BATCHES;

const silent = createLog('silent');
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The real program in a process of its own, worker role; like any service it is started again when it ends. */
class Worker {
  readonly #env: Record<string, string>;
  #child: ChildProcess;
  #stopped = false;

  constructor(env: Record<string, string>) {
    this.#env = env;
    this.#child = this.#start();
  }

  #start(): ChildProcess {
    const program = fileURLToPath(new URL('../../../../src/main.ts', import.meta.url));
    const child = spawn(process.execPath, [program, 'start', '--role', 'worker'], {
      env: { ...process.env, ...this.#env },
      stdio: 'ignore',
    });
    child.once('exit', () => {
      if (!this.#stopped) this.#child = this.#start();
    });
    return child;
  }

  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.kill();
  }
}

test('killed anywhere, no event is lost and no more are repeated than were in flight', {
  timeout: 240_000,
}, async () => {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-kill-'));
  await chmod(folder, 0o711);
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres(folder, silent, ['fsync=off']);
  undo.defer(() => postgres.stop());
  await using hook = await receiver();
  const env = {
    DATABASE_URL: postgres.url,
    WAYFARE_DATA: folder,
    WAYFARE_SECRET: randomBytes(32).toString('hex'),
    WEBHOOK_TRUSTED_HOSTS: hook.host,
    LISTEN_PORTS: '0',
  };
  const base = await openBase({ config: readConfig(env), clock: systemClock, log: silent, as: 'server' });
  undo.defer(() => base[Symbol.asyncDispose]());
  const world = base.worlds.live;
  const partnerId = await base.db.tx((tx) => createPartner(tx, { name: 'Kill', email: 'k@example.com' }, new Date()));
  const secrets = new Map<string, string>();
  for (let i = 0; i < SUBSCRIPTIONS; i++) {
    const wanted = { partnerId, url: `http://${hook.host}/${i}`, events: checkEvents([]) };
    const { secret } = await world.db.tx((tx) => createSubscription(tx, base.vault, wanted, Date.now()));
    secrets.set(`/${i}`, secret);
  }

  // What arrived: every signature checked, every delivery counted.
  const counts = new Map<string, number>();
  let forged = 0;
  hook.answer = ({ path, headers, body }, response) => {
    const signed = `${headers['x-webhook-timestamp']}.${body}`;
    const right = createHmac('sha256', secrets.get(path) ?? '')
      .update(signed)
      .digest('hex');
    if (headers['x-signature'] !== `sha256=${right}`) forged += 1;
    const name = `${path} ${JSON.parse(body).event_id}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    response.end();
  };

  const workers = [new Worker(env), new Worker(env)] as const;
  undo.defer(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  let inFlightAtKills = 0;
  const killWorker = async (which: 0 | 1) => {
    await workers[which].kill();
    const { n } = await world.db.one<{ n: bigint }>(sql`
      select count(*) as n from webhook_queue where attempts > 0 and due_at > now()`);
    inFlightAtKills += Number(n);
  };
  const restartPostgres = async () => {
    process.kill(postgres.pid, 'SIGQUIT');
    await sleep(200);
  };
  const disasters = new Map<number, () => Promise<void>>([
    [6, () => killWorker(0)],
    [12, () => killWorker(1)],
    [18, restartPostgres],
    [24, () => killWorker(0)],
    [30, restartPostgres],
    [36, () => killWorker(1)],
  ]);

  // Published while all this goes on. Only what was committed is owed; a commit whose answer was lost may or may not be.
  const owed = new Set<string>();
  const maybe = new Set<string>();
  let orderId = 0n;
  for (let batch = 0; batch < BATCHES; batch++) {
    const events = Array.from({ length: EVENTS_PER_BATCH }, (): OrderEvent => {
      orderId += 1n;
      const nothing = { reference: '', delivery: '', deliveryReason: '', iccid: '', qrCode: '' };
      return { partnerId, orderId, event: 'order.paid', ...nothing, occurredAt: Date.now() };
    });
    const names = events.map((event) => `order.paid:${event.orderId}:1`);
    try {
      await world.db.tx((tx) => world.webhooks.publish(tx, events));
      for (const name of names) owed.add(name);
    } catch {
      for (const name of names) maybe.add(name);
      await sleep(300);
      batch -= 1;
    }
    await disasters.get(batch)?.();
    disasters.delete(batch);
    await sleep(100);
  }
  assert.ok(owed.size * SUBSCRIPTIONS >= DELIVERIES, `${owed.size} events are owed`);

  const missing = () => [...owed].flatMap((id) => [...secrets.keys()].filter((path) => !counts.has(`${path} ${id}`)));
  await until(
    () => counts.size >= DELIVERIES && missing().length === 0,
    () => `${missing().length} never came`,
  );
  const waiting = async () =>
    Number((await world.db.one<{ n: bigint }>(sql`select count(*) as n from webhook_queue`)).n);
  await until(async () => (await waiting()) === 0);

  const unknown = [...counts.keys()].filter(
    (name) => !owed.has(name.split(' ')[1] ?? '') && !maybe.has(name.split(' ')[1] ?? ''),
  );
  const repeated = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
  assert.equal(forged, 0);
  assert.deepEqual(unknown, []);
  assert.ok(repeated <= inFlightAtKills, `${repeated} repeated, ${inFlightAtKills} were in flight when killed`);
  const { n } = await world.db.one<{ n: bigint }>(
    sql`select count(*) as n from webhook_deliveries where status <> 'sent'`,
  );
  assert.equal(n, 0n, 'every delivery is logged as sent');
  console.log(
    `# ${counts.size} deliveries, ${repeated} repeated, ${inFlightAtKills} in flight at 4 kills and 2 restarts`,
  );
});
