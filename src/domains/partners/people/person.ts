import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

/*
 * A person is an e-mail address with a password, and belongs to one or more partners: each place is a member (`members.ts`).
 *
 * A link may be shown to the person who made it, where no mail is sent and to admins, so nothing proves that an address belongs to
 * the person who accepted an invitation to it. An address alone is therefore not an identity: two people may have the same one.
 * Accepting an invitation either sets a password, which creates a new person, or proves an existing password for that address and adds a partner to that person. As a
 * result a partner cannot take an address by inviting it first, cannot learn whether another partner knows it, and cannot
 * touch a password that is used elsewhere.
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
export async function removeUnplaced(tx: Tx, personIds: readonly number[]): Promise<void> {
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
