import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificate } from '../../test/support/servers/certificate.ts';
import { startChild } from './support/child.ts';
import { benchDatabase } from './support/database.ts';
import { usedBy, usedByPostgres } from './support/processor-time.ts';
import type { RawLoop } from './support/raw-signing-loop.ts';
import type { Counted } from './support/webhook-receiver.ts';
import { webhookStage } from './support/webhook-stage.ts';

/** Signed, stored, logged deliveries per second beside a raw keep-alive signing loop, in turn, to the same receiver. */
const TARGET = { http: 0.9, https: 1 };
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const SUBSCRIPTIONS = 20;
const RAW_SECONDS = 3;
const CONCURRENCY = 64;

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function bench(tls: boolean): Promise<number> {
  await using database = await benchDatabase();
  const caFile = join(database.folder, 'ca.pem');
  await writeFile(caFile, certificate.cert);
  const env = { DATABASE_URL: database.url, WAYFARE_DATA: database.folder, NODE_EXTRA_CA_CERTS: caFile };
  await using stage = await webhookStage(env, { tls, subscriptions: SUBSCRIPTIONS });
  const worker = startChild(new URL('support/webhook-worker.ts', import.meta.url), {
    ...env,
    LISTEN_PORTS: '0',
    WEBHOOK_TRUSTED_HOSTS: stage.receiverHost,
  });
  await using _worker = worker;
  await using raw = startChild(new URL('support/raw-signing-loop.ts', import.meta.url), env);
  await worker.ask({});

  const [one] = stage.subscriptions;
  if (!one) throw new Error('no subscription');
  const body = JSON.stringify({
    event: 'order.delivered',
    event_id: 'order.delivered:1000001:1',
    order_id: 1_000_001,
    status: '1',
    delivery: 'delivered',
    delivery_reason: '',
    iccid: '8910300000012345678',
    qr_code: 'LPA:1$smdp.example.com$AAAA-BBBB-CCCC-DDDD',
    occurred_at: '2026-03-01T12:00:00+00:00',
  });
  const url = `${tls ? 'https' : 'http'}://${stage.receiverHost}${one.path}`;
  const loop: RawLoop = { url, secret: one.secret, body, concurrency: CONCURRENCY, seconds: RAW_SECONDS };

  const arrived = async () => (await stage.receiver.ask<Counted>({ count: true })).verified;

  /** Processor time, in microseconds. */
  const used = () => ({
    worker: usedBy(worker.pid),
    PostgreSQL: usedByPostgres(database.folder),
    receiver: usedBy(stage.receiver.pid),
  });

  async function deliver(): Promise<{ perSecond: number; each: string }> {
    await stage.fill(DELIVERIES);
    await worker.ask({});
    const before = await arrived();
    const atFirst = used();
    const started = performance.now();
    await stage.release();
    // Counting the queue reads all of it, which would be work beside what is measured. So the receiver says when it is nearly over.
    while ((await arrived()) < before + DELIVERIES) await sleep(20);
    while ((await stage.waiting()) > 0) await sleep(5);
    const elapsed = (performance.now() - started) / 1000;
    const atLast = used();
    const parts = (Object.keys(atLast) as (keyof typeof atLast)[]).map(
      (part) => `${part} ${((atLast[part] - atFirst[part]) / DELIVERIES).toFixed(0)}`,
    );
    return { perSecond: DELIVERIES / elapsed, each: parts.join(', ') };
  }

  await raw.ask({ ...loop, seconds: 2 });
  await deliver();
  const rates = { raw: [] as number[], ours: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await raw.ask<{ perSecond: number; cpuMicroseconds: number }>(loop);
    const ours = await deliver();
    rates.raw.push(bare.perSecond);
    rates.ours.push(ours.perSecond);
    console.log(
      `  raw ${bare.perSecond.toFixed(0)}/s (${bare.cpuMicroseconds.toFixed(0)} µs of processor time each), ` +
        `delivered ${ours.perSecond.toFixed(0)}/s (µs: ${ours.each})`,
    );
  }
  const counted = await stage.receiver.ask<Counted>({ count: true });
  if (counted.wrong > 0) throw new Error(`${counted.wrong} signatures were wrong`);
  const ratio = median(rates.ours) / median(rates.raw);
  console.log(
    `  ${counted.verified} signatures verified, none wrong; ratio of the medians: ${(100 * ratio).toFixed(1)} %`,
  );
  return ratio;
}

let isMet = true;
for (const [scheme, target] of [
  ['http', TARGET.http],
  ['https', TARGET.https],
] as const) {
  console.log(`${scheme.toUpperCase()}: ${DELIVERIES} deliveries to ${SUBSCRIPTIONS} subscriptions, ${ROUNDS} rounds`);
  const isReached = (await bench(scheme === 'https')) >= target;
  console.log(`  target ${100 * target} %: ${isReached ? 'met' : 'missed'}\n`);
  isMet &&= isReached;
}
process.exitCode = isMet ? 0 : 1;
