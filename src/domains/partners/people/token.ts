import { hash, randomBytes } from 'node:crypto';

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
