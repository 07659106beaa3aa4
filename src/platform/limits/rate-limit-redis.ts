import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { MINUTE, SECOND } from '../clock.ts';
import type { Tier } from '../contract/key-terms.ts';
import type { Log } from '../log.ts';
import { MemoryRateLimiter, type QuotaId, type RateLimiter, type Verdict, verdict } from './rate-limit.ts';

/** The same window and comparison as in rate-limit.ts, run inside the server: atomic, and one round trip. */
const script = `
-- How many calls it counts as; 0: none is counted.
local now, limit, calls = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local minute = math.floor(now / 60000)
local m, p, c = string.match(redis.call('get', KEYS[1]) or '', '^(%d+) (%d+) (%d+)$')
local window, previous, current = tonumber(m or minute), tonumber(p or 0), tonumber(c or 0)
local ahead = minute - window
if ahead > 0 then
  if ahead == 1 then previous = current else previous = 0 end
  current = 0
end
if ahead ~= -1 then window = minute end
local elapsed = math.max(0, now - window * 60000)
local admitted = previous * (60000 - elapsed) + current * 60000 + math.max(1, calls) * 60000 <= limit * 60000
if calls > 0 then
  if admitted then current = current + calls end
  redis.call('set', KEYS[1], string.format('%d %d %d', window, previous, current), 'px', 180000)
end
return { admitted and 1 or 0, window, previous, current }
`;

type Answer = [admitted: 0 | 1, minute: number, previous: number, current: number];
type Scripted = Redis & {
  slidingWindow(key: string, now: number, limit: number, calls: number): Promise<Answer>;
};

/** Starts every key we write, because the server may be shared. */
const PREFIX = 'wayfare:rate:';
const TIMEOUT_MS = 250;
const SOCKET_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 1_000;
const DISCONNECT_TIMEOUT_MS = 100;
const RECONNECT_MS = 500;
/** How long it is not used after a loss. On a busy host it is late now and then, and every switch costs a call its timeout. */
const REST_MS = 2 * SECOND;
const LONGEST_REST_MS = 1 * MINUTE;
/** If it is lost again within this time after it came back, the pause doubles. */
const STEADY_MS = 1 * MINUTE;

interface Limits {
  /** The longest a request waits for the server. */
  readonly timeoutMs: number;
  /** How long the server is not used after it was first lost. */
  readonly restMs: number;
}

/**
 * Quotas shared by all processes through Redis or Valkey. A server that is away or late is not used for some seconds, and longer
 * each time it is lost again. Meanwhile each process counts on its own, without waiting for timeouts, until the script runs again:
 * a broken limiter must not turn paying customers away.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #redis: Scripted;
  readonly #log: Log;
  readonly #alone = new MemoryRateLimiter();
  readonly #stop = new AbortController();
  readonly #limits: Limits;
  #restMs: number;
  #steady: NodeJS.Timeout | undefined;
  #away = false;
  #countedAlone = 0;

  private constructor(redis: Scripted, log: Log, limits: Limits) {
    this.#redis = redis;
    this.#log = log;
    this.#limits = limits;
    this.#restMs = limits.restMs;
  }

  /** Also succeeds while the server is away; it is used as soon as it is there. */
  static async open(url: string, log: Log, limits = { timeoutMs: TIMEOUT_MS, restMs: REST_MS }) {
    const redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: Math.max(limits.timeoutMs, SOCKET_TIMEOUT_MS),
      socketTimeout: SOCKET_TIMEOUT_MS,
      disconnectTimeout: DISCONNECT_TIMEOUT_MS,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => RECONNECT_MS,
      scripts: { slidingWindow: { lua: script, numberOfKeys: 1 } },
    }) as Scripted;
    // Failed commands are handled where they are sent; an error event without a listener would end the process.
    redis.on('error', () => {});
    const limiter = new RedisRateLimiter(redis, log, limits);
    await redis.connect().catch((error: Error) => limiter.#lost(error));
    return limiter;
  }

  take(quota: QuotaId, tier: Tier, limit: number, now: number, calls = 1): Verdict | Promise<Verdict> {
    return this.#ask(quota, tier, limit, now, calls);
  }

  peek(quota: QuotaId, tier: Tier, limit: number, now: number): Verdict | Promise<Verdict> {
    return this.#ask(quota, tier, limit, now, 0);
  }

  /** Calls this process counted alone because the server was away, for the metrics. */
  get countedAlone(): number {
    return this.#countedAlone;
  }

  close(): void {
    this.#stop.abort();
    clearTimeout(this.#steady);
    this.#redis.disconnect();
  }

  /** `calls` is 0 to count none. */
  #ask(quota: QuotaId, tier: Tier, limit: number, now: number, calls: number): Verdict | Promise<Verdict> {
    if (this.#away) return this.#countAlone(quota, tier, limit, now, calls);
    return this.#withTimeout(this.#redis.slidingWindow(`${PREFIX}${quota}:${tier}`, now, limit, calls)).then(
      ([admitted, minute, previous, current]) =>
        verdict({ minute, previous, current }, limit, now, admitted === 1, Math.max(1, calls)),
      (error: Error) => {
        this.#lost(error);
        return this.#countAlone(quota, tier, limit, now, calls);
      },
    );
  }

  /** Only the server's delay counts, not our own: if this process was busy, the answer may have arrived and only has to be read. */
  #withTimeout(answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`no answer in ${this.#limits.timeoutMs} ms`));
      const timer = setTimeout(() => setImmediate(late), this.#limits.timeoutMs);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  #countAlone(quota: QuotaId, tier: Tier, limit: number, now: number, calls: number): Verdict {
    this.#countedAlone += 1;
    return calls > 0 ? this.#alone.take(quota, tier, limit, now, calls) : this.#alone.peek(quota, tier, limit, now);
  }

  #lost(error: Error): void {
    if (this.#away || this.#stop.signal.aborted) return;
    this.#away = true;
    clearTimeout(this.#steady);
    const restMs = this.#restMs;
    this.#restMs = Math.min(2 * restMs, LONGEST_REST_MS);
    // Only the message: the error itself carries the command's arguments, which may include a password.
    this.#log.warn(
      { reason: error.message, restSeconds: restMs / SECOND },
      'the rate-limit server is away; this process counts for itself until it is back',
    );
    void this.#reconnectAfter(restMs);
  }

  /** Tries the script itself, with a write: a server that only answers pings is of no use. */
  async #reconnectAfter(restMs: number): Promise<void> {
    while (this.#away) {
      try {
        await sleep(restMs, undefined, { ref: false, signal: this.#stop.signal });
      } catch {
        return;
      }
      await this.#withTimeout(this.#redis.slidingWindow(`${PREFIX}probe`, 0, 1_000_000_000, 1)).then(
        () => {
          this.#away = false;
          this.#steady = setTimeout(() => {
            this.#restMs = this.#limits.restMs;
          }, STEADY_MS).unref();
        },
        () => {},
      );
    }
    this.#log.info('the rate-limit server is back');
  }
}
