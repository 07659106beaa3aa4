import { hash } from 'node:crypto';
import { DAY, MINUTE, SECOND } from '../../../platform/clock.ts';
import { TooManyAttempts } from '../../../platform/contract/refused.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { networksOf, sourceOf } from '../../../platform/http/address-list.ts';
import type { Register } from './register.ts';

const WINDOW_MS = 15 * MINUTE;
/** Those of a network are for one customer; a wider network has a multiple of it (`networksOf`). */
const LIMIT = { network: 30, email: 10, rightOfNetwork: 120, right: 60, code: 10 } as const;
/** What a stranger may ask for without a password: a new one, or an account. */
const REQUESTS = { forgotten: { network: 10, email: 3 }, 'sign-up': { network: 5, email: 2 } } as const;
/** How long a network counts as one that somebody signs in from, and how many we remember of one person. */
const PLACE_MS = 90 * DAY;
const MAX_PLACES = 50;
/** Expired counts deleted with each attempt, so that the table shrinks faster than it grows. */
const SWEEP = 10;

/** What an attempt was counted by, and the people whose password it may be tested against. */
interface Counted {
  readonly networks: readonly Buffer[];
  /** By whom it is for: what limits guesses at one password. */
  readonly guesses: readonly Buffer[];
  readonly admitted: readonly number[];
  /** One of them signs in from this network. */
  readonly isKnown: boolean;
}

/** An e-mail address as typed, and where it was typed. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
}

/**
 * Failed sign-ins are counted in the database, so that all processes count together: by the networks they come from and by the
 * e-mail address they are for. An attempt counts before its password is verified and is given back if it was right;
 * otherwise a thousand attempts at once would all get through.
 *
 * An attempt counts for its /64, then for its /56, then for its /48, and where one of them refuses, it goes no further. So somebody
 * with a /48 has no more attempts than four customers, and somebody with a /64 cannot use up the attempts of their neighbours. An
 * attempt that is then refused for another reason still counts for its networks.
 *
 * This cannot lock anybody out for good. A window begins with its first failure and ends 15 minutes later; refused attempts do
 * not extend it. And somebody who fails on purpose, window after window, only shuts out networks the
 * person never signed in from: where they do, neither failures elsewhere nor those of strangers on the same network count. Elsewhere
 * a one-time link lets them in.
 *
 * Several people may have the same address (`members.ts`), so the count of a known network is kept per person. Otherwise somebody
 * could make a network known by signing in as a namesake, and then get ten more guesses there at the other's password.
 */
export class Throttle {
  readonly #register: Register;

  constructor(register: Register) {
    this.#register = register;
  }

  /** Throws `TooManyAttempts`, after it has written what the refused attempt counts for. */
  async countAttempt(db: Db, attempt: Attempt, personIds: readonly number[], now: number): Promise<Counted> {
    const { waits, isOpen, ...counted } = await db.tx((tx) => this.#count(tx, attempt, personIds, now));
    if (!isOpen) throw new TooManyAttempts(Math.min(...waits));
    return counted;
  }

  async #count(tx: Tx, attempt: Attempt, personIds: readonly number[], now: number) {
    await tx.run(sql`
      delete from sign_in_failures where subject = any (array (
        select subject from sign_in_failures where since <= ${new Date(now - WINDOW_MS)}
        order by since limit ${SWEEP} for update skip locked))`);
    const source = sourceOf(attempt.address);
    const { email, known } = await this.#seen(tx, attempt.email, personIds, source, now);
    const strangers = personIds.filter((id) => !known.includes(id));
    const networks = this.#networks('source', attempt, LIMIT.network);
    const knownSource = { subject: this.#subject('known source', source), limit: LIMIT.network };
    const byEmail = { subject: this.#subject('email', email), people: strangers };
    const byPlace = known.map((id) => ({ subject: this.#subject('email', email, source, String(id)), people: [id] }));
    // Always in this order, all networks first, so that attempts sharing counts cannot deadlock.
    const ways = [
      ...(known.length === 0 || strangers.length > 0 ? [{ networks, guesses: [byEmail] }] : []),
      ...(known.length > 0 ? [{ networks: [knownSource], guesses: byPlace }] : []),
    ];
    const counted = { networks: [] as Buffer[], guesses: [] as Buffer[], admitted: [] as number[] };
    const waits: number[] = [];
    const open: (typeof ways)[number]['guesses'] = [];
    for (const { networks, guesses } of ways) {
      const wait = await countAll(tx, networks, now, counted.networks);
      if (wait === undefined) open.push(...guesses);
      else waits.push(wait);
    }
    for (const { subject, people } of open) {
      const wait = await count(tx, subject, LIMIT.email, now);
      if (wait !== undefined) waits.push(wait);
      else {
        counted.guesses.push(subject);
        counted.admitted.push(...people);
      }
    }
    const isKnown = counted.admitted.some((id) => known.includes(id));
    return { ...counted, isKnown, waits, isOpen: counted.guesses.length > 0 };
  }

  /** These counts were of no failure after all. */
  async giveBack(tx: Tx, subjects: readonly Buffer[]): Promise<void> {
    for (const subject of subjects)
      await tx.run(sql`update sign_in_failures set failures = greatest(failures - 1, 0) where subject = ${subject}`);
  }

  /**
   * Right passwords take as much work as wrong ones, so they are limited too: of one person, and of a network, because anybody may
   * have many accounts. This runs in the transaction that gives the attempt back: over the limit nothing is given back, so further
   * attempts are soon refused before the work.
   */
  async countRight(
    tx: Tx,
    people: readonly { readonly personId: number }[],
    attempt: Pick<Attempt, 'address'>,
    isKnown: boolean,
    now: number,
  ): Promise<void> {
    const all = this.#networks('right source', attempt, LIMIT.rightOfNetwork);
    const known = [
      { subject: this.#subject('right known source', sourceOf(attempt.address)), limit: LIMIT.rightOfNetwork },
    ];
    const own = people.map(({ personId }) => ({
      subject: this.#subject('right', String(personId)),
      limit: LIMIT.right,
    }));
    await requireCounted(tx, [...(isKnown ? known : all), ...own], now);
  }

  /** Codes of a second factor. Only somebody with the password gets this far, so they are counted by the person alone. */
  async countCode(tx: Tx, personId: number, now: number): Promise<void> {
    await requireCounted(tx, [{ subject: this.#subject('code', String(personId)), limit: LIMIT.code }], now);
  }

  giveBackCode(tx: Tx, personId: number): Promise<void> {
    return this.giveBack(tx, [this.#subject('code', String(personId))]);
  }

  /** What strangers ask for is counted as typed, whether or not the address is known, and apart from failed sign-ins. */
  async countRequest(tx: Tx, what: keyof typeof REQUESTS, attempt: Attempt, now: number): Promise<void> {
    const { email } = await tx.one<{ email: string }>(sql`select lower(${attempt.email}::text) as email`);
    const { network, email: ofEmail } = REQUESTS[what];
    const byEmail = { subject: this.#subject(`${what} email`, email), limit: ofEmail };
    await requireCounted(tx, [...this.#networks(`${what} source`, attempt, network), byEmail], now);
  }

  /** From now on this network is one the person signs in from: failures elsewhere do not lock them out here. */
  async rememberPlace(tx: Tx, personId: number, { address }: Pick<Attempt, 'address'>, now: number): Promise<void> {
    const { places, id } = this.#register;
    await tx.run(sql`
      delete from ${places} where ${id} = ${personId} and (last_at <= ${new Date(now - PLACE_MS)} or source not in (
        select source from ${places} where ${id} = ${personId} order by last_at desc limit ${MAX_PLACES - 1}))`);
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

  #networks(what: string, { address }: Pick<Attempt, 'address'>, limit: number): Count[] {
    return networksOf(address).map(({ name, times }) => ({ subject: this.#subject(what, name), limit: limit * times }));
  }

  #subject(...parts: readonly string[]): Buffer {
    return hash('sha256', JSON.stringify([...this.#register.counted, ...parts]), 'buffer');
  }
}

interface Count {
  readonly subject: Buffer;
  readonly limit: number;
}

async function requireCounted(tx: Tx, counts: readonly Count[], now: number): Promise<void> {
  const wait = await countAll(tx, counts, now);
  if (wait !== undefined) throw new TooManyAttempts(wait);
}

/** Counts one more of each until one refuses; `counted` gets those that did not. */
async function countAll(
  tx: Tx,
  counts: readonly Count[],
  now: number,
  counted: Buffer[] = [],
): Promise<number | undefined> {
  for (const { subject, limit } of counts) {
    const wait = await count(tx, subject, limit, now);
    if (wait !== undefined) return wait;
    counted.push(subject);
  }
  return undefined;
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
