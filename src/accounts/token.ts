import { hash, randomBytes } from 'node:crypto';

/** Each kind says what it is, so that the log can cut it out of a line. */
const PREFIX = { link: 'wfl_', session: 'wfs_' } as const;

export const newToken = (kind: keyof typeof PREFIX): string => PREFIX[kind] + randomBytes(32).toString('base64url');

/** What is stored of a token. It is random, so a plain hash cannot be turned back by guessing. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
