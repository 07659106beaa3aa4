import type { ErrorBody, ErrorCode } from './contract.ts';
import { WayfareConnectionError, WayfareError } from './errors.ts';
import { type Hooks, notify, type SentRequest } from './hooks.ts';
import { warnOfIgnored } from './ignored.ts';
import { type Reply, rateLimitOf, requestIdOf } from './reply.ts';
import { waitMsBeforeRetry } from './retry.ts';
import { pause, TIMED_OUT, within } from './time.ts';
import { VERSION } from './version.ts';

export interface WayfareSettings extends Hooks {
  /** Your API key. One that begins with `esk_test_` works in the sandbox. Keep it on your server. */
  key: string | undefined;
  /** The API's address, up to and including `/v3`. By default that of a server on this machine. */
  baseUrl?: string | URL | undefined;
  /** Sends the requests; by default the platform's own `fetch`. */
  fetch?: typeof fetch | undefined;
  /** How long one attempt may take. Default 30 000. */
  timeoutMs?: number | undefined;
  /** How often a call is sent again after a failure that may pass. Default 3; 0 turns retries off. */
  maxRetries?: number | undefined;
  /** The name of your program, put before the SDK's own in `User-Agent`: `shop/1.4`. */
  userAgent?: string | undefined;
}

export interface CallOptions {
  /** Another API key for this call, if you act for several accounts. */
  key?: string | undefined;
  /** Ends the call, also while it waits for its next attempt. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Sandbox keys only: be refused with this code. */
  sandboxError?: ErrorCode | undefined;
}

export interface Sent {
  readonly verb: 'GET' | 'POST';
  /** Below the base address: `order/detail/1001`. */
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isRepeatable: boolean;
}

/** Sends a call and repeats it as the contract allows. */
export type Send = (sent: Sent, options?: CallOptions) => Promise<Reply<unknown>>;

const defaultAddress = (key: string) => `http://localhost:${key.startsWith('esk_test_') ? 4010 : 4020}/v3`;

export function sender(settings: WayfareSettings): Send {
  if (!settings.key)
    throw new TypeError('Wayfare needs an API key: new Wayfare({ key: process.env.WAYFARE_KEY }), not empty');
  const ownKey = settings.key;
  const doFetch = settings.fetch ?? fetch;
  const userAgent = `${settings.userAgent ? `${settings.userAgent} ` : ''}wayfare-sdk/${VERSION}`;

  return async ({ verb, path, fields, isRepeatable }, options = {}) => {
    const key = options.key ?? ownKey;
    const baseUrl = String(settings.baseUrl ?? defaultAddress(key)).replace(/\/+$/, '');
    const form = formOf(fields);
    const idempotencyKey = form.get('idempotency_key') ?? undefined;
    const isGet = verb === 'GET';
    const url = `${baseUrl}/${path}${isGet && form.size > 0 ? `?${form}` : ''}`;
    const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? 30_000;
    const maxRetries = options.maxRetries ?? settings.maxRetries ?? 3;

    /** One attempt: its reply, or what it failed with. */
    async function attempt(request: SentRequest): Promise<Reply<unknown> | Failed> {
      const began = performance.now();
      let response: Response | undefined;
      const ended = await within(timeoutMs, options.signal, async (signal) => {
        notify(settings.onRequest, request);
        const headers = new Headers(request.headers);
        headers.set('x-api-key', key);
        // A redirect would carry the key to another address.
        const init: RequestInit = {
          method: verb,
          headers,
          signal,
          redirect: 'manual',
          ...(isGet ? {} : { body: form }),
        };
        response = await doFetch(url, init);
        return isFile(response) ? file(response) : read(response, await response.text());
      }).catch((thrown) => new Failed(options.signal?.aborted ? options.signal.reason : noAnswer(thrown)));
      notify(settings.onResponse, {
        request,
        durationMs: performance.now() - began,
        httpStatus: response?.status,
        headers: response?.headers,
        requestId: response && requestIdOf(response.headers),
        rateLimit: response && rateLimitOf(response.headers),
        error: ended instanceof Failed ? ended.error : undefined,
      });
      return ended;
    }

    async function file(response: Response): Promise<Reply<Uint8Array>> {
      const { status: httpStatus, headers } = response;
      const data = new Uint8Array(await response.arrayBuffer());
      return { data, httpStatus, headers, requestId: requestIdOf(headers), rateLimit: rateLimitOf(headers) };
    }

    function read(response: Response, text: string): Reply<unknown> | Failed {
      const { status: httpStatus, headers } = response;
      const data = parsed(text);
      warnOfIgnored(path.split('/', 2).join('/'), data?.ignored);
      const requestId = requestIdOf(headers);
      if (data?.result === 'ok' && response.ok)
        return { data, httpStatus, headers, requestId, rateLimit: rateLimitOf(headers) };
      const retryAfter = headers.get('retry-after') ?? '';
      if (typeof data?.error === 'string')
        return new Failed(
          new WayfareError(data as unknown as ErrorBody, { path, httpStatus, requestId, idempotencyKey }),
          retryAfter,
        );
      const message = `${path}: ${httpStatus} is not an answer of the API. Is ${baseUrl} its address?`;
      return new Failed(new WayfareConnectionError(message, { httpStatus, requestId, idempotencyKey }), retryAfter);
    }

    function noAnswer(thrown: unknown): WayfareConnectionError {
      if (thrown === TIMED_OUT)
        return new WayfareConnectionError(`${path}: no answer within ${timeoutMs} ms`, {
          isTimeout: true,
          idempotencyKey,
        });
      return new WayfareConnectionError(`${path}: the connection failed`, { idempotencyKey, cause: thrown });
    }

    for (let retries = 0, had500 = false; ; retries += 1) {
      options.signal?.throwIfAborted();
      const headers = new Headers({ accept: 'application/json', 'user-agent': userAgent });
      if (options.sandboxError) headers.set('x-sandbox-error', options.sandboxError);
      const ended = await attempt({ verb, path, url, attempt: retries + 1, idempotencyKey, headers });
      if (!(ended instanceof Failed)) return ended;
      const { error } = ended;
      if (options.signal?.aborted) throw error;
      const waitMs = waitMsBeforeRetry(ended.failure(), { retries, maxRetries, had500, isRepeatable });
      if (waitMs === undefined) throw error;
      had500 ||= error.httpStatus === 500;
      await pause(waitMs, options.signal);
    }
  };
}

function formOf(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, textOf(value));
  return form;
}

/** Forms hold only text: the API reads 1 and 0 for booleans, commas between plain values, and JSON for the rest. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  // An empty list is sent as JSON, which the API refuses: an empty text would count as not sent.
  const isPlainList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== 'object');
  if (isPlainList) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** An attempt that failed, and what decides whether another one follows. */
class Failed {
  readonly error: WayfareError | WayfareConnectionError;
  readonly #retryAfter: string;

  constructor(error: WayfareError | WayfareConnectionError, retryAfter = '') {
    this.error = error;
    this.#retryAfter = retryAfter;
  }

  failure() {
    const refused = this.error instanceof WayfareError ? this.error : undefined;
    return {
      httpStatus: this.error.httpStatus,
      code: refused?.code,
      isSimulated: refused?.sandbox_simulated === true,
      retryAfterSeconds: /^\d{1,5}$/.test(this.#retryAfter) ? Number(this.#retryAfter) : undefined,
    };
  }
}

/** Bytes as they are, without the envelope. */
const isFile = ({ ok, headers }: Response): boolean =>
  ok && /^application\/(pdf|xml)/.test(headers.get('content-type') ?? '');

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}
