import { type Queryable, sqlState, type Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';

/** People of one partner who may sign in. */
export const MAX_MEMBERS = 50;
const MAX_EMAIL_LENGTH = 254;
/** Nothing invisible: the address is a name in the audit log and on the operator's terminal, and no two may look alike. */
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
const UNIQUE_VIOLATION = '23505';

export interface Member {
  readonly member_id: number;
  readonly partner_id: number;
  readonly email: string;
  /** Has used a link to set a password. */
  readonly accepted: boolean;
  readonly invited_at: Date;
  readonly last_sign_in_at: Date | null;
}

const columns = sql`
  id as member_id, partner_id, email, password_hash is not null as accepted, invited_at, last_sign_in_at`;

/** Adds a person who cannot sign in yet: she sets her password with a one-time link. */
export async function createMember(tx: Tx, partnerId: number, email: string, now: number): Promise<Member> {
  const partner = await lockPartner(tx, partnerId);
  if (!partner) throw new Refused('partner_not_found');
  if (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email)) throw new Refused('invalid_email');
  if ((await listMembers(tx, partnerId)).length >= MAX_MEMBERS) throw new Refused('member_limit_reached');
  try {
    return await tx.one<Member>(sql`
      insert into members (partner_id, email, invited_at) values (${partnerId}, ${email}, ${new Date(now)})
      returning ${columns}`);
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) throw new Refused('member_exists', `${email} is a member already`);
    throw error;
  }
}

export function listMembers(db: Queryable, partnerId: number): Promise<Member[]> {
  return db.query(sql`select ${columns} from members where partner_id = ${partnerId} order by id`);
}

export async function findMember(db: Queryable, memberId: number): Promise<Member> {
  const member = await db.maybe<Member>(sql`select ${columns} from members where id = ${memberId}`);
  if (!member) throw new Refused('member_not_found');
  return member;
}

export function memberByEmail(db: Queryable, email: string): Promise<Member | undefined> {
  return db.maybe<Member>(sql`select ${columns} from members where lower(email) = lower(${email})`);
}

/** Her sessions and her link go with her. */
export async function removeMember(tx: Tx, memberId: number): Promise<void> {
  const removed = await tx.run(sql`delete from members where id = ${memberId}`);
  if (removed === 0) throw new Refused('member_not_found');
}

export async function removeMembersOf(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`delete from members where partner_id = ${partnerId}`);
}

/** Refuses to leave a partner with nobody who can sign in; two who remove each other at once are one after the other. */
export async function checkNotLast(tx: Tx, { member_id, partner_id }: Member): Promise<void> {
  await lockPartner(tx, partner_id);
  const others = (await listMembers(tx, partner_id)).filter((one) => one.accepted && one.member_id !== member_id);
  if (others.length === 0) throw new Refused('last_member', 'nobody else of the partner can sign in');
}

const lockPartner = (tx: Tx, partnerId: number) =>
  tx.maybe(sql`select id from partners where id = ${partnerId} and deleted_at is null for no key update`);
