import { type Call, type Called, type CallLimits, call } from '../../../../platform/http/call.ts';
import { basePathOf, type JsonClient, noTurn, openPool } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
import { throttle } from '../throttle.ts';

/** A call that was answered. */
export type Answered = Extract<Called, { status: number }>;

export interface ClientParts {
  readonly url: URL;
  readonly apiKey: string;
  /** Undefined: any number. */
  readonly perSecond?: number | undefined;
}

/** Zendit has no envelope: what an answer means is in its status and its fields. */
export function openClient({ url, apiKey, perSecond }: ClientParts): JsonClient {
  const base = basePathOf(url);
  const pool = openPool(url);
  const nextTurn = perSecond === undefined ? undefined : throttle(perSecond);

  async function authorized(request: Call, deadline: Deadline, limits?: CallLimits): Promise<Called> {
    if (nextTurn && !(await nextTurn(deadline.leftMs()))) return noTurn;
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
