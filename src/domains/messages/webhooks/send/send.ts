import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Agent, Dispatcher } from 'undici';
import { undici } from '../../../../platform/http/call.ts';
import { acceptingInterim } from '../../../../platform/http/interim-responses.ts';
import { ATTEMPT_MS } from '../queue/schedule.ts';
import { USER_AGENT } from './signature.ts';
import { type Guard, type Target, type TargetRefusal, TargetRefused } from './target.ts';

/*
 * One POST to a URL a partner chose, which makes it the most hostile input we have. Three rules keep it harmless:
 *
 * - The guard resolves the name and checks every address, and the connection may only use those addresses (`pinned`). Nothing
 *   looks the name up a second time, so a DNS answer that changes between check and connect has no effect. A connection that
 *   is kept open can only be reused by an attempt whose own check found the same addresses (`agentFor`).
 * - `attemptMs` covers everything from the DNS query to the last byte read. undici's own timeouts measure single phases, and
 *   a receiver that sends a byte now and then would never hit them, so `send` has a timer of its own.
 * - A reply is read up to `REPLY_BYTES`, never decompressed, and a redirect is a reply like any other: we never follow it.
 *
 * Interim responses (1xx) are skipped; the first status of 200 or above is the reply.
 */

export interface PostResult {
  /** False if nothing was sent: the guard refused the target, or there was no connection. */
  readonly requestSent: boolean;
  readonly refused: TargetRefusal | undefined;
  readonly httpStatus: number | undefined;
  /** The headers of the reply, one to a line; the first of them if there are very many. */
  readonly responseHeaders: string;
  /** The first characters of the reply. */
  readonly responseBody: string;
  /** The same, and more of it. */
  readonly longResponseBody: string;
  /** What went wrong; empty when a complete reply arrived. */
  readonly error: string;
  readonly durationMs: number;
}

export interface Sender {
  /** Never throws: every failure is reported in the result. */
  send(url: string, headers: Record<string, string>, body: string): Promise<PostResult>;
  /** Asks with HEAD whether somebody is there; the rest as above. */
  head(url: string): Promise<PostResult>;
  close(): Promise<void>;
}

/** How much of a reply is stored and shown. */
const REPLY_CHARACTERS = 1000;
/** How much of it is kept with the attempt. */
const LONG_REPLY_CHARACTERS = 4000;
const HEADER_CHARACTERS = 2000;
/** How much of a reply is read before the connection is dropped. */
const REPLY_BYTES = 16 * 1024;
/** Interim responses before the connection is dropped: they cost the receiver nothing and would otherwise never end. */
const MAX_INTERIM_RESPONSES = 16;
/** Upper bound for keeping an idle connection, even if the receiver offers more. */
const MAX_KEEP_ALIVE_MS = 10_000;
/** Connection pools, one per set of addresses; beyond this the oldest is closed. */
const MAX_AGENTS = 1_000;

export interface SenderOptions {
  readonly guard: Guard;
  /** Certificate authority to trust instead of the system's, for receivers with a self-signed certificate. */
  readonly ca?: string;
  readonly attemptMs?: number;
}

export function createSender({ guard, ca, attemptMs = ATTEMPT_MS }: SenderOptions): Sender {
  const agents = new Map<string, Agent>();

  function agentFor({ addresses }: Target): Agent {
    const key = addresses.join(' ');
    const known = agents.get(key);
    if (known) return known;
    const agent = new (undici().Agent)({
      allowH2: false,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      headersTimeout: attemptMs,
      bodyTimeout: attemptMs,
      connect: acceptingInterim({
        allowH2: false,
        timeout: attemptMs,
        lookup: pinned(addresses),
        ...(ca === undefined ? {} : { ca }),
      }),
    });
    agents.set(key, agent);
    const [oldest] = agents;
    if (oldest && agents.size > MAX_AGENTS) {
      agents.delete(oldest[0]);
      void oldest[1].close();
    }
    return agent;
  }

  async function sent(url: string, request: Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body'>) {
    const handler = new PostHandler();
    const deadline = setTimeout(() => handler.giveUp('timeout'), attemptMs);
    try {
      guard
        .check(url)
        .then((target) => handler.over || agentFor(target).dispatch({ ...placeOf(target.url), ...request }, handler))
        .catch((error: Error) => handler.fail(error));
      return await handler.answer;
    } finally {
      clearTimeout(deadline);
    }
  }

  return {
    send: (url, headers, body) => sent(url, { method: 'POST', headers, body }),
    head: (url) => sent(url, { method: 'HEAD', headers: { 'user-agent': USER_AGENT } }),
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
      agents.clear();
    },
  };
}

const placeOf = ({ origin, pathname, search }: URL) => ({ origin, path: `${pathname}${search}` });

/** Turns undici's callbacks for one request into one answer. Whatever ends it first wins: `finish` works only once. */
class PostHandler implements Dispatcher.DispatchHandler {
  readonly answer: Promise<PostResult>;
  over = false;
  #resolve: (answer: PostResult) => void = () => {};
  readonly #startedAt = performance.now();
  #requestSent = false;
  #refused: TargetRefusal | undefined;
  #interimResponses = 0;
  #httpStatus: number | undefined;
  #responseHeaders = '';
  #reply: Buffer[] = [];
  #replyBytes = 0;
  #controller: Dispatcher.DispatchController | undefined;

  constructor() {
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The time ran out while we waited for a connection; the request must not be sent any more.
    if (this.over) controller.abort(new Error('timeout'));
    else this.#requestSent = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) {
      this.#httpStatus = status;
      this.#responseHeaders = headerLines(headers);
    } else if (++this.#interimResponses > MAX_INTERIM_RESPONSES) this.giveUp('too many interim responses');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    this.#reply.push(chunk.subarray(0, REPLY_BYTES - this.#replyBytes));
    this.#replyBytes += chunk.length;
    if (this.#replyBytes >= REPLY_BYTES) this.giveUp('');
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

  /** Answers with what has arrived so far and drops the connection. */
  giveUp(error: string): void {
    this.finish(error);
    this.#controller?.abort(new Error(error));
  }

  finish(error: string): void {
    if (this.over) return;
    this.over = true;
    const reply = Buffer.concat(this.#reply).toString('utf8');
    this.#resolve({
      requestSent: this.#requestSent,
      refused: this.#refused,
      httpStatus: this.#httpStatus,
      responseHeaders: this.#responseHeaders,
      responseBody: reply.slice(0, REPLY_CHARACTERS),
      longResponseBody: reply.slice(0, LONG_REPLY_CHARACTERS),
      error,
      durationMs: Math.round(performance.now() - this.#startedAt),
    });
  }
}

/** Replaces DNS for a connection: it resolves to the checked addresses, whatever the name. */
function pinned(addresses: readonly string[]): LookupFunction {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = checked;
    if (options.all) callback(null, checked);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** Cookies are between the receiver and its browsers, so their values are left out. */
function headerLines(headers: IncomingHttpHeaders): string {
  let lines = '';
  for (const [name, value] of Object.entries(headers)) {
    const shown = name === 'set-cookie' ? '(not stored)' : Array.isArray(value) ? value.join(', ') : (value ?? '');
    if (lines.length + name.length + shown.length + 3 > HEADER_CHARACTERS) continue;
    lines += `${lines === '' ? '' : '\n'}${name}: ${shown}`;
  }
  return lines;
}

function describe(error: Error): string {
  const code = (error as { code?: unknown }).code;
  return `${typeof code === 'string' ? `${code}: ` : ''}${error.message}`.slice(0, 200);
}

const TIMEOUT_MS = 8_000;
/** An issuer's keys and description have a few kilobytes. */
const MOST_BYTES = 256 * 1024;

export type GuardedFetch = (url: string, init: object) => Promise<Response>;

/**
 * `fetch` to an address that a partner chose, under the rules of webhooks: the addresses behind the name are checked, the connection
 * uses one of them, and a redirect is not followed. One deadline covers everything, and a long answer is an error.
 */
export function guardedFetch(guard: Guard): GuardedFetch {
  return async (url, init) => {
    const { Agent, fetch } = undici();
    const { addresses } = await guard.check(url);
    const dispatcher = new Agent({ allowH2: false, connect: { lookup: pinned(addresses), timeout: TIMEOUT_MS } });
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(url, { ...init, redirect: 'manual', dispatcher, signal });
      const body = await bytesOf(answer);
      const isEmpty = answer.status === 204 || answer.status === 304;
      return new Response(isEmpty ? null : body, { status: answer.status, headers: [...answer.headers] });
    } finally {
      void dispatcher.close();
    }
  };
}

async function bytesOf({ body }: { readonly body: AsyncIterable<unknown> | null }): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > MOST_BYTES) throw new Error('the answer is too long');
    chunks.push(bytes);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
