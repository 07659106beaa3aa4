import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { networksOf } from '../../../platform/http/address-list.ts';
import { fairTurns, type Waiting } from '../../../platform/limits/fair-turns.ts';
import type { Register, SignedIn } from './register.ts';
import type { GivenFactor } from './second-factor.ts';
import type { Device } from './sessions.ts';
import type { Attempt, Throttle } from './throttle.ts';

const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** Written into every hash, so that they can be raised: an older hash can still be verified, and is replaced at the next sign-in. */
const CURRENT = { log2N: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Each derivation takes 32 MB and one of the process's four worker threads, which DNS lookups and files need, too. */
const AT_ONCE = 2;
/** Places for strangers, and as many for people where they are known: a flood of strangers does not keep those from signing in. */
const MAX_WAITING = 32;
const BUSY_RETRY_SECONDS = 5;

export function requirePasswordLength(password: string): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min) throw new Refused('password_too_short', `a password has at least ${min} characters`);
  if (password.length > max) throw new Refused('password_too_long', `a password has at most ${max} characters`);
}

/**
 * `scrypt$15$8$3$SALT$HASH`. People with the same address share a salt: pass the hashes there are. One derivation then tests a
 * password against all of them, so neither the work nor the time of a sign-in depends on how many there are.
 */
export async function hashPassword(
  password: string,
  who: Waiting,
  sameAddress: readonly string[] = [],
): Promise<string> {
  const like = sameAddress.find((stored) => !isOutdated(stored));
  const salt = like === undefined ? randomBytes(SALT_BYTES) : read(like).salt;
  return written(CURRENT, salt, await derive(password, who, salt, CURRENT));
}

/** Whether a hash should be replaced by one with today's parameters. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(`${written(CURRENT)}$`);

/** No password has this hash. Verifying against it makes an unknown address take as long to refuse as a wrong password. */
const MATCHES_NOTHING = written(CURRENT, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** Those of the stored hashes that the password matches. */
export async function verifyPassword(password: string, who: Waiting, stored: readonly string[]): Promise<string[]> {
  const bySalt = Map.groupBy(stored.length > 0 ? stored : [MATCHES_NOTHING], (one) =>
    one.slice(0, one.lastIndexOf('$')),
  );
  const right: string[] = [];
  for (const alike of bySalt.values()) {
    const { cost, salt } = read(alike[0] as string);
    const derived = await derive(password, who, salt, cost);
    right.push(...alike.filter((one) => timingSafeEqual(derived, read(one).hash)));
  }
  return right.filter((one) => one !== MATCHES_NOTHING);
}

interface Cost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

function written({ log2N, r, p }: Cost, ...parts: readonly Buffer[]): string {
  return ['scrypt', log2N, r, p, ...parts.map((part) => part.toString('base64url'))].join('$');
}

function read(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, log2N, r, p, salt = '', hash = ''] = stored.split('$');
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

const turn = fairTurns(
  { atOnce: AT_ONCE, maxWaiting: MAX_WAITING, maxKnown: MAX_WAITING },
  () => new TooManyAttempts(BUSY_RETRY_SECONDS),
);

/** Normalised, because two keyboards can encode the same letter differently. */
function derive(password: string, who: Waiting, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N;
  return turn(who, () => scrypted(password.normalize('NFC'), salt, { N, r, p, maxmem: 256 * N * r }));
}

const scrypted = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((done, failed) => {
    scrypt(password, salt, HASH_BYTES, options, (error, derived) => (error ? failed(error) : done(derived)));
  });

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

/** With the second factor, which is asked for if there is one. */
export interface Credentials extends Given, Device, GivenFactor {
  readonly email: string;
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
