import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { checkEvents, createSubscription } from '../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { createKey, setKey } from '../../src/domains/partners/keys/keys.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Mode } from '../../src/platform/contract/mode.ts';
import { createLog } from '../../src/platform/log.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { openBase } from '../../src/worlds/base.ts';
import { freePort } from '../../test/support/program/ports.ts';
import { benchDatabase } from './support/database.ts';
import { pinnedServer } from './support/pinned.ts';
import { stockShop } from './support/shop.ts';

/**
 * How long an idle server takes from answering a purchase to delivering its webhooks, in each world. One purchase at a time,
 * with pauses of varying length, so that deliveries meet the poll and each other at every possible moment.
 */
const TARGET_MS = 10;
const PURCHASES = Number(process.env.BENCH_PURCHASES ?? 500);
const WARM_UP = 50;
const LONGEST_PAUSE_MS = 40;
/** Events of one purchase: order.created, order.paid and order.delivered. */
const DELIVERIES = 3;
/** Long enough for anything the hint missed to be found by polling. */
const PATIENCE_MS = 5_000;
const modes = ['live', 'sandbox'] as const satisfies readonly Mode[];

/** When each delivery arrived, by the order it is about. */
const arrivals = new Map<string, number[]>();
const receiver = createServer(async (request, response) => {
  const at = performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const orderId = String(JSON.parse(Buffer.concat(chunks).toString()).order_id);
  arrivals.set(orderId, [...(arrivals.get(orderId) ?? []), at]);
  response.end();
});
receiver.keepAliveTimeout = 60_000;
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;

await using database = await benchDatabase();
const ports = { live: await freePort(), sandbox: await freePort() };
const env = {
  DATABASE_URL: database.url,
  WAYFARE_DATA: database.folder,
  LIVE_BASE_URL: `http://localhost:${ports.live}/v3`,
  SANDBOX_BASE_URL: `http://localhost:${ports.sandbox}/v3`,
  LISTEN_PORTS: `${ports.live},${ports.sandbox}`,
  WEBHOOK_TRUSTED_HOSTS: receiverHost,
};
const { keys, product } = await stockShop(env, 1);
const key: Record<Mode, string> = { live: keys[0] ?? '', sandbox: await subscribe() };
await using _server = await pinnedServer(
  new URL('support/shop-server.ts', import.meta.url),
  { env },
  { core: undefined },
);

/** Subscribes the only partner to everything in both worlds; returns a sandbox key without a practical rate limit. */
async function subscribe(): Promise<string> {
  const log = createLog('error');
  await using base = await openBase({ config: readConfig(env), clock: systemClock, log, as: 'migrator' });
  const partnerId = 1;
  for (const mode of modes) {
    const wanted = { partnerId, url: `http://${receiverHost}/${mode}`, events: checkEvents([]) };
    await base.worlds[mode].db.tx((tx) => createSubscription(tx, base.vault, wanted, Date.now()));
  }
  return await base.db.tx(async (tx) => {
    const { key, keyId } = await createKey(tx, { partnerId, mode: 'sandbox' });
    await setKey(tx, keyId, { ceilings: { purchase: 1_000_000_000 } });
    return key;
  });
}

/** Milliseconds from the answer to each delivery of one purchase; zero for one that arrived before the answer did. */
async function delays(client: Client, mode: Mode): Promise<number[]> {
  const { statusCode, body } = await client.request({
    method: 'POST',
    path: '/v3/purchase/buy',
    headers: { 'x-api-key': key[mode], 'content-type': 'application/x-www-form-urlencoded' },
    body: `product_id=${product}`,
  });
  const answeredAt = performance.now();
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${mode}: ${statusCode} ${text}`);
  const { id } = JSON.parse(text) as { id: string };
  while ((arrivals.get(id)?.length ?? 0) < DELIVERIES) {
    if (performance.now() - answeredAt > PATIENCE_MS) throw new Error(`${mode}: deliveries of order ${id} are missing`);
    await sleep(1);
  }
  const found = arrivals.get(id) ?? [];
  arrivals.delete(id);
  return found.map((at) => Math.max(0, at - answeredAt));
}

let worst = 0;
console.log(`answer to arrival over ${PURCHASES} purchases, ms\n`);
console.log(`${''.padEnd(10)}${['p50', 'p90', 'p99', 'max', 'over 100'].map((name) => name.padStart(10)).join('')}`);
for (const mode of modes) {
  const client = new Client(`http://localhost:${ports[mode]}`);
  const seen: number[] = [];
  for (let i = 0; i < PURCHASES + WARM_UP; i++) {
    await sleep(Math.random() * LONGEST_PAUSE_MS);
    const measured = await delays(client, mode);
    if (i >= WARM_UP) seen.push(...measured);
  }
  seen.sort((a, b) => a - b);
  const at = (share: number) => seen[Math.min(seen.length - 1, Math.floor(seen.length * share))] ?? 0;
  worst = Math.max(worst, at(0.99));
  const figures = [at(0.5), at(0.9), at(0.99), at(1)].map((ms) => ms.toFixed(1).padStart(10));
  const late = `${((100 * seen.filter((ms) => ms > 100).length) / seen.length).toFixed(1)} %`;
  console.log(`${mode.padEnd(10)}${figures.join('')}${late.padStart(10)}`);
  await client.close();
}
receiver.closeAllConnections();
receiver.close();
console.log(`\ntarget p99 under ${TARGET_MS} ms in both worlds: ${worst < TARGET_MS ? 'met' : 'missed'}`);
process.exitCode = worst < TARGET_MS ? 0 : 1;
