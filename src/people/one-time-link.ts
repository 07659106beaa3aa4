import { DAY, HOUR } from '../clock.ts';
import { Refused } from '../contract/refused.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import { isTokenOf, newToken, tokenHash } from './token.ts';

export const LINK_MS = 7 * DAY;
/** Of a link that anybody who knows an address can have sent to it. */
export const FORGOTTEN_LINK_MS = 1 * HOUR;

/** A new link for a member: an invitation, or a way back in for somebody who forgot their password. An older link stops working. */
export async function createLink(tx: Tx, memberId: number, now: number): Promise<string> {
  const token = newToken('link');
  await tx.run(sql`
    insert into member_links (member_id, hash, expires_at)
    values (${memberId}, ${tokenHash(token)}, ${new Date(now + LINK_MS)})
    on conflict (member_id) do update set hash = excluded.hash, expires_at = excluded.expires_at, used_at = null`);
  return token;
}

/**
 * A link for somebody who asked for one without signing in. It replaces only a link that would not outlive it: a stranger must not
 * be able to end an invitation or a link from the operator. Then the answer is until when the other link works.
 */
export async function createForgottenLink(
  tx: Tx,
  memberId: number,
  now: number,
): Promise<{ readonly token: string } | { readonly otherUntil: Date }> {
  const token = newToken('link');
  const expiresAt = new Date(now + FORGOTTEN_LINK_MS);
  const made = await tx.run(sql`
    insert into member_links (member_id, hash, expires_at) values (${memberId}, ${tokenHash(token)}, ${expiresAt})
    on conflict (member_id) do update set hash = excluded.hash, expires_at = excluded.expires_at, used_at = null
    where member_links.used_at is not null or member_links.expires_at <= excluded.expires_at`);
  if (made > 0) return { token };
  const { otherUntil } = await tx.one<{ otherUntil: Date }>(sql`
    select expires_at as "otherUntil" from member_links where member_id = ${memberId}`);
  return { otherUntil };
}

/** The token is the fragment, which browsers send to no server, so it cannot end up in a log or a referrer. */
export const linkAddress = (panelUrl: URL, token: string): string => new URL(`/welcome#${token}`, panelUrl).href;

export interface LinkHolder {
  readonly memberId: number;
  readonly partnerId: number;
  /** Null until the invitation is accepted. */
  readonly personId: number | null;
  readonly email: string;
  readonly partnerName: string;
}

/**
 * Whose link this is. One refusal for all that is wrong with it: used, expired, replaced, never made, or of a closed or disabled
 * partner. The answer does not depend on whether the address is known elsewhere: the inviter holds the link, too.
 */
export async function requireLink(db: Queryable, token: string, now: number, lock?: 'lock'): Promise<LinkHolder> {
  const isOurs = isTokenOf('link', token);
  const holder =
    isOurs &&
    (await db.maybe<LinkHolder>(sql`
    select members.id as "memberId", partner_id as "partnerId", person_id as "personId", members.email,
      partners.name as "partnerName"
    from member_links join members on members.id = member_id join partners on partners.id = partner_id
    where ${works(token, now)} and not disabled and deleted_at is null
    ${lock ? sql`for no key update of members` : nothing}`));
  if (!holder) throw new Refused('link_not_valid');
  return holder;
}

/** Of two uses at once, the second waits for the member's row and then finds the link used. */
export async function useLink(tx: Tx, token: string, now: number): Promise<LinkHolder> {
  const holder = await requireLink(tx, token, now, 'lock');
  const used = await tx.run(sql`update member_links set used_at = ${new Date(now)} where ${works(token, now)}`);
  if (used === 0) throw new Refused('link_not_valid');
  return holder;
}

const works = (token: string, now: number): Sql =>
  sql`hash = ${tokenHash(token)} and used_at is null and expires_at > ${new Date(now)}`;
