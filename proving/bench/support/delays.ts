import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

const PAUSE_MS = 2;

export interface Delays {
  readonly requests: number;
  readonly medianMs: number;
  readonly longestMs: number;
}

/** Asks for `url`, one request after the other, until `busy` is over: how long each had to wait. */
export async function delaysDuring(
  busy: Promise<unknown>,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Delays> {
  let isOver = false;
  const over = busy.finally(() => {
    isOver = true;
  });
  const waits: number[] = [];
  while (!isOver) {
    const asked = performance.now();
    await request(url, { headers }).then(({ body }) => body.dump());
    waits.push(performance.now() - asked);
    await sleep(PAUSE_MS);
  }
  await over;
  waits.sort((a, b) => a - b);
  return { requests: waits.length, medianMs: waits[waits.length >> 1] ?? 0, longestMs: waits.at(-1) ?? 0 };
}

export const told = ({ requests, medianMs, longestMs }: Delays): string =>
  `longest of ${requests} requests ${longestMs.toFixed(1)} ms, median ${medianMs.toFixed(1)} ms`;
