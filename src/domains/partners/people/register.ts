import { hash, randomBytes } from 'node:crypto';
import type { Tx } from '../../../platform/db/database.ts';
import { lookUps } from '../../../platform/db/query/batch.ts';
import type { Sql } from '../../../platform/db/query/sql.ts';

/** Each kind has its prefix, so that the log can recognise and redact it. */
const PREFIX = { link: 'wfl_', session: 'wfs_', operator: 'wfo_', view: 'wfv_' } as const;

type TokenKind = keyof typeof PREFIX;

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

/**
 * The people who sign in with a password: members to the panel, or operators to the console. Links, passwords, second factors and
 * sessions are the same code for both (`access.ts`); a register is what differs.
 */
export interface Register {
  /** How the audit log calls them: `member:EMAIL` does something to `member 7`. */
  readonly name: 'member' | 'operator';
  /** Before the names of their own changes in the audit log, and before their address in an authenticator app. */
  readonly prefix: '' | 'operator ';
  /** Keeps its failure counts apart: two registers may share ids and addresses. */
  readonly counted: readonly string[];

  /** With id, email and password_hash. */
  readonly people: Sql;
  readonly places: Sql;
  readonly factors: Sql;
  readonly passkeys: Sql;
  /** The column of `places`, `factors` and `passkeys` that says whose a row is. */
  readonly id: Sql;

  /**
   * Who gets links and opens sessions: a person's places at partners, or the operator. With id, email, role and last_sign_in_at.
   */
  readonly holders: Sql;
  /** Their column for the person they are; null until the invitation is accepted. */
  readonly person: Sql;
  readonly links: Sql;
  readonly sessions: Sql;
  /** The column of `links` and `sessions` that says whose a row is. */
  readonly holder: Sql;
  /** Joins to the holders that leave out those who cannot be signed in. */
  readonly ifOpen: Sql;
  /** Of a holder: only single sign-on lets them in. */
  readonly needsSso: Sql;
  /** Of a holder: a password still lets them in, in case the issuer cannot. */
  readonly isBreakGlass: Sql;
  /** What else is read with a session, and with the holder of a link; both begin with a comma. */
  readonly sessionColumns: Sql;
  readonly holderColumns: Sql;

  readonly token: TokenKind;
  readonly sessionMs: number;
  /** A session that was not used for this long ends. */
  readonly idleMs: number;
  /** Sessions a person can have at once; one more sign-in ends the least recently used one. */
  readonly maxSessions: number;
  readonly welcome: `/${string}`;

  /** Several people may have one address (`members.ts`). Without this an address is one person's. */
  readonly namesakes?: {
    /** Makes the holder a person of their own with this password. */
    start(tx: Tx, holderId: number, passwordHash: string): Promise<number>;
    join(tx: Tx, personId: number, stays: number): Promise<void>;
  };
}

export interface SignedIn {
  readonly personId: number;
  readonly email: string;
  readonly hasSecondFactor: boolean;
  /** They signed in where an issuer says who they are. */
  readonly isSso: boolean;
  /** When the password, and the second factor if there is one, was last given in this session. */
  readonly confirmedAt: Date | null;
}
