import { DAY, HOUR, MINUTE } from '../clock.ts';
import { Refused } from '../contract/refused.ts';
import type { Db, Queryable, Tx } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import type { Role } from './roles.ts';
import { isTokenOf, newToken, tokenHash } from './token.ts';
import { tokenLookUp } from './token-look-up.ts';

export const SESSION_MS = 30 * DAY;
export const IDLE_MS = 12 * HOUR;
/** How long after the password was given a session may do what asks for it again. */
export const FRESH_MS = 5 * MINUTE;
/** Sessions a person can have at once; one more sign-in ends the least recently used one. */
export const MAX_SESSIONS = 20;
/** How precisely we record when a session was last seen. */
const SEEN_MS = MINUTE;

/** Who is signed in, and as whose member. */
export interface Session {
  readonly memberId: number;
  readonly personId: number;
  readonly email: string;
  readonly partnerId: number;
  /** Read with every request, so a change of role counts from the next one on. */
  readonly role: Role;
  /** How far the partner's sandbox is ahead of real time. */
  readonly aheadMs: number;
  readonly hasSecondFactor: boolean;
  /** When the password, and the second factor if there is one, was last given in this session. */
  readonly confirmedAt: Date | null;
}

/** Where a session is opened, as far as it is known. */
export interface Device {
  readonly address: string;
  readonly userAgent?: string;
}

const MAX_USER_AGENT = 300;

/** Opens a session at one partner; the token is in the answer and nowhere else. Also deletes the person's expired sessions. */
export async function openSession(
  tx: Tx,
  memberId: number,
  now: number,
  { address, userAgent = '' }: Device = { address: '' },
): Promise<string> {
  const [at, idleSince] = [new Date(now), new Date(now - IDLE_MS)];
  const token = newToken('session');
  const own = sql`member_id in (${membersLike(memberId)})`;
  await tx.run(sql`
    delete from sessions where ${own} and (expires_at <= ${at} or last_seen_at <= ${idleSince}
      or hash not in (select hash from sessions where ${own} order by last_seen_at desc limit ${MAX_SESSIONS - 1}))`);
  await tx.run(sql`
    insert into sessions (hash, member_id, created_at, last_seen_at, expires_at, confirmed_at, address, user_agent)
    values (${tokenHash(token)}, ${memberId}, ${at}, ${at}, ${new Date(now + SESSION_MS)}, ${at}, ${address},
      ${userAgent.slice(0, MAX_USER_AGENT)})`);
  await tx.run(sql`update members set last_sign_in_at = ${at} where id = ${memberId}`);
  return token;
}

/** The ids of every member who is the same person as this one. */
const membersLike = (memberId: number): Sql =>
  sql`select same.id from members join members as same using (person_id) where members.id = ${memberId}`;

export type SessionLookUp = (token: string, now: number) => Promise<Session | undefined>;

/** Reads the partner each time: sessions at a disabled or closed one do not count. */
export function sessionLookUp(db: Db): SessionLookUp {
  const find = tokenLookUp('session', (hashes) => readSessions(db, hashes));
  return async (token, now) => {
    const row = await find(token);
    if (!row) return undefined;
    const { hash: _, ms, seen, expires, ...session } = row;
    if (expires.getTime() <= now || seen.getTime() <= now - IDLE_MS) return undefined;
    if (seen.getTime() <= now - SEEN_MS)
      await db.run(sql`update sessions set last_seen_at = ${new Date(now)} where hash = ${tokenHash(token)}`);
    return { ...session, aheadMs: ms ?? 0 };
  };
}

type SessionRow = Omit<Session, 'aheadMs'> & { hash: string; ms: number | null; seen: Date; expires: Date };

const readSessions = (db: Db, hashes: readonly Buffer[]): Promise<SessionRow[]> =>
  db.query(sql`
    select encode(hash, 'hex') as hash, member_id as "memberId", members.person_id as "personId", members.email,
      members.partner_id as "partnerId", role, last_seen_at as seen, expires_at as expires,
      extract(epoch from ahead)::float8 * 1000 as ms, confirmed_at as "confirmedAt",
      exists (select from second_factors where person_id = members.person_id and on_since is not null) as "hasSecondFactor"
    from sessions join members on members.id = member_id join partners on partners.id = members.partner_id
    left join sandbox.account_clocks on account_clocks.partner_id = members.partner_id
    where hash = any(${hashes}::bytea[]) and not disabled and deleted_at is null`);

/** One partner a person can open. */
export interface Account {
  readonly memberId: number;
  readonly partnerId: number;
  readonly partnerName: string;
}

const openTo = sql`
  select members.id as "memberId", partners.id as "partnerId", partners.name as "partnerName", last_sign_in_at
  from members join partners on partners.id = members.partner_id and not disabled and deleted_at is null`;

/** The partners a person can choose from, by name. */
export function listAccounts(db: Queryable, personId: number): Promise<Account[]> {
  return db.query(sql`
    select "memberId", "partnerId", "partnerName" from (${openTo} where person_id = ${personId}) as open
    order by lower("partnerName"), "memberId"`);
}

/** Where a sign-in leads: the partner used last. */
export function latestAccount(db: Queryable, personId: number): Promise<Account | undefined> {
  return db.maybe(sql`
    select "memberId", "partnerId", "partnerName" from (${openTo} where person_id = ${personId}) as open
    order by last_sign_in_at desc nulls last, "memberId" limit 1`);
}

/**
 * Moves a session to another partner of the same person. What is somebody else's does not exist. The member's row is changed
 * before the session's, in the order `people.ts` describes.
 */
export async function switchAccount(tx: Tx, token: string, memberId: number, now: number): Promise<void> {
  const opened = await tx.run(sql`
    update members set last_sign_in_at = ${new Date(now)}
    from partners, sessions join members as current on current.id = sessions.member_id
    where members.id = ${memberId} and members.person_id = current.person_id and sessions.hash = ${tokenHash(token)}
      and partners.id = members.partner_id and not disabled and deleted_at is null`);
  if (opened === 0) throw new Refused('account_not_found');
  await tx.run(sql`update sessions set member_id = ${memberId} where hash = ${tokenHash(token)}`);
}

export async function endSession(db: Queryable, token: string): Promise<void> {
  if (!isTokenOf('session', token)) return;
  await db.run(sql`delete from sessions where hash = ${tokenHash(token)}`);
}

export async function endSessionsOfMember(tx: Tx, memberId: number): Promise<void> {
  await tx.run(sql`delete from sessions where member_id = ${memberId}`);
}

/** A session as its person sees it. */
export interface OpenSession extends Required<Device> {
  readonly sessionId: bigint;
  readonly partnerName: string;
  readonly openedAt: Date;
  readonly lastSeenAt: Date;
  /** The one the list is read in. */
  readonly isThis: boolean;
}

/** Everywhere a person is signed in, most recently used first. */
export function listSessions(db: Queryable, personId: number, token: string, now: number): Promise<OpenSession[]> {
  return db.query(sql`
    select sessions.id as "sessionId", partners.name as "partnerName", sessions.created_at as "openedAt",
      last_seen_at as "lastSeenAt", address, user_agent as "userAgent", hash = ${tokenHash(token)} as "isThis"
    from members join sessions on sessions.member_id = members.id join partners on partners.id = members.partner_id
    where person_id = ${personId} and expires_at > ${new Date(now)} and last_seen_at > ${new Date(now - IDLE_MS)}
    order by "isThis" desc, last_seen_at desc, sessions.id`);
}

export async function endSessionOfPerson(tx: Tx, personId: number, sessionId: bigint): Promise<void> {
  const ended = await tx.run(sql`
    delete from sessions where id = ${sessionId} and member_id in (select id from members where person_id = ${personId})`);
  if (ended === 0) throw new Refused('session_not_found');
}

/** The person of this session has just proven again who they are. */
export async function confirmSession(db: Queryable, token: string, now: number): Promise<void> {
  await db.run(sql`update sessions set confirmed_at = ${new Date(now)} where hash = ${tokenHash(token)}`);
}

/** Signs a person out everywhere, or everywhere but in one session. */
export async function endSessionsOfPerson(tx: Tx, personId: number, keepToken?: string): Promise<void> {
  const others = keepToken === undefined ? nothing : sql`and hash <> ${tokenHash(keepToken)}`;
  await tx.run(sql`
    delete from sessions where member_id in (select id from members where person_id = ${personId}) ${others}`);
}

export async function endSessionsOfPartner(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`delete from sessions where member_id in (select id from members where partner_id = ${partnerId})`);
}
