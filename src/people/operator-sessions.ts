import { HOUR, MINUTE } from '../clock.ts';
import { Refused } from '../contract/refused.ts';
import type { Db, Queryable, Tx } from '../db/database.ts';
import { nothing, sql } from '../db/sql.ts';
import type { OperatorRole } from './operator-roles.ts';
import type { Device } from './sessions.ts';
import { isTokenOf, newToken, tokenHash } from './token.ts';
import { tokenLookUp } from './token-look-up.ts';

/** Shorter than a member's: an operator reaches everybody's money. */
export const OPERATOR_SESSION_MS = 12 * HOUR;
export const OPERATOR_IDLE_MS = 1 * HOUR;
export const MAX_OPERATOR_SESSIONS = 10;
/** How precisely we record when a session was last seen. */
const SEEN_MS = MINUTE;
const MAX_USER_AGENT = 300;

/** Who is signed in to the console. */
export interface OperatorSession {
  readonly operatorId: number;
  readonly email: string;
  /** Read with every request, so a change of role counts from the next one on. */
  readonly role: OperatorRole;
  readonly hasSecondFactor: boolean;
  /** When the password, and the second factor if there is one, was last given in this session. */
  readonly confirmedAt: Date | null;
}

/** Opens a session; the token is in the answer and nowhere else. Also deletes the operator's expired sessions. */
export async function openOperatorSession(
  tx: Tx,
  operatorId: number,
  now: number,
  { address, userAgent = '' }: Device = { address: '' },
): Promise<string> {
  const [at, idleSince] = [new Date(now), new Date(now - OPERATOR_IDLE_MS)];
  const token = newToken('operator');
  await tx.run(sql`
    delete from staff_sessions where operator_id = ${operatorId} and (expires_at <= ${at} or last_seen_at <= ${idleSince}
      or hash not in (select hash from staff_sessions where operator_id = ${operatorId}
        order by last_seen_at desc limit ${MAX_OPERATOR_SESSIONS - 1}))`);
  await tx.run(sql`
    insert into staff_sessions (hash, operator_id, created_at, last_seen_at, expires_at, confirmed_at, address, user_agent)
    values (${tokenHash(token)}, ${operatorId}, ${at}, ${at}, ${new Date(now + OPERATOR_SESSION_MS)}, ${at}, ${address},
      ${userAgent.slice(0, MAX_USER_AGENT)})`);
  await tx.run(sql`update staff set last_sign_in_at = ${at} where id = ${operatorId}`);
  return token;
}

export type OperatorSessionLookUp = (token: string, now: number) => Promise<OperatorSession | undefined>;

type Row = OperatorSession & { hash: string; seen: Date; expires: Date };

export function operatorSessionLookUp(db: Db): OperatorSessionLookUp {
  const find = tokenLookUp('operator', (hashes) => readSessions(db, hashes));
  return async (token, now) => {
    const row = await find(token);
    if (!row) return undefined;
    const { hash: _, seen, expires, ...session } = row;
    if (expires.getTime() <= now || seen.getTime() <= now - OPERATOR_IDLE_MS) return undefined;
    if (seen.getTime() <= now - SEEN_MS)
      await db.run(sql`update staff_sessions set last_seen_at = ${new Date(now)} where hash = ${tokenHash(token)}`);
    return session;
  };
}

const readSessions = (db: Db, hashes: readonly Buffer[]): Promise<Row[]> =>
  db.query(sql`
    select encode(hash, 'hex') as hash, staff.id as "operatorId", email, role, confirmed_at as "confirmedAt",
      exists (select from staff_second_factors where operator_id = staff.id and on_since is not null) as "hasSecondFactor",
      last_seen_at as seen, expires_at as expires
    from staff_sessions join staff on staff.id = operator_id where hash = any(${hashes}::bytea[])`);

export async function endOperatorSession(db: Queryable, token: string): Promise<void> {
  if (!isTokenOf('operator', token)) return;
  await db.run(sql`delete from staff_sessions where hash = ${tokenHash(token)}`);
}

/** Signs an operator out everywhere, or everywhere but in one session. */
export async function endSessionsOfOperator(tx: Tx, operatorId: number, keepToken?: string): Promise<void> {
  const others = keepToken === undefined ? nothing : sql`and hash <> ${tokenHash(keepToken)}`;
  await tx.run(sql`delete from staff_sessions where operator_id = ${operatorId} ${others}`);
}

export async function endSessionOfOperator(tx: Tx, operatorId: number, sessionId: bigint): Promise<void> {
  const ended = await tx.run(sql`
    delete from staff_sessions where id = ${sessionId} and operator_id = ${operatorId}`);
  if (ended === 0) throw new Refused('session_not_found');
}

/** The operator of this session has just proven again who they are. */
export async function confirmOperatorSession(db: Queryable, token: string, now: number): Promise<void> {
  await db.run(sql`update staff_sessions set confirmed_at = ${new Date(now)} where hash = ${tokenHash(token)}`);
}

/** A session as its operator sees it. */
export interface OpenOperatorSession extends Required<Device> {
  readonly sessionId: bigint;
  readonly openedAt: Date;
  readonly lastSeenAt: Date;
  /** The one the list is read in. */
  readonly isThis: boolean;
}

/** Everywhere an operator is signed in, most recently used first. */
export function listOperatorSessions(
  db: Queryable,
  operatorId: number,
  token: string,
  now: number,
): Promise<OpenOperatorSession[]> {
  return db.query(sql`
    select id as "sessionId", created_at as "openedAt", last_seen_at as "lastSeenAt", address, user_agent as "userAgent",
      hash = ${tokenHash(token)} as "isThis"
    from staff_sessions
    where operator_id = ${operatorId} and expires_at > ${new Date(now)} and last_seen_at > ${new Date(now - OPERATOR_IDLE_MS)}
    order by "isThis" desc, last_seen_at desc, id`);
}
