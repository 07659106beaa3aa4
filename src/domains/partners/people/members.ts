import { Refused } from '../../../platform/contract/refused.ts';
import { isDuplicate, type Queryable, type Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { requireOpenPartner } from '../accounts/accounts.ts';
import { memberRoles, type Permission, type Role } from './roles.ts';

/*
 * A person is an e-mail address with a password, and belongs to one or more partners: each place is a member.
 *
 * A link may be shown to the person who made it, where no mail is sent and to admins, so nothing proves that an address belongs to
 * the person who accepted an invitation to it. An address alone is therefore not an identity: two people may have the same one.
 * Accepting an invitation either sets a password, which creates a new person, or proves an existing password for that address and
 * adds a partner to that person. As a result a partner cannot take an address by inviting it first, cannot learn whether another
 * partner knows it, and cannot touch a password that is used elsewhere.
 *
 * People with the same address and the same password are the same person: whenever somebody proves that, and the second factor
 * if one of them has it, they are joined.
 *
 * Locks are taken in one order, so that sign-ins, links, changes and removals never wait for each other in a circle: members by
 * id, then people by id, then links and sessions.
 */

/**
 * Creates a person for one member. If the member was somebody who also belongs to other partners, that person keeps those and
 * their password. The new person is known on the same networks and is asked for the same second factor.
 */
export async function startPerson(tx: Tx, memberId: number, passwordHash: string | null): Promise<number> {
  const { personId } = await tx.one<{ personId: number }>(sql`
    insert into people (email, password_hash) select email, ${passwordHash} from members where id = ${memberId}
    returning id as "personId"`);
  await tx.run(sql`
    insert into sign_in_places (person_id, source, last_at)
    select ${personId}, source, last_at from sign_in_places join members using (person_id) where members.id = ${memberId}`);
  await tx.run(sql`
    insert into second_factors (person_id, secret, on_since, last_step, recovery_hashes)
    select ${personId}, secret, on_since, last_step, recovery_hashes
    from second_factors join members using (person_id)
    where members.id = ${memberId} and (on_since is not null or recovery_hashes <> '{}')`);
  await tx.run(sql`
    insert into passkeys (person_id, credential_id, public_key, counter, name, created_at, last_used_at, last_challenge)
    select ${personId}, credential_id, public_key, counter, name, created_at, last_used_at, last_challenge
    from passkeys join members using (person_id) where members.id = ${memberId}`);
  await assignMember(tx, memberId, personId);
  return personId;
}

export async function assignMember(tx: Tx, memberId: number, personId: number): Promise<void> {
  const { before } = await tx.one<{ before: number | null }>(sql`
    update members set person_id = ${personId} from members as old where members.id = ${memberId} and old.id = members.id
    returning old.person_id as before`);
  if (before !== null && before !== personId) await removeUnplaced(tx, [before]);
}

/** People who belong to no partner any more are deleted. Each is locked first, so that of two removals at once the last one sees it. */
async function removeUnplaced(tx: Tx, personIds: readonly number[]): Promise<void> {
  await tx.run(sql`select from people where id = any(${personIds}::int[]) order by id for update`);
  await tx.run(sql`
    delete from people where id = any(${personIds}::int[])
      and not exists (select from members where person_id = people.id)`);
}

/** Joins somebody to the person they turned out to be. Their sessions end: they were opened without proving to be the person who stays. */
export async function join(tx: Tx, personId: number, stays: number): Promise<void> {
  await tx.run(sql`delete from sessions where member_id in (select id from members where person_id = ${personId})`);
  await tx.run(sql`update members set person_id = ${stays} where person_id = ${personId}`);
  await tx.run(sql`
    insert into sign_in_places (person_id, source, last_at)
    select ${stays}, source, last_at from sign_in_places where person_id = ${personId}
    on conflict (person_id, source) do update set last_at = greatest(sign_in_places.last_at, excluded.last_at)`);
  await tx.run(sql`delete from people where id = ${personId}`);
}

const MAX_MEMBERS = 50;
const MAX_EMAIL_LENGTH = 254;
/** No invisible characters: the address appears in the audit log and on the operator's terminal, and no two may look alike. */
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
/** One person's membership at one partner, starting with the invitation. */
export interface Member {
  readonly memberId: number;
  readonly partnerId: number;
  /** As it was invited: what a partner sees never depends on what other partners know. */
  readonly email: string;
  readonly role: Role;
  readonly accepted: boolean;
  readonly invitedAt: Date;
  readonly lastSignInAt: Date | null;
}

const columns = sql`
  id as "memberId", partner_id as "partnerId", email, role, person_id is not null as accepted, invited_at as "invitedAt",
  last_sign_in_at as "lastSignInAt"`;

export type NewMember = Pick<Member, 'partnerId' | 'email' | 'role'>;

export function requireEmail(email: string): void {
  if (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email)) throw new Refused('invalid_email');
}

const MAX_FORGOTTEN = 20;

type FoundMember = Pick<Member, 'memberId' | 'partnerId' | 'email' | 'role'>;

/** The members of partners, as rows. How they sign in is `member-access.ts`. */
export const members = {
  /** Adds a member who cannot sign in yet: a one-time link lets them accept. Says nothing about other partners' members. */
  async create(tx: Tx, { partnerId, email, role }: NewMember, now: number): Promise<Member> {
    await requireOpenPartner(tx, partnerId);
    requireEmail(email);
    if ((await members.list(tx, partnerId)).length >= MAX_MEMBERS) throw new Refused('member_limit_reached');
    try {
      return await tx.one<Member>(sql`
        insert into members (partner_id, email, role, invited_at)
        values (${partnerId}, ${email}, ${role}, ${new Date(now)})
        returning ${columns}`);
    } catch (error) {
      if (isDuplicate(error)) throw new Refused('member_exists', `there is already a member with the address ${email}`);
      throw error;
    }
  },

  list(db: Queryable, partnerId: number): Promise<Member[]> {
    return db.query(sql`select ${columns} from members where partner_id = ${partnerId} order by id`);
  },

  async find(db: Queryable, memberId: number): Promise<Member> {
    const member = await db.maybe<Member>(sql`select ${columns} from members where id = ${memberId}`);
    if (!member) throw new Refused('member_not_found');
    return member;
  },

  /** Null until the invitation is accepted. */
  async personOf(db: Queryable, memberId: number): Promise<number | null> {
    const { personId } = await db.one<{ personId: number | null }>(sql`
      select person_id as "personId" from members where id = ${memberId}`);
    return personId;
  },

  /** Keeps an invitation from being accepted until this transaction ends. */
  lock(tx: Tx, memberId: number): Promise<Member> {
    return tx.one<Member>(sql`select ${columns} from members where id = ${memberId} for no key update`);
  },

  byEmail(db: Queryable, partnerId: number, email: string): Promise<Member | undefined> {
    return db.maybe<Member>(sql`
      select ${columns} from members where partner_id = ${partnerId} and lower(email) = lower(${email})`);
  },

  /**
   * Every membership with this address that can be opened: a forgotten password may belong to any of them. Locked by id, in
   * the order above.
   */
  lockWithAddress(tx: Tx, email: string): Promise<Pick<Member, 'memberId' | 'partnerId' | 'email'>[]> {
    return tx.query(sql`
      select members.id as "memberId", partner_id as "partnerId", members.email
      from people join members on members.person_id = people.id join partners on partners.id = partner_id
      where lower(people.email) = lower(${email}) and not disabled and deleted_at is null
        and (members.break_glass or not exists (select from partner_sso where partner_id = members.partner_id and required))
      order by members.id limit ${MAX_FORGOTTEN} for no key update of members`);
  },

  /**
   * Who gets a partner's notices: the members who accepted and may see them, or its contact address if there are none. A closed
   * partner gets none.
   */
  async recipients(
    db: Queryable,
    partnerId: number,
    permission: Permission,
  ): Promise<{ readonly partnerName: string; readonly addresses: readonly string[] }> {
    const { partnerName, email, isClosed } = await db.one<{
      partnerName: string;
      email: string;
      isClosed: boolean;
    }>(sql`
      select name as "partnerName", email, deleted_at is not null as "isClosed" from shared.partners where id = ${partnerId}`);
    const readers = await db.query<{ email: string }>(sql`
      select email from shared.members where partner_id = ${partnerId} and person_id is not null
        and role = any(${memberRoles.names.filter((role) => memberRoles.may(role, permission))}::text[])
      order by id`);
    if (isClosed) return { partnerName, addresses: [] };
    return { partnerName, addresses: readers.length > 0 ? readers.map((reader) => reader.email) : [email] };
  },

  async setRole(tx: Tx, memberId: number, role: Role): Promise<void> {
    await tx.run(sql`update members set role = ${role} where id = ${memberId}`);
  },

  /** Their sessions at this partner and their link are deleted with the row; their other memberships stay. */
  async remove(tx: Tx, memberId: number): Promise<void> {
    const removed = await tx.maybe<{ personId: number | null }>(sql`
      delete from members where id = ${memberId} returning person_id as "personId"`);
    if (!removed) throw new Refused('member_not_found');
    if (removed.personId !== null) await removeUnplaced(tx, [removed.personId]);
  },

  async removeAllOf(tx: Tx, partnerId: number): Promise<void> {
    const removed = await tx.query<{ personId: number | null }>(sql`
      delete from members where partner_id = ${partnerId} returning person_id as "personId"`);
    await removeUnplaced(
      tx,
      removed.flatMap(({ personId }) => personId ?? []),
    );
  },

  /**
   * Refuses to leave a partner without an owner who can sign in, when this member is removed or gets another role. The partner's
   * row is locked, so two members who remove each other are handled one after the other.
   */
  async requireNotLast(tx: Tx, { memberId, partnerId, role }: Member): Promise<void> {
    await requireOpenPartner(tx, partnerId);
    if ((await members.breakGlass(tx, partnerId)) === memberId) throw new Refused('break_glass_stays');
    const others = (await members.list(tx, partnerId)).filter((one) => one.accepted && one.memberId !== memberId);
    if (others.length === 0) throw new Refused('last_member');
    if (role === 'owner' && !others.some((one) => one.role === 'owner')) throw new Refused('last_owner');
  },

  /** Members whose address begins with a text. One person may be a member of several partners. */
  beginning(db: Queryable, text: string, limit: number): Promise<FoundMember[]> {
    return db.query(sql`
      select id as "memberId", partner_id as "partnerId", email, role from members
      where starts_with(lower(email), lower(${text})) order by lower(email), id limit ${limit}`);
  },

  /** Who is left a password where single sign-on is required; null: nobody. */
  async setBreakGlass(tx: Tx, partnerId: number, memberId: number | null): Promise<void> {
    await tx.run(sql`update members set break_glass = (id = ${memberId}) is true where partner_id = ${partnerId}`);
  },

  async breakGlass(db: Queryable, partnerId: number): Promise<number | null> {
    const found = await db.maybe<{ id: number }>(sql`
      select id from members where partner_id = ${partnerId} and break_glass order by id limit 1`);
    return found?.id ?? null;
  },

  /** Owners with a password and a second factor: they could be left a password. */
  async withWayIn(db: Queryable, partnerId: number): Promise<number[]> {
    const guarded = await members.withSecondFactor(db, partnerId);
    const rows = await db.query<{ id: number }>(sql`
      select members.id from members join people on people.id = person_id
      where partner_id = ${partnerId} and role = 'owner' and password_hash is not null order by members.id`);
    return rows.flatMap(({ id }) => (guarded.includes(id) ? [id] : []));
  },

  /** Sessions that an issuer opened, when it no longer speaks for the partner. */
  async endSsoSessionsAt(tx: Tx, partnerId: number): Promise<void> {
    await tx.run(sql`
      delete from sessions where sso and member_id in (select id from members where partner_id = ${partnerId})`);
  },

  async withSecondFactor(db: Queryable, partnerId: number): Promise<number[]> {
    const rows = await db.query<{ memberId: number }>(sql`
      select members.id as "memberId" from members where partner_id = ${partnerId}
        and (exists (select from second_factors where person_id = members.person_id and on_since is not null)
          or exists (select from passkeys where person_id = members.person_id))
      order by members.id`);
    return rows.map(({ memberId }) => memberId);
  },

  async endSessionsAt(tx: Tx, partnerId: number): Promise<void> {
    await tx.run(sql`delete from sessions where member_id in (select id from members where partner_id = ${partnerId})`);
  },
};
