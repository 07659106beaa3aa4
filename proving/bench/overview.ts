import { once } from 'node:events';
import { createServer } from 'node:http';
import type { BrowserContext } from 'playwright-core';
import { richAccount } from '../../test/support/browser/every-page/rich-account.ts';
import { startTestPostgres } from '../../test/support/database/postgres.ts';
import { panelStage } from '../../test/support/program/panel-stage.ts';
import { freePort } from '../../test/support/program/ports.ts';

/*
 * The panel's overview on a poor phone: until it shows its orders and the processor has nothing left to do. The yardstick is a page that
 * consists of as many bytes and does nothing.
 */

/** A lower mid-range phone on a slow connection. */
const BYTES_PER_SECOND = 1_600_000 / 8;
const SLOWER = 4;
const LATENCIES_MS = [0, 150];
const LIMIT_MS = 3_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

/** How long the page must be idle before it counts as loaded. */
const QUIET_MS = 2_000;

/** Runs in the page before anything else: notes when what is waited for was there, and the end of the last long task. */
const watch = (selector: string) => `
  window.seen = {};
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.busyUntil = startTime + duration;
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => {
    if (document.querySelector(${JSON.stringify(selector)})) seen.there ??= performance.now();
  }).observe(document, { childList: true, subtree: true });`;

interface Load {
  /** What was waited for is there and the processor is free. */
  readonly ms: number;
  readonly bytes: number;
  readonly requests: number;
}

async function load(context: BrowserContext, url: string, selector: string, latency: number): Promise<Load> {
  await context.addInitScript(watch(selector));
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  let bytes = 0;
  let requests = 0;
  line.on('Network.responseReceived', () => requests++);
  line.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND / 2,
  });
  await line.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor({ state: 'attached' });
  await page.waitForTimeout(QUIET_MS);
  const { there, busyUntil = 0 } = await page.evaluate<{ there: number; busyUntil?: number }>('seen');
  await context.close();
  return { ms: Math.max(there, busyUntil), bytes, requests };
}

/** A page of so many bytes. */
async function barePage(bytes: number): Promise<{ url: string } & Disposable> {
  const script = `document.body.append(document.createElement('main'));//${'x'.repeat(bytes)}`;
  const port = await freePort();
  const server = createServer(({ url }, response) => {
    const isScript = url === '/script.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><body><script src="/script.js"></script>');
  }).listen(port);
  await once(server, 'listening');
  return { url: `http://localhost:${port}`, [Symbol.dispose]: () => void server.close() };
}

const median = (loads: readonly Load[]): number =>
  loads.map(({ ms }) => ms).toSorted((a, b) => a - b)[loads.length >> 1] ?? 0;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

const postgres = await startTestPostgres();
process.env.WAYFARE_TEST_POSTGRES = postgres.url;
try {
  await using stage = await panelStage();
  const { partnerId } = await richAccount(stage);
  const overview = async (latency: number): Promise<Load> =>
    load(await stage.enter(partnerId), `${stage.url}/sandbox`, 'main tbody tr', latency);
  const { bytes, requests } = await overview(0);
  using bare = await barePage(bytes);
  console.log(
    `${(bytes / 1000).toFixed()} kB in ${requests} requests, 1.6 Mbit/s, processor at a quarter, ${ROUNDS} rounds in turn; target: 3 s`,
  );
  for (const latency of LATENCIES_MS) {
    const ours: Load[] = [];
    const yardstick: Load[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await overview(latency));
      yardstick.push(await load(await stage.browser.newContext(), bare.url, 'main', latency));
    }
    const longest = Math.max(...ours.map(({ ms }) => ms));
    if (longest > LIMIT_MS) process.exitCode = 1;
    console.log(
      `latency ${latency} ms: ${seconds(median(ours))}, at most ${seconds(longest)}; as many bytes alone ${seconds(median(yardstick))}`,
    );
  }
} finally {
  await postgres.stop();
}
