import { type Call, type Called, type CallLimits, call } from '../../../../platform/http/call.ts';
import { basePathOf, type JsonClient, noTurn, openPool } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
import { type Json, listOf, objectOf, parseJson } from '../loose.ts';
import { throttle } from '../throttle.ts';

export interface EsimGoClient extends JsonClient {
  /** `post` on a connection of its own: one that the other side is about to close would cost us the reply. */
  postAlone(path: string, payload: object, deadline: Deadline): Promise<Called>;
  put(path: string, payload: object, deadline: Deadline): Promise<Called>;
  delete(path: string, deadline: Deadline): Promise<Called>;
}

export interface ClientParts {
  readonly url: URL;
  readonly key: string;
  readonly perSecond: number;
}

export function openClient({ url, key, perSecond }: ClientParts): EsimGoClient {
  const base = basePathOf(url);
  const pool = openPool(url);
  const alone = openPool(url, { connections: 4, pipelining: 0 });
  const nextTurn = throttle(perSecond);

  async function send(request: Call, deadline: Deadline, limits?: CallLimits, through = pool): Promise<Called> {
    if (!(await nextTurn(deadline.leftMs())) || deadline.leftMs() === 0) return noTurn;
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
