import type { Queryable } from '../db/database.ts';
import { nothing, sql } from '../db/sql.ts';
import type { Mode } from './key-format.ts';

/*
 * What an operator's search finds in the tables of accounts. Partners are thousands at most, and so are their keys and members, so
 * a look through one of these tables takes a millisecond or two.
 */

export interface NamedPartner {
  readonly id: number;
  readonly name: string;
  readonly isClosed: boolean;
}

/** The partner with this id, then partners whose name contains the text: open ones first, matches near the start first. */
export function partnersNamed(db: Queryable, text: string, limit: number): Promise<NamedPartner[]> {
  return db.query(sql`
    select id, name, deleted_at is not null as "isClosed" from partners
    where id::text = ${text} or position(lower(${text}) in lower(name)) > 0 or lower(email) = lower(${text})
    order by id::text <> ${text}, deleted_at is not null, position(lower(${text}) in lower(name)), id limit ${limit}`);
}

export interface FoundKey {
  readonly keyId: number;
  readonly partnerId: number;
  readonly mode: Mode;
  readonly name: string;
  readonly last4: string;
  readonly isRevoked: boolean;
}

/** Keys by the four characters that are shown of them; active ones first. */
export function keysEndingIn(db: Queryable, last4: string, mode: Mode | undefined, limit: number): Promise<FoundKey[]> {
  return db.query(sql`
    select id as "keyId", partner_id as "partnerId", mode, name, last4,
      revoked_at is not null as "isRevoked"
    from api_keys
    where last4 = ${last4} ${mode === undefined ? nothing : sql`and mode = ${mode}`}
    order by revoked_at is not null, id desc limit ${limit}`);
}

export interface FoundMember {
  readonly memberId: number;
  readonly partnerId: number;
  readonly email: string;
  readonly role: string;
}

/** Members whose address begins with a text. One person may be a member of several partners. */
export function membersBeginning(db: Queryable, text: string, limit: number): Promise<FoundMember[]> {
  return db.query(sql`
    select id as "memberId", partner_id as "partnerId", email, role from members
    where starts_with(lower(email), lower(${text})) order by lower(email), id limit ${limit}`);
}
