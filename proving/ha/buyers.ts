import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** An acknowledged purchase: it must exist exactly once, for ever. */
export interface Acknowledged {
  readonly key: string;
  readonly orderId: string;
}

/** Of an order, or of an error. */
interface Body {
  readonly id?: number | string;
  readonly error?: string;
}

/** Leaves the processor idle for part of the time: the proof is about faults, not about rates. */
const PAUSE_MS = 200;
const RETRY_MS = 100;
/** Longer than any request may take. */
const ANSWER_MS = 30_000;

/**
 * Clients that buy one eSIM after the other. Each purchase has its own idempotency key, and is sent again with it until the answer
 * is conclusive.
 */
export class Buyers {
  readonly acknowledged: Acknowledged[];
  /** When each process acknowledged a purchase, in milliseconds of `performance.now`. */
  readonly moments: readonly number[][];
  /** How often each answer other than an acknowledgement came. */
  readonly refusals = new Map<string, number>();
  /** The longest any purchase took from its first request to its acknowledgement. */
  slowestMs = 0;
  /** How many were acknowledged only after several requests. */
  repeated = 0;
  readonly #journal: WriteStream;
  readonly #agent = new Agent({ connections: 64, headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS });
  readonly #clients: Promise<unknown>;
  #isOver = false;

  /** One client per key; they are dealt out to the processes in turn, and each stays with its own. */
  constructor(shop: {
    keys: readonly string[];
    product: string;
    urls: readonly string[];
    journal: string;
    acknowledged: Acknowledged[];
  }) {
    this.acknowledged = shop.acknowledged;
    this.moments = shop.urls.map(() => []);
    this.#journal = createWriteStream(shop.journal, { flags: 'a' });
    this.#clients = Promise.all(
      shop.keys.map(async (apiKey, i) => {
        const at = i % shop.urls.length;
        const prefix = `client${i}-`;
        // One that was begun and never acknowledged is the first to be sent again.
        const done = this.acknowledged.filter(({ key }) => key.startsWith(prefix)).length;
        for (let n = done; !this.#isOver; n++) {
          await this.#buy({
            apiKey,
            url: shop.urls[at] as string,
            at,
            product: shop.product,
            key: `${prefix}${n}`,
          });
          await wait(PAUSE_MS);
        }
      }),
    );
  }

  /** Every purchase that was begun is acknowledged first. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
    await new Promise<void>((resolve) => this.#journal.end(resolve));
    await this.#agent.close();
  }

  async #buy(wanted: { apiKey: string; url: string; at: number; product: string; key: string }): Promise<void> {
    const began = performance.now();
    for (let tries = 1; ; tries++) {
      const { status, body } = await this.#send(wanted);
      if (status === 200 || status === 202) {
        const now = performance.now();
        const acknowledged = { key: wanted.key, orderId: String(body.id) };
        this.acknowledged.push(acknowledged);
        this.moments[wanted.at]?.push(now);
        this.slowestMs = Math.max(this.slowestMs, now - began);
        if (tries > 1) this.repeated += 1;
        this.#journal.write(`${JSON.stringify({ ...acknowledged, tries, ms: Math.round(now - began), status })}\n`);
        return;
      }
      const name = `${status} ${body.error ?? ''}`.trim();
      this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
      await wait(RETRY_MS);
    }
  }

  async #send(wanted: {
    apiKey: string;
    url: string;
    product: string;
    key: string;
  }): Promise<{ status: number; body: Body }> {
    try {
      const answer = await request(`${wanted.url}/purchase/buy`, {
        dispatcher: this.#agent,
        method: 'POST',
        headers: { 'x-api-key': wanted.apiKey, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          product_id: wanted.product,
          idempotency_key: wanted.key,
          reference: wanted.key,
        }).toString(),
      });
      return { status: answer.statusCode, body: (await answer.body.json()) as Body };
    } catch (error) {
      return { status: 0, body: { error: error instanceof Error ? error.message : String(error) } };
    }
  }
}
