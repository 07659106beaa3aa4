import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { people, type Register } from './register.ts';
import { copySecondFactor, guarded } from './second-factor.ts';
import { endSessionsOfPerson } from './sessions.ts';

/**
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
export interface ProvenPerson {
  readonly personId: number;
  /** What the password was proven against. */
  readonly passwordHash: string;
}

export function peopleByEmail(
  db: Queryable,
  email: string,
  { people: table }: Register = people,
): Promise<ProvenPerson[]> {
  return db.query(sql`
    select id as "personId", password_hash as "passwordHash" from ${table}
    where lower(email) = lower(${email}) and password_hash is not null order by id`);
}

/**
 * Creates a person for one member. If the member was somebody who also belongs to other partners, that person keeps those and
 * their password. The new person is known on the same networks and is asked for the same second factor.
 */
export async function startPerson(tx: Tx, memberId: number, passwordHash: string): Promise<number> {
  const { personId } = await tx.one<{ personId: number }>(sql`
    insert into people (email, password_hash) select email, ${passwordHash} from members where id = ${memberId}
    returning id as "personId"`);
  await tx.run(sql`
    insert into sign_in_places (person_id, source, last_at)
    select ${personId}, source, last_at from sign_in_places join members using (person_id) where members.id = ${memberId}`);
  await copySecondFactor(tx, memberId, personId);
  await assignMember(tx, memberId, personId);
  return personId;
}

/** Makes a member the given person. */
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

/**
 * Locks the people whose password was proven and joins them into one: `into`, or the first. Undefined when none of them (or
 * not `into`) still has that password: proving takes a moment, and a password changed meanwhile has ended the old one's sessions.
 * Somebody with a second factor only counts as `into`: their password alone does not prove who they are, and joining them to
 * somebody without one would leave the factor out.
 */
export async function joinProven(tx: Tx, proven: readonly ProvenPerson[], into?: number): Promise<number | undefined> {
  const ids = proven.map(({ personId }) => personId);
  const hashes = proven.map(({ passwordHash }) => passwordHash);
  // As for a change, which follows: two transactions that only shared the rows would each wait for the other to let go.
  await tx.run(sql`select from members where person_id = any(${ids}::int[]) order by id for no key update`);
  const matching = await tx.query<{ id: number }>(sql`
    select id from people
    where (id, password_hash) in (select * from unnest(${ids}::int[], ${hashes}::text[]))
    order by id for no key update`);
  const withFactor = await guarded(tx, ids);
  const still = matching.filter(({ id }) => id === into || !withFactor.includes(id));
  const stays = into ?? still[0]?.id;
  if (stays === undefined || !still.some(({ id }) => id === stays)) return undefined;
  for (const { id } of still) if (id !== stays) await join(tx, id, stays);
  return stays;
}

/** The joined person's sessions end: they were opened without proving to be the person who stays. */
async function join(tx: Tx, personId: number, stays: number): Promise<void> {
  await endSessionsOfPerson(tx, personId);
  await tx.run(sql`update members set person_id = ${stays} where person_id = ${personId}`);
  await tx.run(sql`
    insert into sign_in_places (person_id, source, last_at)
    select ${stays}, source, last_at from sign_in_places where person_id = ${personId}
    on conflict (person_id, source) do update set last_at = greatest(sign_in_places.last_at, excluded.last_at)`);
  await tx.run(sql`delete from people where id = ${personId}`);
}
