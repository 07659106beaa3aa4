import { type Call, type Called, type CallLimits, call } from '../../../../platform/http/call.ts';
import { acceptingInterim } from '../../../../platform/http/interim-responses.ts';
import { undici } from '../../../../platform/http/undici.ts';
import type { Deadline } from '../deadline.ts';
import { throttle } from '../throttle.ts';

/** Zendit's API. It has no envelope: what an answer means is in its status and its fields. */
export interface ZenditClient {
  get(path: string, deadline: Deadline, limits?: CallLimits): Promise<Called>;
  post(path: string, payload: object, deadline: Deadline): Promise<Called>;
  close(): Promise<void>;
}

/** A call that was answered. */
export type Answered = Extract<Called, { status: number }>;

const MAX_CONNECTIONS = 32;

export interface ClientParts {
  readonly url: URL;
  readonly apiKey: string;
  /** Undefined: any number. */
  readonly perSecond?: number | undefined;
}

export function openClient({ url, apiKey, perSecond }: ClientParts): ZenditClient {
  const base = url.pathname.replace(/\/+$/, '');
  // Every call has its own limit, so the pool needs no timers.
  const pool = new (undici().Pool)(url.origin, {
    connect: acceptingInterim(),
    connections: MAX_CONNECTIONS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const nextTurn = perSecond === undefined ? undefined : throttle(perSecond);

  async function authorized(request: Call, deadline: Deadline, limits?: CallLimits): Promise<Called> {
    if (nextTurn && !(await nextTurn(deadline.leftMs())))
      return { failed: 'too many calls waiting', sent: false, answered: true };
    if (deadline.leftMs() === 0) return { failed: 'time-out', sent: false };
    const headers = { accept: 'application/json', ...request.headers, authorization: `Bearer ${apiKey}` };
    return call(pool, { ...request, headers }, deadline.leftMs(), limits);
  }

  return {
    get: (path, deadline, limits) => authorized({ method: 'GET', path: base + path }, deadline, limits),
    post: (path, payload, deadline) =>
      authorized(
        {
          method: 'POST',
          path: base + path,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(payload),
        },
        deadline,
      ),
    close: () => pool.destroy(),
  };
}
