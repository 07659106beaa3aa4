import type { ErrorBody, ErrorCode } from './contract.ts';
import { WayfareConnectionError, WayfareError } from './errors.ts';
import { waitMsBeforeRetry } from './retry.ts';

export interface WayfareSettings {
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
}

export interface CallOptions {
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

/** Sends a call, repeats it as the contract allows, and returns the body of its answer. */
export type Send = (sent: Sent, options?: CallOptions) => Promise<unknown>;

const defaultAddress = (key: string) => `http://localhost:${key.startsWith('esk_test_') ? 4010 : 4020}/v3`;

export function sender(settings: WayfareSettings): Send {
  const { key } = settings;
  if (!key) throw new TypeError('Wayfare needs an API key: new Wayfare({ key })');
  const baseUrl = String(settings.baseUrl ?? defaultAddress(key)).replace(/\/+$/, '');
  const doFetch = settings.fetch ?? fetch;

  return async ({ verb, path, fields, isRepeatable }, options = {}) => {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value));
    const idempotencyKey = form.get('idempotency_key') ?? undefined;
    const headers: Record<string, string> = { 'x-api-key': key, accept: 'application/json' };
    if (options.sandboxError) headers['x-sandbox-error'] = options.sandboxError;
    const isGet = verb === 'GET';
    const url = `${baseUrl}/${path}${isGet && form.size > 0 ? `?${form}` : ''}`;
    const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? 30_000;
    const maxRetries = options.maxRetries ?? settings.maxRetries ?? 3;

    for (let retries = 0, had500 = false; ; retries += 1) {
      let error: WayfareError | WayfareConnectionError;
      let retryAfter = '';
      try {
        return await within(timeoutMs, options.signal, async (signal) => {
          // A redirect would carry the key to another address.
          const init: RequestInit = {
            method: verb,
            headers,
            signal,
            redirect: 'manual',
            ...(isGet ? {} : { body: form }),
          };
          const response = await doFetch(url, init);
          const body = parsed(await response.text());
          if (body?.result === 'ok' && response.ok) return body;
          const httpStatus = response.status;
          retryAfter = response.headers.get('retry-after') ?? '';
          if (typeof body?.error !== 'string') {
            const message = `${path}: ${httpStatus} is not an answer of the API. Is ${baseUrl} its address?`;
            throw new WayfareConnectionError(message, { httpStatus, idempotencyKey });
          }
          const requestId = response.headers.get('x-request-id') ?? undefined;
          throw new WayfareError(body as unknown as ErrorBody, { path, httpStatus, requestId, idempotencyKey });
        });
      } catch (thrown) {
        if (options.signal?.aborted) throw options.signal.reason;
        const isTimeout = thrown === TIMED_OUT;
        error =
          thrown instanceof WayfareError || thrown instanceof WayfareConnectionError
            ? thrown
            : new WayfareConnectionError(
                isTimeout ? `${path}: no answer within ${timeoutMs} ms` : `${path}: the connection failed`,
                { isTimeout, idempotencyKey, cause: isTimeout ? undefined : thrown },
              );
      }
      const refused = error instanceof WayfareError ? error : undefined;
      const failure = {
        httpStatus: error.httpStatus,
        code: refused?.code,
        isSimulated: refused?.sandbox_simulated === true,
        retryAfterSeconds: /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : undefined,
      };
      const waitMs = waitMsBeforeRetry(failure, { retries, maxRetries, had500, isRepeatable });
      if (waitMs === undefined) throw error;
      had500 ||= error.httpStatus === 500;
      await pause(waitMs, options.signal);
    }
  };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

const TIMED_OUT = Symbol('timed out');

/** Runs `work` with a signal that aborts when time runs out or the caller gives up. */
async function within<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown) => {
      controller.abort(reason);
      reject(reason);
    };
    timer = setTimeout(() => end(TIMED_OUT), timeoutMs);
    giveUp = () => end(outer?.reason);
    outer?.addEventListener('abort', giveUp);
  });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    if (giveUp) outer?.removeEventListener('abort', giveUp);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const give = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', give);
      resolve();
    }, ms);
    signal?.addEventListener('abort', give, { once: true });
  });
}
