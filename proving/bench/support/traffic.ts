import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';

interface Traffic {
  /** Sends requests until the work is done and all of them are answered; returns those that were begun meanwhile. */
  during(work: () => Promise<unknown>): Promise<Sent[]>;
  close(): Promise<void>;
}

export interface Sent {
  readonly isPurchase: boolean;
  readonly ms: number;
  /** Undefined: it was answered as it should be. */
  readonly failure: string | undefined;
}

interface Options {
  readonly perSecond: number;
  readonly keys: readonly string[];
  readonly product: string;
  /** Of the servers to send to, in turn. */
  ports(): readonly number[];
}

/** One request in this many reads a balance. */
const READ_EVERY = 6;
/** A timer may be late: everything due by then is sent together. */
const TICK_MS = 5;

/**
 * Requests at a steady rate, begun whether or not earlier ones were answered: a server that stalls does not make its clients come later.
 * Purchases are answered 200, or 202 if the supplier was slow.
 */
export function openTraffic({ perSecond, keys, product, ports }: Options): Traffic {
  const agent = new Agent({ connections: 512, keepAliveTimeout: 1_000 });
  let number = 0;
  // A key of an earlier run would be answered with what was bought then.
  const run = randomUUID();

  async function send(): Promise<Sent> {
    number += 1;
    const isPurchase = number % READ_EVERY !== 0;
    const base = `http://localhost:${ports()[number % ports().length]}/v3`;
    const headers = {
      'x-api-key': keys[number % keys.length] ?? '',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const began = performance.now();
    const answered = (failure?: string): Sent => ({ isPurchase, ms: performance.now() - began, failure });
    try {
      const { statusCode, body } = isPurchase
        ? await request(`${base}/purchase/buy`, {
            method: 'POST',
            headers,
            body: `product_id=${product}&idempotency_key=${run}-${number}`,
            dispatcher: agent,
          })
        : await request(`${base}/account/balance`, { headers, dispatcher: agent });
      const text = await body.text();
      return answered([200, 202].includes(statusCode) ? undefined : `${statusCode} ${text.slice(0, 200)}`);
    } catch (error) {
      return answered(String(error));
    }
  }

  return {
    async during(work) {
      const sent: Promise<Sent>[] = [];
      const began = performance.now();
      const timer = setInterval(() => {
        const due = ((performance.now() - began) / 1_000) * perSecond;
        while (sent.length < due) sent.push(send());
      }, TICK_MS);
      try {
        await work();
      } finally {
        clearInterval(timer);
      }
      return Promise.all(sent);
    },
    close: () => agent.close(),
  };
}

/** One line, and below it what failed. */
export function summary(name: string, sent: readonly Sent[]): string {
  const failures = sent.flatMap(({ failure }) => failure ?? []);
  const times = sent.flatMap(({ isPurchase, ms }) => (isPurchase ? [ms] : [])).sort((a, b) => a - b);
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed();
  const figures = `purchases: median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`;
  return [
    `${name.padEnd(18)}${sent.length} requests, ${failures.length} failed; ${figures}`,
    ...[...new Set(failures)].slice(0, 5).map((failure) => `  ${failure}`),
  ].join('\n');
}
