import type { ConsoleCalls } from '../../../../src/entry/console/api.ts';
import type { PanelCalls } from '../../../../src/entry/panel/api.ts';
import type { Mode } from '../mode.ts';
import { type Change, getFrom, newKey, postTo, type Query, withQuery } from './client.ts';

/**
 * What the pages call, by verb and path: addresses, parameters, bodies and answers are those of the declarations in `src/entry/panel/`
 * and `src/entry/console/`, so a page that misspells one of them does not compile.
 *
 *   get('/api/{mode}/help-requests/{id}', { mode, id })
 *   get('/api/activity', { before })                        what the path does not name goes into the query
 *   post('/api/{mode}/help-requests/{id}/answer', { mode, id }, { text })
 *   post('/api/balance-alert', { level })                   a path without parameters takes only its body
 */
interface Calls extends PanelCalls, ConsoleCalls {}

type PathOf<Verb extends string, Called = keyof Calls> = Called extends `${Verb} ${infer Path}` ? Path : never;
type ReadPath = PathOf<'GET'>;
type ChangePath = PathOf<'POST'>;

export type AnswerOf<Called extends keyof Calls> = Calls[Called]['answer'];
export type BodyOf<Called extends keyof Calls> = Given<Calls[Called]['body']>;

/** As pages have it: fields may be left out by being undefined, and lists are not changed. */
type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Given<T[K]> | (object extends Pick<T, K> ? undefined : never) }
    : T;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Params<Path extends string> = { readonly [Name in Names<Path>]: Name extends 'mode' ? Mode : string | number };

type Read<Path extends string> = [Names<Path>] extends [never] ? [query?: Query] : [of: Params<Path> & Query];
type Sent<Path extends ChangePath> = [
  ...([Names<Path>] extends [never] ? [] : [of: Params<Path>]),
  ...([BodyOf<`POST ${Path}`>] extends [undefined] ? [] : [body: BodyOf<`POST ${Path}`>]),
];

export const get = <Path extends ReadPath>(path: Path, ...[of]: Read<Path>): Promise<AnswerOf<`GET ${Path}`>> =>
  getFrom(address(path, of));

export const post = <Path extends ChangePath>(path: Path, ...sent: Sent<Path>): Change<AnswerOf<`POST ${Path}`>> => {
  const given: readonly unknown[] = sent;
  const [of, body] = path.includes('{') ? given : [{}, ...given];
  return postTo(address(path, of as Query), body as object | undefined);
};

/** A POST that only reads. */
export const postToRead = <Path extends ChangePath>(path: Path, ...sent: Sent<Path>) => post(path, ...sent)(newKey());

/** The address itself, e.g. of a file. */
export function address<Path extends ReadPath | ChangePath>(path: Path, of: Query = {}): string {
  const query: Record<string, Query[string]> = { ...of };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(query[name]));
    delete query[name];
    return value;
  });
  return withQuery(filled, query);
}
