import { DAY, HOUR, MINUTE } from '../clock.ts';
import type { Db, Queryable, Tx } from '../db/database.ts';
import { nothing, sql } from '../db/sql.ts';
import { newToken, tokenHash } from './token.ts';

export const SESSION_MS = 30 * DAY;
export const IDLE_MS = 12 * HOUR;
/** Places a member can be signed in at; who signs in at one more is signed out where she was seen longest ago. */
export const MAX_SESSIONS = 20;
/** How exactly it is known when a session was last seen. */
const SEEN_MS = MINUTE;

/** Who is signed in. */
export interface Session {
  readonly memberId: number;
  readonly email: string;
  readonly partnerId: number;
  /** How far the partner's sandbox is ahead of the real time. */
  readonly aheadMs: number;
}

/** The token exists in the answer only. What the member left behind long ago is cleared away. */
export async function openSession(tx: Tx, memberId: number, now: number): Promise<string> {
  const [at, idleSince] = [new Date(now), new Date(now - IDLE_MS)];
  const token = newToken('session');
  await tx.run(sql`
    delete from sessions where member_id = ${memberId} and (expires_at <= ${at} or last_seen_at <= ${idleSince}
      or hash not in (
        select hash from sessions where member_id = ${memberId} order by last_seen_at desc limit ${MAX_SESSIONS - 1}))`);
  await tx.run(sql`
    insert into sessions (hash, member_id, created_at, last_seen_at, expires_at)
    values (${tokenHash(token)}, ${memberId}, ${at}, ${at}, ${new Date(now + SESSION_MS)})`);
  await tx.run(sql`update members set last_sign_in_at = ${at} where id = ${memberId}`);
  return token;
}

/** The partner is looked at anew each time: one that is disabled or closed has nobody signed in. */
export async function findSession(db: Db, token: string, now: number): Promise<Session | undefined> {
  const hash = tokenHash(token);
  const row = await db.maybe<{ memberId: number; email: string; partnerId: number; ms: number | null; seen: Date }>(sql`
    select member_id as "memberId", members.email, members.partner_id as "partnerId", last_seen_at as seen,
      extract(epoch from ahead)::float8 * 1000 as ms
    from sessions join members on members.id = member_id join partners on partners.id = members.partner_id
    left join sandbox.account_clocks on account_clocks.partner_id = members.partner_id
    where hash = ${hash} and expires_at > ${new Date(now)} and last_seen_at > ${new Date(now - IDLE_MS)}
      and not disabled and deleted_at is null`);
  if (!row) return undefined;
  const { memberId, email, partnerId, ms, seen } = row;
  if (seen.getTime() <= now - SEEN_MS)
    await db.run(sql`update sessions set last_seen_at = ${new Date(now)} where hash = ${hash}`);
  return { memberId, email, partnerId, aheadMs: ms ?? 0 };
}

export async function endSession(db: Queryable, token: string): Promise<void> {
  await db.run(sql`delete from sessions where hash = ${tokenHash(token)}`);
}

/** Signs a member out everywhere, or everywhere but where she is. */
export async function endSessionsOfMember(tx: Tx, memberId: number, butToken?: string): Promise<void> {
  const others = butToken === undefined ? nothing : sql`and hash <> ${tokenHash(butToken)}`;
  await tx.run(sql`delete from sessions where member_id = ${memberId} ${others}`);
}

export async function endSessionsOfPartner(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`delete from sessions where member_id in (select id from members where partner_id = ${partnerId})`);
}
