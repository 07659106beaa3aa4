import type { Operation } from './described.ts';

export const targets = ['sandbox', 'live', 'legacy', 'panel'] as const;
/** An address of the server. */
export type Target = (typeof targets)[number];

/**
 * One request. Its texts hold one character per byte, so that what is sent need not be text at all. `fields` are kept apart from the
 * path and the body until it is sent, so that a finding can be repeated with fewer of them.
 */
export interface Shot {
  readonly target: Target;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly string[];
  /** Joined by `&`; of a JSON body and of bytes there is one part. */
  readonly body: readonly string[] | undefined;
  /** Fewer bytes of the body than were announced, and then the end. */
  readonly isCut?: true;
  /** What it was made from; undefined: no address that is described. */
  readonly operation?: Operation;
  /** This key or session must never get a 2xx. */
  readonly mustBeRefused?: true;
  /** The path was bent: it may lead nowhere, or to another operation. */
  readonly isBent?: true;
  /** An address that answers in the panel's format. */
  readonly json?: true;
  /** An address of the door for Airalo's clients, which answers in their envelopes. */
  readonly door?: true;
  /** What the change was named with, where a repeat must get the same answer. */
  readonly repeats?: string;
}

export const pathOf = ({ path, query }: Shot): string => (query.length > 0 ? `${path}?${query.join('&')}` : path);
export const bodyOf = ({ body }: Shot): string | undefined => body?.join('&');

/** As it goes over the wire. */
export function bytesOf(shot: Shot, authority: string): Buffer {
  const body = bodyOf(shot);
  const named = new Set(shot.headers.map(([name]) => name.toLowerCase()));
  const lines = [`${shot.method} ${pathOf(shot)} HTTP/1.1`];
  if (!named.has('host')) lines.push(`host: ${authority}`);
  for (const [name, value] of shot.headers) lines.push(`${name}: ${value}`);
  const length = (body?.length ?? 0) + (shot.isCut ? 10 : 0);
  if (body !== undefined && !named.has('content-length') && !named.has('transfer-encoding'))
    lines.push(`content-length: ${length}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1');
}

/** As it is printed, with everything that is not printable written as `\xNN`. */
export function shown(shot: Shot, authority: string): string {
  const text = bytesOf(shot, authority).toString('latin1');
  const whole = text.length > 4_000 ? `${text.slice(0, 4_000)}… (${text.length} bytes)` : text;
  return whole
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\n\x20-\x7e…]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
