import { isIP, type LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Agent, type Dispatcher } from 'undici';
import { ATTEMPT_MS } from './schedule.ts';
import { type Guard, type Target, type TargetRefusal, TargetRefused } from './target.ts';

/** What came of one POST. */
export interface Answer {
  /** False when nothing left this machine: refused by the guard, or no connection. */
  readonly requestSent: boolean;
  /** Why the guard said no, when it did. */
  readonly refused: TargetRefusal | undefined;
  readonly httpStatus: number | undefined;
  /** The first characters of the reply. */
  readonly responseBody: string;
  /** What went wrong on the way; empty when an answer came. */
  readonly error: string;
  readonly durationMs: number;
}

export interface Sender {
  /** Never throws: whatever goes wrong is an answer. */
  send(url: string, headers: Record<string, string>, body: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Shown and stored of a reply. */
const REPLY_CHARACTERS = 1000;
/** Read of a reply before the connection is dropped. */
const REPLY_BYTES = 16 * 1024;
/** An idle connection is kept this long at most, even where the receiver offers more. */
const MAX_KEEP_ALIVE_MS = 10_000;
/** Sets of addresses with a connection pool of their own; the oldest is closed first. */
const MAX_AGENTS = 1_000;

export interface SenderOptions {
  readonly guard: Guard;
  /** Certificate authority to trust instead of the usual ones, for receivers with a certificate of their own making. */
  readonly ca?: string;
  readonly attemptMs?: number;
}

export function createSender({ guard, ca, attemptMs = ATTEMPT_MS }: SenderOptions): Sender {
  const agents = new Map<string, Agent>();

  /**
   * Connections are pooled by the addresses that were checked, so one that is kept open can only serve an attempt whose own
   * check came to the same addresses.
   */
  function agentFor({ addresses }: Target): Agent {
    const key = addresses.join(' ');
    const known = agents.get(key);
    if (known) return known;
    const agent = new Agent({
      allowH2: false,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      headersTimeout: attemptMs,
      bodyTimeout: attemptMs,
      connect: { timeout: attemptMs, lookup: pinned(addresses), ...(ca === undefined ? {} : { ca }) },
    });
    agents.set(key, agent);
    const [oldest] = agents;
    if (oldest && agents.size > MAX_AGENTS) {
      agents.delete(oldest[0]);
      void oldest[1].close();
    }
    return agent;
  }

  return {
    async send(url, headers, body) {
      const startedAt = performance.now();
      const exchange = new Exchange(startedAt);
      const deadline = setTimeout(() => exchange.giveUp(), attemptMs);
      try {
        guard
          .check(url)
          .then((target) => exchange.over || agentFor(target).dispatch(request(target.url, headers, body), exchange))
          .catch((error: Error) => exchange.fail(error));
        return await exchange.answer;
      } finally {
        clearTimeout(deadline);
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
      agents.clear();
    },
  };
}

function request({ origin, pathname, search }: URL, headers: Record<string, string>, body: string) {
  return { origin, path: `${pathname}${search}`, method: 'POST', headers, body } as const;
}

/** One request and its reply, as undici tells it. Redirects are answers like any other; nothing is decompressed. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  #resolve: (answer: Answer) => void = () => {};
  readonly #startedAt: number;
  #requestSent = false;
  #refused: TargetRefusal | undefined;
  #httpStatus: number | undefined;
  #reply: Buffer[] = [];
  #replyBytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  over = false;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.over) controller.abort(new Error('timeout'));
    else this.#requestSent = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#httpStatus = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    this.#reply.push(chunk.subarray(0, REPLY_BYTES - this.#replyBytes));
    this.#replyBytes += chunk.length;
    if (this.#replyBytes < REPLY_BYTES) return;
    this.finish('');
    controller.abort(new Error('reply is longer than what is read'));
  }

  onResponseEnd(): void {
    this.finish('');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: Error): void {
    if (error instanceof TargetRefused) this.#refused = error.reason;
    this.finish(error instanceof TargetRefused ? error.message : describe(error));
  }

  giveUp(): void {
    this.finish('timeout');
    this.#controller?.abort(new Error('timeout'));
  }

  finish(error: string): void {
    if (this.over) return;
    this.over = true;
    this.#resolve({
      requestSent: this.#requestSent,
      refused: this.#refused,
      httpStatus: this.#httpStatus,
      responseBody: Buffer.concat(this.#reply).toString('utf8').slice(0, REPLY_CHARACTERS),
      error,
      durationMs: Math.round(performance.now() - this.#startedAt),
    });
  }
}

/** A lookup that knows nothing but the checked addresses. */
function pinned(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = known;
    if (options.all) callback(null, known);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function describe(error: Error): string {
  const code = (error as { code?: unknown }).code;
  return `${typeof code === 'string' ? `${code}: ` : ''}${error.message}`.slice(0, 200);
}
