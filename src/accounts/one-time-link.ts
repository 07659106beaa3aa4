import { DAY } from '../clock.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';
import { newToken, tokenHash } from './token.ts';

export const LINK_MS = 7 * DAY;

/** A new link for a member: an invitation, or a way back for who forgot the password. An older one stops working. */
export async function createLink(tx: Tx, memberId: number, now: number): Promise<string> {
  const token = newToken('link');
  await tx.run(sql`
    insert into member_links (member_id, hash, expires_at)
    values (${memberId}, ${tokenHash(token)}, ${new Date(now + LINK_MS)})
    on conflict (member_id) do update set hash = excluded.hash, expires_at = excluded.expires_at, used_at = null`);
  return token;
}

/** The token is the fragment, which browsers send to no server: it cannot end up in a log or a referrer. */
export const linkAddress = (panelUrl: URL, token: string): string => new URL(`/welcome#${token}`, panelUrl).href;

export interface LinkHolder {
  readonly member_id: number;
  readonly email: string;
  readonly partner_name: string;
}

/** Whose link this is. Used, expired, replaced, never made, of a closed or disabled partner: all the same refusal. */
export async function showLink(db: Queryable, token: string, now: number, lock?: 'lock'): Promise<LinkHolder> {
  const holder = await db.maybe<LinkHolder>(sql`
    select members.id as member_id, members.email, partners.name as partner_name
    from member_links join members on members.id = member_id join partners on partners.id = partner_id
    where ${works(token, now)} and not disabled and deleted_at is null
    ${lock ? sql`for no key update of members` : nothing}`);
  if (!holder) throw new Refused('link_not_valid');
  return holder;
}

/**
 * Of two who use a link at once, the second waits for the row and finds it used. The member before her link, as whoever
 * changes her password or removes her: nobody waits in a circle.
 */
export async function useLink(tx: Tx, token: string, now: number): Promise<LinkHolder> {
  const holder = await showLink(tx, token, now, 'lock');
  const used = await tx.run(sql`update member_links set used_at = ${new Date(now)} where ${works(token, now)}`);
  if (used === 0) throw new Refused('link_not_valid');
  return holder;
}

const works = (token: string, now: number): Sql =>
  sql`hash = ${tokenHash(token)} and used_at is null and expires_at > ${new Date(now)}`;
