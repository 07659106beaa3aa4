import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/platform/db/query/sql.ts';
import { startChild } from './support/child.ts';
import { benchDatabase } from './support/database.ts';
import type { Counted } from './support/webhook-receiver.ts';
import { webhookStage } from './support/webhook-stage.ts';

/** 1,000 receivers, a tenth of them silent: the rate of the others beside the rate they have alone, in turn. */
const TARGET = 0.9;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SUBSCRIPTIONS = 1_000;
const SILENT = 100;
const PER_SUBSCRIPTION = Number(process.env.BENCH_PER_SUBSCRIPTION ?? 20);

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

await using database = await benchDatabase();
const env = { DATABASE_URL: database.url, WAYFARE_DATA: database.folder };
await using stage = await webhookStage(env, { tls: false, subscriptions: SUBSCRIPTIONS });
await using worker = startChild(new URL('support/webhook-worker.ts', import.meta.url), {
  ...env,
  LISTEN_PORTS: '0',
  WEBHOOK_TRUSTED_HOSTS: stage.receiverHost,
});
await worker.ask({});
const { db } = stage.base.worlds.live;
const silent = stage.subscriptions.slice(-SILENT);
const healthy = stage.subscriptions.slice(0, -SILENT);
await stage.receiver.ask({ silence: silent.map(({ path }) => path) });

const arrived = async () => {
  const { byPath } = await stage.receiver.ask<Counted>({ count: true });
  return healthy.reduce((sum, { path }) => sum + (byPath[path] ?? 0), 0);
};

/** Deliveries per second to the healthy receivers, with or without the silent ones due as well. */
async function round(withSilent: boolean): Promise<number> {
  // Deliveries and failures left over from the round before are cleared.
  await db.run(sql`delete from webhook_queue`);
  await stage.fill(SUBSCRIPTIONS * PER_SUBSCRIPTION);
  const before = await arrived();
  const wanted = healthy.length * PER_SUBSCRIPTION;
  const started = performance.now();
  await stage.release(withSilent ? stage.subscriptions : healthy);
  for (let done = 0; done < wanted; done = (await arrived()) - before) await sleep(20);
  return wanted / ((performance.now() - started) / 1000);
}

console.log(`${SUBSCRIPTIONS} receivers, ${PER_SUBSCRIPTION} deliveries each, ${ROUNDS} rounds in turn`);
await round(false);
const rates = { alone: [] as number[], beside: [] as number[] };
for (let i = 0; i < ROUNDS; i++) {
  rates.alone.push(await round(false));
  rates.beside.push(await round(true));
  console.log(
    `  healthy alone ${rates.alone.at(-1)?.toFixed(0)}/s, beside ${SILENT} silent ${rates.beside.at(-1)?.toFixed(0)}/s`,
  );
}
const ratio = median(rates.beside) / median(rates.alone);
console.log(`  ratio of the medians: ${(100 * ratio).toFixed(1)} %`);
console.log(`  target ${100 * TARGET} %: ${ratio >= TARGET ? 'met' : 'missed'}`);
process.exitCode = ratio >= TARGET ? 0 : 1;
