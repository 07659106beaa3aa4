import { Refused } from '../contract/refused.ts';
import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Vault } from '../vault/secrets.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';
import { joinProven, type ProvenPerson, peopleByEmail } from './person.ts';
import { people as ofPartners, type Register } from './register.ts';
import { requireCode } from './second-factor.ts';
import { type Device, endSessionsOfPerson, latestAccount, openSession, type Session } from './sessions.ts';
import { type Attempt, countAttempt, countRight, giveBack, rememberPlace } from './sign-in-throttle.ts';

export interface Credentials extends Attempt, Device {
  readonly password: string;
  /** Of the second factor; asked for if there is one. */
  readonly code?: string | undefined;
}

/** Where people prove who they are. */
export interface Door {
  readonly db: Db;
  readonly vault: Vault;
}

/** Signs a person in, at the partner they used last; the token of the session is in the answer and nowhere else. */
export async function signIn(door: Door, given: Credentials, now: number): Promise<string> {
  const { proven, into } = await requireProof(door, given, now);
  return door.db.tx(async (tx) => {
    const personId = await joinProven(tx, proven, into);
    if (personId === undefined) throw wrongPassword();
    const account = await latestAccount(tx, personId);
    // Only somebody with the password learns this.
    if (!account) throw new Refused('partner_disabled');
    return openSession(tx, account.memberId, now, given);
  });
}

/** Password and, if there is one, second factor. `into` is the person whose factor it was. */
export async function requireProof(
  door: Door,
  given: Credentials,
  now: number,
): Promise<{ readonly proven: readonly ProvenPerson[]; readonly into: number | undefined }> {
  const proven = await requirePassword(door.db, given, now);
  const ids = proven.map(({ personId }) => personId);
  return { proven, into: await requireCode(door, ids, given.code, now) };
}

/** The same for somebody who is signed in already. */
export async function requireOwnPassword(
  db: Db,
  { email, personId }: Pick<Session, 'email' | 'personId'>,
  given: { readonly password: string; readonly address: string },
  now: number,
  register = ofPartners,
): Promise<ProvenPerson[]> {
  const proven = await requirePassword(db, { email, ...given }, now, register).catch((error) => {
    if (error instanceof Refused && error.code === 'wrong_email_or_password') throw wrongCurrent();
    throw error;
  });
  if (!proven.some((person) => person.personId === personId)) throw wrongCurrent();
  return proven;
}

export const wrongCurrent = () => new Refused('wrong_password');

export const wrongPassword = () => new Refused('wrong_email_or_password');

/**
 * The people whose address and password these are: one, unless the same password was set for several invitations to one
 * address. An unknown address, an invitation not accepted yet and a wrong password are the same refusal after the same work.
 */
export async function requirePassword(
  db: Db,
  given: Credentials,
  now: number,
  register = ofPartners,
): Promise<ProvenPerson[]> {
  const people = await peopleByEmail(db, given.email, register);
  const ids = people.map(({ personId }) => personId);
  const counted = await db.tx((tx) => countAttempt(tx, given, ids, now, register));
  const candidates = people.filter(({ personId }) => counted.admitted.includes(personId));
  const hashes = candidates.map(({ passwordHash }) => passwordHash);
  const right = await verifyPassword(given.password, hashes).catch(async (error) => {
    // The hashing queue is full: the password was never looked at, so the attempt does not count.
    await db.tx((tx) => giveBack(tx, counted));
    throw error;
  });
  const proven = candidates.filter(({ passwordHash }) => right.includes(passwordHash));
  if (proven.length === 0) throw wrongPassword();
  const renewed = right.some(isOutdated) ? await hashPassword(given.password, hashes) : undefined;
  return db.tx(async (tx) => {
    await giveBack(tx, counted);
    for (const { personId } of proven) {
      await countRight(tx, personId, now, register);
      await rememberPlace(tx, personId, given, now, register);
    }
    return Promise.all(proven.map((person) => (renewed ? renew(tx, person, renewed, register) : person)));
  });
}

/** Replaces a hash made with weaker parameters than today's, unless the password was changed meanwhile. */
async function renew(tx: Tx, person: ProvenPerson, renewed: string, { people }: Register): Promise<ProvenPerson> {
  if (!isOutdated(person.passwordHash)) return person;
  await tx.run(sql`
    update ${people} set password_hash = ${renewed}
    where id = ${person.personId} and password_hash = ${person.passwordHash}`);
  return { ...person, passwordHash: renewed };
}

/** From now on only this password counts: every session but `keepToken` ends, at all partners, and unused links stop working. */
export async function setPassword(tx: Tx, personId: number, passwordHash: string, keepToken?: string): Promise<void> {
  await tx.run(sql`update people set password_hash = ${passwordHash} where id = ${personId}`);
  await tx.run(sql`
    delete from member_links using members
    where members.id = member_id and person_id = ${personId} and used_at is null`);
  await endSessionsOfPerson(tx, personId, keepToken);
}
