import type { Called } from '../../../../platform/http/call.ts';
import { type JsonClient, openCalls, openPool } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
import { type Json, listOf, objectOf, parseJson } from '../loose.ts';

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
  const { send, pool } = openCalls({ url, perSecond });
  const alone = openPool(url, { connections: 4, pipelining: 0 });
  const headers = { 'x-api-key': key };
  const carrying = (method: 'POST' | 'PUT', path: string, payload: object) => {
    return { method, path, headers, body: JSON.stringify(payload) };
  };
  return {
    get: (path, deadline, limits) => send({ method: 'GET', path, headers }, deadline, limits),
    post: (path, payload, deadline) => send(carrying('POST', path, payload), deadline),
    postAlone: (path, payload, deadline) => send(carrying('POST', path, payload), deadline, {}, alone),
    put: (path, payload, deadline) => send(carrying('PUT', path, payload), deadline),
    delete: (path, deadline) => send({ method: 'DELETE', path, headers }, deadline),
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
