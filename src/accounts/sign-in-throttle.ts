import { hash } from 'node:crypto';
import { DAY, MINUTE, SECOND } from '../clock.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { TooManyAttempts } from '../refused.ts';

const WINDOW_MS = 15 * MINUTE;
const LIMIT = { source: 30, email: 10, right: 60 } as const;
/** How long a network counts as one the member signs in from. */
const PLACE_MS = 90 * DAY;
/** Forgotten with each attempt, so that the table cannot grow faster than it shrinks. */
const SWEEP = 10;

/** No member has this id. */
const NOBODY = 0;

/** Always in this order: two attempts that share both counts wait for each other, and never in a circle. */
const ORDER = ['source', 'email'] as const;

/** What an attempt was counted by. */
export type Counted = Readonly<Record<(typeof ORDER)[number], Buffer>>;

/** Who tries, from where. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
}

/**
 * Failed sign-ins are counted in the database, so any number of processes count together, by the network they come from and
 * by the e-mail address they are for. An attempt counts before its password is looked at and is given back when it was
 * right: a thousand at once are not all let through.
 *
 * Nobody can be locked out for good. A window begins with its first failure and is over 15 minutes later; what is refused
 * does not count and makes it no longer. And whoever fails on purpose, window after window, shuts out only networks the
 * member never signed in from: in her own she has a count of her own. Elsewhere a one-time link lets her in at any time.
 */
export async function countAttempt(
  tx: Tx,
  attempt: Attempt,
  memberId: number | undefined,
  now: number,
): Promise<Counted> {
  await tx.run(sql`
    delete from sign_in_failures where subject = any (array (
      select subject from sign_in_failures where since <= ${new Date(now - WINDOW_MS)}
      order by since limit ${SWEEP} for update skip locked))`);
  const source = sourceOf(attempt.address);
  const { email, ownPlace } = await seen(tx, attempt.email, memberId ?? NOBODY, source, now);
  const counted = {
    source: subject('source', source),
    email: ownPlace ? subject('email', email, source) : subject('email', email),
  };
  for (const by of ORDER) await count(tx, counted[by], LIMIT[by], now);
  return counted;
}

/** The attempt was no failure after all. */
export async function giveBack(tx: Tx, counted: Counted): Promise<void> {
  for (const by of ORDER)
    await tx.run(sql`
      update sign_in_failures set failures = greatest(failures - 1, 0) where subject = ${counted[by]}`);
}

/**
 * Right passwords take as much work as wrong ones, so a member has a number of them too. Within the transaction that gives
 * the attempt back: over the limit nothing is given back, and soon her attempts are refused without the work.
 */
export const countRight = (tx: Tx, memberId: number, now: number): Promise<void> =>
  count(tx, subject('right', String(memberId)), LIMIT.right, now);

/** From now on this network is one she signs in from. */
export async function rememberPlace(tx: Tx, memberId: number, { address }: Attempt, now: number): Promise<void> {
  await tx.run(sql`
    delete from sign_in_places where member_id = ${memberId} and last_at <= ${new Date(now - PLACE_MS)}`);
  await tx.run(sql`
    insert into sign_in_places (member_id, source, last_at) values (${memberId}, ${sourceOf(address)}, ${new Date(now)})
    on conflict (member_id, source) do update set last_at = excluded.last_at`);
}

async function count(tx: Tx, subject: Buffer, limit: number, now: number): Promise<void> {
  const [at, over] = [new Date(now), new Date(now - WINDOW_MS)];
  const counted = await tx.run(sql`
    insert into sign_in_failures as counted (subject, failures, since) values (${subject}, 1, ${at})
    on conflict (subject) do update set
      failures = case when counted.since <= ${over} then 1 else counted.failures + 1 end,
      since = case when counted.since <= ${over} then excluded.since else counted.since end
    where counted.since <= ${over} or counted.failures < ${limit}`);
  if (counted > 0) return;
  const { since } = await tx.one<{ since: Date }>(sql`select since from sign_in_failures where subject = ${subject}`);
  throw new TooManyAttempts(Math.max(1, Math.ceil((since.getTime() + WINDOW_MS - now) / SECOND)));
}

/**
 * The address as the database compares it: any spelling that finds a member counts for her, also where its letters are
 * lowered by other rules than ours (`İ`). And whether she signs in from there; nobody is asked after like anybody.
 */
function seen(db: Queryable, typed: string, memberId: number, source: string, now: number) {
  return db.one<{ email: string; ownPlace: boolean }>(sql`
    select lower(${typed}::text) as email, exists (
      select from sign_in_places
      where member_id = ${memberId} and source = ${source} and last_at > ${new Date(now - PLACE_MS)}
    ) as "ownPlace"`);
}

const subject = (...parts: readonly string[]): Buffer => hash('sha256', JSON.stringify(parts), 'buffer');

/** An IPv6 network hands out addresses by the billion: its first 64 bits are one source. */
export function sourceOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const left = [...head];
  while (tail && left.length + tail.length < 8) left.push('0');
  return `${[...left, ...(tail ?? [])].slice(0, 4).join(':')}::/64`;
}
