import type { BrowserContext } from 'playwright-core';

export interface Weight {
  readonly requests: number;
  /** As they came over the line, headers included, without fonts. */
  readonly bytes: number;
  readonly addresses: readonly string[];
}

const MOST_FONT_BYTES = 60_000;

/** The first visit to a page, with nothing kept from before. */
export async function firstLoad(context: BrowserContext, url: string, ready: string): Promise<Weight> {
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  const addresses: string[] = [];
  let bytes = 0;
  const fonts = new Set<string>();
  page.on('request', (request) => {
    // Flags are marked as lazy: the page is complete without them, and there are as many as the account has destinations.
    if (!request.url().includes('/flags/')) addresses.push(request.url());
  });
  line.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Font') fonts.add(requestId);
  });
  // Text is readable before the font has come, which browsers then keep for a year.
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!fonts.has(requestId)) bytes += encodedDataLength;
    else if (encodedDataLength > MOST_FONT_BYTES) throw new Error(`a font of ${encodedDataLength} bytes`);
  });
  await page.goto(url);
  await page.getByText(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.close();
  return { requests: addresses.length, bytes, addresses };
}

const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };

/**
 * How long that takes at 1.6 Mbit/s on a processor four times slower, until `ready` is there and the page answers a click; and how
 * long a fixed amount of work takes there, which says how busy the machine is.
 */
export async function slowLoadMs(
  context: BrowserContext,
  url: string,
  ready: string,
): Promise<{ took: number; work: number }> {
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', SLOW_LINE);
  await line.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const began = Date.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByText(ready).first().waitFor();
  await page.getByRole('button', { name: /^Switch to \w+ mode$/ }).click();
  const took = Date.now() - began;
  const work = await page.evaluate<number>(`(() => {
    const began = performance.now();
    for (let i = 0, sum = 0; i < 2e7; i++) sum = (sum + i) % 1021;
    return performance.now() - began;
  })()`);
  await page.close();
  return { took, work };
}
