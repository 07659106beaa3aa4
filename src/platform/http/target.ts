import type { IncomingMessage } from 'node:http';
import { decodePath, Undecodable } from './form.ts';

/**
 * How every address of ours is read, on API hosts, the panel and the health port alike:
 *
 * 1. The path is taken as it was sent. A URL parser would turn what follows `//` into a host and resolve `..`.
 * 2. Fixed parts of a route are compared undecoded: each address has one spelling. Otherwise a proxy that blocks `/metrics`
 *    would let `/%6detrics` through, and we would serve it.
 * 3. Parameters are decoded once, strictly: a broken percent sign or invalid UTF-8 anywhere in the path refuses the request.
 */
export function splitTarget(url: string): { readonly path: string; readonly query: string } {
  const cut = url.indexOf('?');
  return cut < 0 ? { path: url, query: '' } : { path: url.slice(0, cut), query: url.slice(cut + 1) };
}

/** Compiled from `/pay/{clientSecret}`. `{name}` stands for one segment; a final `{*}` for one or more. */
export class Pattern {
  readonly #segments: readonly { readonly fixed: string | undefined; readonly name: string }[];
  readonly #open: boolean;

  constructor(pattern: string) {
    const segments = pattern.split('/');
    this.#open = segments.at(-1) === '{*}';
    this.#segments = segments.slice(0, this.#open ? -1 : undefined).map((segment) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      return { fixed: name === undefined ? segment : undefined, name: name ?? '' };
    });
  }

  /** The decoded parameters, or undefined when the path is not one of these. */
  match(sent: readonly string[]): Record<string, string> | undefined {
    const { length } = this.#segments;
    if (this.#open ? sent.length <= length : sent.length !== length) return undefined;
    const params: Record<string, string> = {};
    for (const [i, { fixed, name }] of this.#segments.entries()) {
      const value = sent[i] ?? '';
      if (fixed === undefined) params[name] = decodePath(value);
      else if (fixed !== value) return undefined;
    }
    return params;
  }
}

/** The segments of a path as they were sent; throws `Undecodable` when one cannot be decoded or holds a NUL. */
export function segmentsOf(path: string): string[] {
  // No name of ours has a NUL in it, and PostgreSQL refuses a value that does.
  if (decodePath(path).includes('\0')) throw new Undecodable();
  return path.split('/');
}

/**
 * More than one `Host` header. Node keeps the first, another server may keep the last: a proxy in front of us could have
 * checked a different host than the one we serve.
 */
export function isHostRepeated({ rawHeaders }: IncomingMessage): boolean {
  let seen = false;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (seen) return true;
    seen = true;
  }
  return false;
}
