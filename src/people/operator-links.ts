import { Refused } from '../contract/refused.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import { LINK_MS } from './one-time-link.ts';
import { isTokenOf, newToken, tokenHash } from './token.ts';

/** A new link for an operator: an invitation, or a way back in for somebody who forgot their password. An older link stops working. */
export async function createOperatorLink(tx: Tx, operatorId: number, now: number): Promise<string> {
  const token = newToken('link');
  await tx.run(sql`
    insert into staff_links (operator_id, hash, expires_at)
    values (${operatorId}, ${tokenHash(token)}, ${new Date(now + LINK_MS)})
    on conflict (operator_id) do update set hash = excluded.hash, expires_at = excluded.expires_at, used_at = null`);
  return token;
}

/** As for members, the token is the fragment, which browsers send to no server. */
export const operatorLinkAddress = (panelUrl: URL, token: string): string =>
  new URL(`/operator/welcome#${token}`, panelUrl).href;

export interface OperatorLinkHolder {
  readonly operatorId: number;
  readonly email: string;
}

/** Whose link this is. One refusal for all that is wrong with it: used, expired, replaced or never made. */
export async function requireOperatorLink(
  db: Queryable,
  token: string,
  now: number,
  lock?: 'lock',
): Promise<OperatorLinkHolder> {
  const holder =
    isTokenOf('link', token) &&
    (await db.maybe<OperatorLinkHolder>(sql`
      select staff.id as "operatorId", email from staff_links join staff on staff.id = operator_id
      where ${works(token, now)} ${lock ? sql`for no key update of staff` : nothing}`));
  if (!holder) throw notValid();
  return holder;
}

/** Of two uses at once, the second waits for the operator's row and then finds the link used. */
export async function useOperatorLink(tx: Tx, token: string, now: number): Promise<OperatorLinkHolder> {
  const holder = await requireOperatorLink(tx, token, now, 'lock');
  const used = await tx.run(sql`update staff_links set used_at = ${new Date(now)} where ${works(token, now)}`);
  if (used === 0) throw notValid();
  return holder;
}

const notValid = () => new Refused('link_not_valid');

const works = (token: string, now: number): Sql =>
  sql`hash = ${tokenHash(token)} and used_at is null and expires_at > ${new Date(now)}`;
