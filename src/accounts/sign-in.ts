import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { endSessionsOfMember, openSession } from './sessions.ts';
import { type Attempt, countAttempt, countRight, giveBack, rememberPlace } from './sign-in-throttle.ts';

export interface Credentials extends Attempt {
  readonly password: string;
}

/** Signs a member in; the token of her session exists in the answer only. */
export async function signIn(db: Db, given: Credentials, now: number): Promise<string> {
  const { id, disabled, password_hash } = await provePassword(db, given, now);
  // Only said to whoever has the password.
  if (disabled) throw new Refused('partner_disabled', 'the account is disabled; ask the operator');
  return db.tx(async (tx) => {
    if (!(await stillProven(tx, id, password_hash))) throw wrong();
    return openSession(tx, id, now);
  });
}

/**
 * Proving takes a moment, and a password changed meanwhile has already ended the sessions of the old one. Locked as for a
 * change, which follows: two who only shared the row would each wait for the other to let go of it.
 */
export async function stillProven(tx: Tx, memberId: number, passwordHash: string | null): Promise<boolean> {
  const unchanged = await tx.maybe(sql`
    select from members where id = ${memberId} and password_hash = ${passwordHash} for no key update`);
  return unchanged !== undefined;
}

const wrong = () => new Refused('wrong_email_or_password', 'the e-mail address or the password is wrong');

interface Proven {
  readonly id: number;
  readonly password_hash: string | null;
  readonly disabled: boolean;
}

/** Whose e-mail address and password these are. Unknown, not accepted yet and wrong are the same refusal after the same work. */
export async function provePassword(db: Db, given: Credentials, now: number): Promise<Proven> {
  const member = await db.maybe<Proven>(sql`
    select members.id, password_hash, disabled from members join partners on partners.id = partner_id
    where lower(members.email) = lower(${given.email}) and deleted_at is null`);
  const counted = await db.tx((tx) => countAttempt(tx, given, member?.id, now));
  const { right, outdated } = await verifyPassword(given.password, member?.password_hash).catch(async (error) => {
    // Nobody looked at it: the process has as many passwords to look at as it can.
    await db.tx((tx) => giveBack(tx, counted));
    throw error;
  });
  if (!member || !right) throw wrong();
  const renewed = outdated ? await hashPassword(given.password) : undefined;
  await db.tx(async (tx) => {
    await giveBack(tx, counted);
    await countRight(tx, member.id, now);
    await rememberPlace(tx, member.id, given, now);
    if (renewed)
      await tx.run(sql`
        update members set password_hash = ${renewed}
        where id = ${member.id} and password_hash = ${member.password_hash}`);
  });
  return { ...member, password_hash: renewed ?? member.password_hash };
}

/** From now on only this password counts: every session but `keep` ends, and so does a link that was not used. */
export async function setPassword(tx: Tx, memberId: number, passwordHash: string, keep?: string): Promise<void> {
  await tx.run(sql`update members set password_hash = ${passwordHash} where id = ${memberId}`);
  await tx.run(sql`delete from member_links where member_id = ${memberId} and used_at is null`);
  await endSessionsOfMember(tx, memberId, keep);
}
