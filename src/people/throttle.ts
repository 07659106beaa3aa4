import { hash } from 'node:crypto';
import { DAY, MINUTE, SECOND } from '../clock.ts';
import { TooManyAttempts } from '../contract/refused.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { sourceOf } from '../http/address-list.ts';
import type { Register } from './register.ts';

const WINDOW_MS = 15 * MINUTE;
const LIMIT = { source: 30, email: 10, right: 60, code: 10 } as const;
/** What a stranger may ask for without a password: a new one, or an account. */
const REQUESTS = { forgotten: { source: 10, email: 3 }, 'sign-up': { source: 5, email: 2 } } as const;
/** How long a network counts as one that somebody signs in from. */
const PLACE_MS = 90 * DAY;
/** Expired counts deleted with each attempt, so that the table shrinks faster than it grows. */
const SWEEP = 10;

/** What an attempt was counted by, and the people whose password it may be tested against. */
export interface Counted {
  readonly subjects: readonly Buffer[];
  readonly admitted: readonly number[];
}

/** An e-mail address as typed, and where it was typed. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
}

/**
 * Failed sign-ins are counted in the database, so that all processes count together: by the network they come from and by the
 * e-mail address they are for. An attempt counts before its password is verified and is given back if it was right;
 * otherwise a thousand attempts at once would all get through.
 *
 * This cannot lock anybody out for good. A window begins with its first failure and ends 15 minutes later; refused attempts do not
 * count and do not extend it. And somebody who fails on purpose, window after window, only shuts out networks the
 * person never signed in from: each of their own networks has its own count. Elsewhere a one-time link lets them in.
 *
 * Several people may have the same address (`person.ts`), so the count of a known network is kept per person. Otherwise somebody
 * could make a network known by signing in as a namesake, and then get ten more guesses there at the other's password.
 */
export class Throttle {
  readonly #register: Register;

  constructor(register: Register) {
    this.#register = register;
  }

  async countAttempt(tx: Tx, attempt: Attempt, personIds: readonly number[], now: number): Promise<Counted> {
    await tx.run(sql`
      delete from sign_in_failures where subject = any (array (
        select subject from sign_in_failures where since <= ${new Date(now - WINDOW_MS)}
        order by since limit ${SWEEP} for update skip locked))`);
    const source = sourceOf(attempt.address);
    const { email, known } = await this.#seen(tx, attempt.email, personIds, source, now);
    const strangers = personIds.filter((id) => !known.includes(id));
    // Always in this order, the network first, so that attempts sharing counts cannot deadlock.
    const bySource = this.#subject('source', source);
    const byEmail = { subject: this.#subject('email', email), people: strangers };
    const byPlace = known.map((id) => ({ subject: this.#subject('email', email, source, String(id)), people: [id] }));
    await requireCounted(tx, bySource, LIMIT.source, now);
    const counted = { subjects: [bySource], admitted: [] as number[] };
    const waits: number[] = [];
    for (const { subject, people } of known.length > 0 && strangers.length === 0 ? byPlace : [byEmail, ...byPlace]) {
      const wait = await count(tx, subject, LIMIT.email, now);
      if (wait !== undefined) waits.push(wait);
      else {
        counted.subjects.push(subject);
        counted.admitted.push(...people);
      }
    }
    // Thrown, so that a refused attempt leaves no count.
    if (counted.subjects.length === 1) throw new TooManyAttempts(Math.min(...waits));
    return counted;
  }

  /** The attempt was not a failure after all. */
  async giveBack(tx: Tx, { subjects }: Pick<Counted, 'subjects'>): Promise<void> {
    for (const subject of subjects)
      await tx.run(sql`update sign_in_failures set failures = greatest(failures - 1, 0) where subject = ${subject}`);
  }

  /**
   * Right passwords take as much work as wrong ones, so they are limited per person, too. This runs in the transaction that gives
   * the attempt back: over the limit nothing is given back, so further attempts are soon refused before the work.
   */
  async countRight(tx: Tx, personId: number, now: number): Promise<void> {
    await requireCounted(tx, this.#subject('right', String(personId)), LIMIT.right, now);
  }

  /** Codes of a second factor. Only somebody with the password gets this far, so they are counted by the person alone. */
  async countCode(tx: Tx, personId: number, now: number): Promise<void> {
    await requireCounted(tx, this.#subject('code', String(personId)), LIMIT.code, now);
  }

  giveBackCode(tx: Tx, personId: number): Promise<void> {
    return this.giveBack(tx, { subjects: [this.#subject('code', String(personId))] });
  }

  /** What strangers ask for is counted as typed, whether or not the address is known, and apart from failed sign-ins. */
  async countRequest(tx: Tx, what: keyof typeof REQUESTS, { email, address }: Attempt, now: number): Promise<void> {
    const { email: lowered } = await tx.one<{ email: string }>(sql`select lower(${email}::text) as email`);
    await requireCounted(tx, this.#subject(`${what} source`, sourceOf(address)), REQUESTS[what].source, now);
    await requireCounted(tx, this.#subject(`${what} email`, lowered), REQUESTS[what].email, now);
  }

  /** From now on this network is one the person signs in from: failures elsewhere do not lock them out here. */
  async rememberPlace(tx: Tx, personId: number, { address }: Pick<Attempt, 'address'>, now: number): Promise<void> {
    const { places, id } = this.#register;
    await tx.run(sql`
      delete from ${places} where ${id} = ${personId} and last_at <= ${new Date(now - PLACE_MS)}`);
    await tx.run(sql`
      insert into ${places} (${id}, source, last_at) values (${personId}, ${sourceOf(address)}, ${new Date(now)})
      on conflict (${id}, source) do update set last_at = excluded.last_at`);
  }

  /**
   * The address as the database compares it: every spelling that finds somebody counts for them, even where the database lowers
   * letters by other rules than ours (`İ`). And which of the people sign in from this network. Unknown addresses run the
   * same query, so timing reveals nothing.
   */
  #seen(db: Queryable, typed: string, personIds: readonly number[], source: string, now: number) {
    const { places, id } = this.#register;
    return db.one<{ email: string; known: number[] }>(sql`
      select lower(${typed}::text) as email, array (
        select ${id} from ${places}
        where ${id} = any(${personIds}::int[]) and source = ${source} and last_at > ${new Date(now - PLACE_MS)}
        order by ${id}
      ) as known`);
  }

  #subject(...parts: readonly string[]): Buffer {
    return hash('sha256', JSON.stringify([...this.#register.counted, ...parts]), 'buffer');
  }
}

async function requireCounted(tx: Tx, subject: Buffer, limit: number, now: number): Promise<void> {
  const wait = await count(tx, subject, limit, now);
  if (wait !== undefined) throw new TooManyAttempts(wait);
}

/** Counts one more, or returns the seconds until the window ends if the limit is reached. */
async function count(tx: Tx, subject: Buffer, limit: number, now: number): Promise<number | undefined> {
  const [at, over] = [new Date(now), new Date(now - WINDOW_MS)];
  const counted = await tx.run(sql`
    insert into sign_in_failures as counted (subject, failures, since) values (${subject}, 1, ${at})
    on conflict (subject) do update set
      failures = case when counted.since <= ${over} then 1 else counted.failures + 1 end,
      since = case when counted.since <= ${over} then excluded.since else counted.since end
    where counted.since <= ${over} or counted.failures < ${limit}`);
  if (counted > 0) return undefined;
  const { since } = await tx.one<{ since: Date }>(sql`select since from sign_in_failures where subject = ${subject}`);
  return Math.max(1, Math.ceil((since.getTime() + WINDOW_MS - now) / SECOND));
}
