import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { networksOf } from '../../../platform/http/address-list.ts';
import type { Waiting } from '../../../platform/limits/fair-turns.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';
import type { Register, SignedIn } from './register.ts';
import type { Device } from './sessions.ts';
import type { Attempt, Throttle } from './throttle.ts';

export interface ProvenPerson {
  readonly personId: number;
  /** What the password was proven against. */
  readonly passwordHash: string;
}

/** A password was right; `into` is whose second factor it was, if one was asked for. */
export interface Proof {
  readonly proven: readonly ProvenPerson[];
  readonly into: number | undefined;
}

interface Given {
  readonly password: string;
  readonly address: string;
  /** They are known already, by a session. */
  readonly isSignedIn?: boolean;
}

export interface Credentials extends Given, Device {
  readonly email: string;
  /** Of the second factor; asked for if there is one. */
  readonly code?: string | undefined;
}

/** A link that is being used, with a password typed at an address. */
export interface LinkUse extends Omit<Credentials, 'email'> {
  readonly token: string;
}

export const hashesOf = (people: readonly ProvenPerson[]): string[] => people.map(({ passwordHash }) => passwordHash);

/** Somebody in the hashing queue. `isKnown`: they sign in from this network, hold a link or have a session. */
export const waiting = (address: string, isKnown: boolean): Waiting => ({
  networks: networksOf(address).map(({ name }) => name),
  isKnown,
});

export const wrongCurrent = () => new Refused('wrong_password');
export const wrongPassword = () => new Refused('wrong_email_or_password');

export class Passwords {
  readonly #register: Register;
  readonly #throttle: Throttle;

  constructor(register: Register, throttle: Throttle) {
    this.#register = register;
    this.#throttle = throttle;
  }

  byEmail(db: Queryable, email: string): Promise<ProvenPerson[]> {
    return db.query(sql`
      select id as "personId", password_hash as "passwordHash" from ${this.#register.people}
      where lower(email) = lower(${email}) and password_hash is not null order by id`);
  }

  /**
   * The people whose address and password these are: one, unless the same password was set for several invitations to one
   * address. An unknown address, an invitation not accepted yet and a wrong password are the same refusal after the same work.
   */
  async require(db: Db, given: Given & Attempt, now: number): Promise<ProvenPerson[]> {
    const people = await this.byEmail(db, given.email);
    const ids = people.map(({ personId }) => personId);
    const counted = await this.#throttle.countAttempt(db, given, ids, now);
    const candidates = people.filter(({ personId }) => counted.admitted.includes(personId));
    const hashes = hashesOf(candidates);
    const who = waiting(given.address, counted.isKnown || given.isSignedIn === true);
    const right = await verifyPassword(given.password, who, hashes).catch(async (error) => {
      // The hashing queue is full. No password was checked, so the attempt is not counted as a guess. It still counts for the network:
      // otherwise an attacker who fills the queue could go on forever.
      if (error instanceof TooManyAttempts) await db.tx((tx) => this.#throttle.giveBack(tx, counted.guesses));
      throw error;
    });
    const proven = candidates.filter(({ passwordHash }) => right.includes(passwordHash));
    if (proven.length === 0) throw wrongPassword();
    const renewed = right.some(isOutdated) ? await this.#renewed(given.password, who, hashes) : undefined;
    return db.tx(async (tx) => {
      await this.#throttle.giveBack(tx, [...counted.networks, ...counted.guesses]);
      await this.#throttle.countRight(tx, proven, given, counted.isKnown, now);
      for (const { personId } of proven) {
        await this.#throttle.rememberPlace(tx, personId, given, now);
      }
      return Promise.all(proven.map((person) => (renewed ? this.#renew(tx, person, renewed) : person)));
    });
  }

  /** With today's parameters. Undefined: the hashing queue is full, so it has to wait for another sign-in. */
  #renewed(password: string, who: Waiting, hashes: readonly string[]): Promise<string | undefined> {
    return hashPassword(password, who, hashes).catch((error) => {
      if (error instanceof TooManyAttempts) return undefined;
      throw error;
    });
  }

  /** Replaces a hash made with weaker parameters than today's, unless the password was changed meanwhile. */
  async #renew(tx: Tx, person: ProvenPerson, renewed: string): Promise<ProvenPerson> {
    if (!isOutdated(person.passwordHash)) return person;
    await tx.run(sql`
      update ${this.#register.people} set password_hash = ${renewed}
      where id = ${person.personId} and password_hash = ${person.passwordHash}`);
    return { ...person, passwordHash: renewed };
  }

  /** The same for somebody who is signed in already. */
  async requireOwn(
    db: Db,
    self: Pick<SignedIn, 'email' | 'personId'> & { readonly address: string },
    password: string,
    now: number,
  ): Promise<ProvenPerson[]> {
    const { email, address, personId } = self;
    const proven = await this.require(db, { email, address, password, isSignedIn: true }, now).catch((error) => {
      if (error instanceof Refused && error.code === 'wrong_email_or_password') throw wrongCurrent();
      throw error;
    });
    if (!proven.some((person) => person.personId === personId)) throw wrongCurrent();
    return proven;
  }
}
