import { hash, randomBytes } from 'node:crypto';
import { lookUps } from '../../../platform/db/query/batch.ts';

/** Each kind has its prefix, so that the log can recognise and redact it. */
const PREFIX = { link: 'wfl_', session: 'wfs_', operator: 'wfo_', view: 'wfv_' } as const;

export type TokenKind = keyof typeof PREFIX;

export const newToken = (kind: TokenKind): string => PREFIX[kind] + randomBytes(32).toString('base64url');

/** Whether it could be one of ours: anything else needs no look-up. */
export const isTokenOf = (kind: TokenKind, token: string): boolean =>
  token.startsWith(PREFIX[kind]) && /^[\w-]{47}$/.test(token);

/** What the database stores of a token. A token is random, so a plain hash cannot be reversed by guessing. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The token of a one-time link, for links that are not a holder's. */
export const linkToken = {
  make: () => newToken('link'),
  isOne: (token: string) => isTokenOf('link', token),
  hash: tokenHash,
} as const;

const MAX_BATCH = 100;

/**
 * Finds what belongs to tokens, all that are waiting in one query, one query at a time: anyone can send an invented token, and
 * however many do, they share one connection. `read` gets the hashes and answers rows with `hash` in hexadecimal.
 */
export function tokenLookUp<Row extends { readonly hash: string }>(
  kind: TokenKind,
  read: (hashes: readonly Buffer[]) => Promise<readonly Row[]>,
): (token: string) => Promise<Row | undefined> {
  const find = lookUps(async (tokens: readonly string[]) => {
    const hashes = tokens.map(tokenHash);
    const rows = new Map((await read(hashes)).map((row) => [row.hash, row]));
    return hashes.map((hash) => rows.get(hash.toString('hex')));
  }, MAX_BATCH);
  return async (token) => (isTokenOf(kind, token) ? find(token) : undefined);
}
