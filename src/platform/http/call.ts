import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type { Dispatcher } from 'undici';
import { traceparent } from '../traces/traces.ts';

/** The answer to an outgoing call, or why there is none. */
export type Called = Answered | Failed;

interface Answered {
  readonly status: number;
  readonly text: string;
  /** Only where they were asked for. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Failed {
  readonly failed: string;
  /** The request may have arrived. */
  readonly sent: boolean;
  /** The other side did answer, but the answer is of no use. */
  readonly answered?: true;
}

export interface Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** What calls go through: a connection pool, or something that answers like one. */
export type Callable = Pick<Dispatcher, 'dispatch'>;

export interface CallLimits {
  /** The longest answer to read; 64 KiB unless given. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  readonly withHeaders?: boolean;
}

const MAX_ANSWER_BYTES = 65_536;

/** One call that was made, for a log. Without its headers, which hold credentials. */
export interface Exchange {
  readonly method: Call['method'];
  readonly path: string;
  readonly body: string | undefined;
  readonly called: Called;
  readonly ms: number;
}

const recorder = new AsyncLocalStorage<Exchange[]>();

/** Every call that `work` makes is added to `exchanges` when it ends. Adapters between the two need not pass anything on. */
export const recordingCalls = <T>(exchanges: Exchange[], work: () => Promise<T>): Promise<T> =>
  recorder.run(exchanges, work);

/**
 * One outgoing HTTP call that ends within `limitMs`. Redirects are not followed. It uses undici's `dispatch`, not `request`:
 * customers wait for this call, and without a body stream and a promise per step it costs half as much.
 *
 * Webhooks have their own sender (`domains/messages/webhooks/send/send.ts`): it must connect only to addresses that were checked, keeps the start of
 * any answer, and measures how long it took. Stripe is called through its SDK.
 */
export function call(
  dispatcher: Callable,
  request: Call,
  limitMs: number,
  { maxBytes = MAX_ANSWER_BYTES, signal, withHeaders = false }: CallLimits = {},
): Promise<Called> {
  const exchanges = recorder.getStore();
  const startedAt = exchanges ? performance.now() : 0;
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;
    let status = 0;
    let headers: Answered['headers'];
    let bytes = 0;
    const chunks: Buffer[] = [];

    const end = (called: Called) => {
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      const { method, path, body } = request;
      exchanges?.push({ method, path, body, called, ms: performance.now() - startedAt });
      resolve(called);
    };
    const giveUp = (failed: string) => {
      if (ended) return;
      end({ failed, sent: controller !== undefined });
      controller?.abort(new Error(failed));
    };
    const timer = setTimeout(giveUp, limitMs, 'time-out');
    const stop = () => giveUp('given up');
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) return stop();

    dispatcher.dispatch(withTrace(request), {
      onRequestStart(started) {
        // It was given up while it waited for a connection, so it must not be sent now.
        if (ended) return started.abort(new Error('given up'));
        controller = started;
      },
      onResponseStart(_, statusCode, answered) {
        status = statusCode;
        if (withHeaders) headers = answered;
      },
      onResponseData(_, chunk) {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > maxBytes) giveUp('answer too long');
      },
      onResponseEnd() {
        if (!ended) end({ status, text: Buffer.concat(chunks).toString('utf8'), ...(headers && { headers }) });
      },
      onResponseError(_, error) {
        if (!ended) end({ failed: nameOf(error), sent: controller !== undefined });
      },
    });
  });
}

/** A service that traces, too, goes on from there. */
function withTrace(request: Call): Call {
  const trace = traceparent();
  return trace ? { ...request, headers: { ...request.headers, traceparent: trace } } : request;
}

function nameOf(error: Error & { code?: unknown }): string {
  return typeof error.code === 'string' ? error.code : error.name;
}

const load = createRequire(import.meta.url);

/** undici, loaded with the first call: it is a hundred modules, and most commands make no calls. */
export const undici = (): typeof import('undici') => load('undici');
