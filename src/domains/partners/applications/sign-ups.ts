import { DAY, HOUR, SECOND } from '../../../platform/clock.ts';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { networksOf, sourceOf } from '../../../platform/http/address-list.ts';
import { linkToken } from '../people/people.ts';
import { type Application, columns } from './rows.ts';

/*
 * Sign-ups that are not confirmed yet. Anybody can type any address, so a row means nothing until the link we mailed was used, and
 * unconfirmed rows are deleted. Until then they count towards the daily limits: for an address, for the networks they come from, and
 * for all mails to strangers. Confirmed ones are counted by themselves, so that a flood of unconfirmed ones leaves room for them, and
 * the other way round. The throttle counts the last minutes; its locks also serialise requests for one address or from one network.
 */

export interface TypedSignUp {
  readonly name: string;
  readonly company: string;
  readonly email: string;
  readonly address: string;
}

/**
 * In a day. `network` is for one customer; a wider network has a multiple of it (`networksOf`). `all` is for the whole service, which
 * must not become a source of spam. Once that is reached there are as many places again, but only for networks with less than `few`:
 * a handful of networks that use up `all` do not shut out the others.
 */
const MOST = { email: 3, network: 20, all: 500, few: 2 } as const;
/** Of the link to an address that anybody can type. */
const LINK_MS = 1 * DAY;
/** Of a link that an operator had sent. */
const DECIDED_LINK_MS = 7 * DAY;
/** A request that waited longer, because no worker ran, gets no mail: its page was closed long ago. */
const STALE_AFTER_MS = 1 * HOUR;
/** How long we keep sign-ups that were rejected, or approved and never used. */
const FORGET_AFTER_MS = 90 * DAY;

/**
 * Takes a sign-up. Throws `TooManyAttempts`. The address is not looked up, so neither the answer nor its timing reveals who is
 * known.
 */
export async function addSignUp(tx: Tx, typed: TypedSignUp, now: number): Promise<number> {
  const networks = networksOf(typed.address);
  const room = (which: Sql, most: number) => requireRoom(tx, which, most, now);
  for (const confirmed of [sql`status = 'unconfirmed'`, sql`status <> 'unconfirmed'`]) {
    for (const { name, times } of networks) await room(sql`${confirmed} and ${isFrom(name)}`, MOST.network * times);
    if ((await lately(tx, confirmed, MOST.all, now)).count >= MOST.all) {
      const widest = networks.at(-1)?.name ?? '';
      await room(sql`${confirmed} and ${isFrom(widest)}`, MOST.few);
      await room(confirmed, 2 * MOST.all);
    }
  }
  await room(sql`lower(email) = lower(${typed.email})`, MOST.email);
  const at = new Date(now);
  const { id } = await tx.one<{ id: number }>(sql`
    insert into applications (kind, status, name, company, email, source, created_at, since)
    values ('sign_up', 'unconfirmed', ${typed.name}, ${typed.company}, ${typed.email}, ${sourceOf(typed.address)}, ${at}, ${at})
    returning id`);
  return id;
}

const isFrom = (network: string): Sql =>
  network === '' ? sql`source = ''` : sql`nullif(source, '')::inet <<= ${network}::inet`;

/** The latest of a day, up to `most`: how many, and since when. */
const lately = (tx: Tx, which: Sql, most: number, now: number): Promise<{ count: number; first: Date | null }> =>
  tx.one(sql`
    select count(*)::int as count, min(created_at) as first from (
      select created_at from applications
      where kind = 'sign_up' and created_at > ${new Date(now - DAY)} and ${which}
      order by created_at desc limit ${most}) as lately`);

async function requireRoom(tx: Tx, which: Sql, most: number, now: number): Promise<void> {
  const { count, first } = await lately(tx, which, most, now);
  if (count >= most && first !== null)
    throw new TooManyAttempts(Math.max(1, Math.ceil((first.getTime() + DAY - now) / SECOND)));
}

/** The oldest that still needs its mail and that no other process works on; `isStale`: it waited too long. */
export async function takeUnmailed(
  tx: Tx,
  now: number,
): Promise<(Pick<Application, 'applicationId' | 'name' | 'email'> & { readonly isStale: boolean }) | undefined> {
  const taken = await tx.maybe<Pick<Application, 'applicationId' | 'name' | 'email' | 'createdAt'>>(sql`
    update applications set link_expires_at = ${new Date(now)} where id = (
      select id from applications where status = 'unconfirmed' and link_expires_at is null
      order by since limit 1 for update skip locked)
    returning ${columns}`);
  return taken && { ...taken, isStale: now - taken.createdAt.getTime() >= STALE_AFTER_MS };
}

/** A new link to a sign-up; an older one stops working. */
export async function linkToSignUp(tx: Tx, id: number, now: number, by: 'stranger' | 'operator'): Promise<string> {
  const token = linkToken.make();
  const expiresAt = new Date(now + (by === 'stranger' ? LINK_MS : DECIDED_LINK_MS));
  await tx.run(sql`
    update applications set link_hash = ${linkToken.hash(token)}, link_expires_at = ${expiresAt} where id = ${id}`);
  return token;
}

/** The page where links to sign-ups are used. The token is the fragment, which browsers send to no server. */
export const signUpAddress = (panelUrl: URL, token: string): string => new URL(`/sign-up/link#${token}`, panelUrl).href;

/** The sign-up a link leads to. The refusal is the same whether it was used, has expired, was replaced or never existed. */
export async function requireLinked(db: Queryable, token: string, now: number, lock?: 'lock'): Promise<Application> {
  const found =
    linkToken.isOne(token) &&
    (await db.maybe<Application>(sql`
      select ${columns} from applications
      where link_hash = ${linkToken.hash(token)} and link_expires_at > ${new Date(now)}
      ${lock ? sql`for no key update` : nothing}`));
  if (!found) throw new Refused('link_not_valid');
  return found;
}

/** Once the account is open, other links to the same address open no second one. */
export async function endOtherLinks(tx: Tx, { applicationId, email }: Application): Promise<void> {
  await tx.run(sql`
    update applications set link_hash = null
    where lower(email) = lower(${email}) and id <> ${applicationId} and link_hash is not null`);
}

/** Deletes unconfirmed sign-ups that no longer count, and old decisions about people who have no account. */
export async function forgetSignUps(db: Queryable, now: number): Promise<number> {
  const [day, long] = [new Date(now - DAY), new Date(now - FORGET_AFTER_MS)];
  await db.run(sql`update applications set source = null where source is not null and created_at <= ${day}`);
  return db.run(sql`
    delete from applications where kind = 'sign_up' and partner_id is null and (
      status = 'unconfirmed' and created_at <= ${day} and coalesce(link_expires_at, created_at) <= ${new Date(now)}
      or status in ('approved', 'rejected') and since <= ${long})`);
}
