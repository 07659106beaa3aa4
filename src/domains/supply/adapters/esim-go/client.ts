import { type Call, type Called, type CallLimits, call } from '../../../../platform/http/call.ts';
import { acceptingInterim } from '../../../../platform/http/interim-responses.ts';
import { undici } from '../../../../platform/http/undici.ts';
import type { Deadline } from '../deadline.ts';
import { type Json, listOf, objectOf, parseJson } from '../loose.ts';
import { throttle } from '../throttle.ts';

/** eSIM Go's API. A call that gets no turn in time is not sent. */
export interface EsimGoClient {
  get(path: string, deadline: Deadline, limits?: CallLimits): Promise<Called>;
  post(path: string, payload: object, deadline: Deadline): Promise<Called>;
  /** The same on a connection of its own: one that the other side is about to close would cost us the reply. */
  postAlone(path: string, payload: object, deadline: Deadline): Promise<Called>;
  put(path: string, payload: object, deadline: Deadline): Promise<Called>;
  delete(path: string, deadline: Deadline): Promise<Called>;
  close(): Promise<void>;
}

export interface ClientParts {
  readonly url: URL;
  readonly key: string;
  readonly perSecond: number;
}

const MAX_CONNECTIONS = 32;

export function openClient({ url, key, perSecond }: ClientParts): EsimGoClient {
  const base = url.pathname.replace(/\/+$/, '');
  // Every call has its own limit, so the pools need no timers.
  const untimed = { connect: acceptingInterim(), headersTimeout: 0, bodyTimeout: 0 };
  const pool = new (undici().Pool)(url.origin, { ...untimed, connections: MAX_CONNECTIONS });
  const alone = new (undici().Pool)(url.origin, { ...untimed, connections: 4, pipelining: 0 });
  const nextTurn = throttle(perSecond);

  async function send(request: Call, deadline: Deadline, limits?: CallLimits, through = pool): Promise<Called> {
    if (!(await nextTurn(deadline.leftMs())) || deadline.leftMs() === 0)
      return { failed: 'too many calls waiting', sent: false, answered: true };
    const headers = { accept: 'application/json', 'x-api-key': key };
    const all = request.body === undefined ? headers : { ...headers, 'content-type': 'application/json' };
    return call(through, { ...request, path: base + request.path, headers: all }, deadline.leftMs(), limits);
  }

  return {
    get: (path, deadline, limits) => send({ method: 'GET', path }, deadline, limits),
    post: (path, payload, deadline) => send({ method: 'POST', path, body: JSON.stringify(payload) }, deadline),
    postAlone: (path, payload, deadline) =>
      send({ method: 'POST', path, body: JSON.stringify(payload) }, deadline, {}, alone),
    put: (path, payload, deadline) => send({ method: 'PUT', path, body: JSON.stringify(payload) }, deadline),
    delete: (path, deadline) => send({ method: 'DELETE', path }, deadline),
    async close() {
      await Promise.all([pool.destroy(), alone.destroy()]);
    },
  };
}

/** A list in an answer: under its name, or bare, as some of the documents show it. */
export function listIn(text: string, name: string): readonly Json[] | undefined {
  const answer = parseJson(text);
  return listOf(Array.isArray(answer) ? answer : objectOf(answer)[name]);
}
