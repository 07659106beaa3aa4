import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeBatch } from '../../src/domains/messages/webhooks/log/retention.ts';
import { DAY } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate/migrate.ts';
import { worldRole } from '../../src/platform/db/migrate/rights.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { fillBacklog } from '../../test/domains/messages/webhooks/backlog.ts';
import { startChild } from './support/child.ts';
import { benchDatabase } from './support/database.ts';
import { webhookStage } from './support/webhook-stage.ts';

/**
 * Removing old deliveries from a log of ten million: the time of a batch, what a pass costs that finds nothing to remove, and
 * the rate of deliveries with and without the removal beside them, in turn.
 */
const LOGGED = Number(process.env.BENCH_LOGGED ?? 10_000_000);
const BATCHES = Number(process.env.BENCH_BATCHES ?? 1_000);
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const ROUNDS = 3;
/** The job's pause between two batches (src/domains/messages/webhooks/log/retention.ts). */
const PAUSE_MS = 100;
/** The backlog is 40 days old. */
const before = new Date(Date.now() - 39 * DAY);

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;

await using database = await benchDatabase();
await migrate(database.url);
const open = { url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 600_000 };
const owner = openDatabase(open);
const db = openDatabase({ ...open, role: worldRole.live, inIndexOrder: true });
const { id: partnerId } = await owner.one<{ id: number }>(sql`
  insert into shared.partners (name, email) values ('Bench', 'bench@example.com') returning id`);
let started = performance.now();
await fillBacklog(owner, partnerId, { subscriptions: 5, due: 0, sent: LOGGED });
await owner.run(sql`
  insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, http_code, error, response_headers, response_body)
  select id, 1, created_at, 12, 200, '', repeat('x', 200), 'ok' from webhook_deliveries`);
await owner.run(sql`vacuum analyze webhook_deliveries, webhook_attempts`);
console.log(`${LOGGED} deliveries in the log, filled in ${seconds()} s`);

function seconds(): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}

let after = 0n;
/** Removes the next batch and returns the milliseconds that took. */
async function remove(): Promise<number> {
  const from = performance.now();
  const { last, removed } = await removeBatch(db, after, before);
  if (last === null || removed === 0) throw new Error('nothing is left to remove');
  after = last;
  return performance.now() - from;
}

try {
  const times: number[] = [];
  for (let i = 0; i < BATCHES; i++) times.push(await remove());
  const sum = times.reduce((a, b) => a + b, 0);
  console.log(
    `${BATCHES} batches of 1000 without a rest: median ${at(times, 0.5).toFixed(1)} ms, 99th ${at(times, 0.99).toFixed(1)} ms, ` +
      `worst ${at(times, 1).toFixed(1)} ms; ${((1_000 * sum) / (1_000 * BATCHES)).toFixed(1)} µs a row`,
  );

  // Looks at 20 batches. A new process begins at the front, where the removed rows are not vacuumed yet.
  for (const [which, begin] of [
    ['first', 0n],
    ['next', after],
  ] as const) {
    started = performance.now();
    let from = begin;
    for (let i = 0; i < 20; i++) from = (await removeBatch(db, from, new Date(0))).last ?? 0n;
    console.log(
      `the ${which} pass of a process, with nothing to remove: ${(performance.now() - started).toFixed(0)} ms`,
    );
  }
  started = performance.now();
  await owner.run(sql`vacuum webhook_deliveries, webhook_attempts`);
  console.log(`the vacuum after it: ${seconds()} s`);

  const env = { DATABASE_URL: database.url, WAYFARE_DATA: database.folder };
  await using stage = await webhookStage(env, { tls: false, subscriptions: 20 });
  await using worker = startChild(new URL('support/webhook-worker.ts', import.meta.url), {
    ...env,
    LISTEN_PORTS: '0',
    WEBHOOK_TRUSTED_HOSTS: stage.receiverHost,
  });
  await worker.ask({});

  async function deliver(): Promise<number> {
    await stage.fill(DELIVERIES);
    const from = performance.now();
    await stage.release();
    while ((await stage.waiting()) > 0) await sleep(20);
    return DELIVERIES / ((performance.now() - from) / 1000);
  }
  await deliver();
  const rates = { alone: [] as number[], beside: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.alone.push(await deliver());
    let delivering = true;
    const removal = (async () => {
      for (; delivering; await sleep(PAUSE_MS)) await remove();
    })();
    rates.beside.push(await deliver());
    delivering = false;
    await removal;
  }
  const [alone, beside] = [at(rates.alone, 0.5), at(rates.beside, 0.5)];
  console.log(
    `deliveries/s (medians of ${ROUNDS}): alone ${alone.toFixed(0)}, beside the removal ${beside.toFixed(0)}: ${((100 * beside) / alone).toFixed(1)} %`,
  );
} finally {
  await db.close();
  await owner.close();
}
