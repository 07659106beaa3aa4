import {
  checkNotLast,
  checkPassword,
  createLink,
  createMember,
  findMember,
  hashPassword,
  type Member,
  memberByEmail,
  openSession,
  provePassword,
  removeMember,
  type Session,
  setPassword,
  showLink,
  stillProven,
  useLink,
} from '../accounts/accounts.ts';
import { change, type Recorded } from '../audit-log.ts';
import type { Tx } from '../db/database.ts';
import { Refused, TooManyAttempts } from '../refused.ts';
import { type Actor, requireMine } from './actor.ts';

export interface Invited {
  readonly member: Member;
  /** Of the one-time link; it is in the answer and nowhere else. */
  readonly token: string;
}

/** Invites a new member. */
export function invite(actor: Actor, partnerId: number, email: string): Promise<Invited> {
  return change(actor, 'member invite', async (tx) =>
    invited(tx, actor, await createMember(tx, partnerId, email, actor.clock.now())),
  );
}

/** Invites a new member, or gives one who forgot the password a new link. For operators: it lets its holder in. */
export function inviteOrRemind(actor: Actor, partnerId: number, email: string): Promise<Invited> {
  return change(actor, 'member invite', async (tx) => {
    const known = await memberByEmail(tx, email);
    if (known && known.partner_id !== partnerId)
      throw new Refused('member_exists', `${email} is a member of partner ${known.partner_id}`);
    return invited(tx, actor, known ?? (await createMember(tx, partnerId, email, actor.clock.now())));
  });
}

async function invited(tx: Tx, { clock }: Actor, member: Member): Promise<Recorded<Invited>> {
  const token = await createLink(tx, member.member_id, clock.now());
  return { target: `member ${member.member_id}`, after: member, result: { member, token } };
}

/** A member who is alone cannot remove themselves; an operator can remove anyone. */
export function remove(actor: Actor, memberId: number): Promise<void> {
  return change(actor, 'member remove', async (tx) => {
    const before = await findMember(tx, memberId);
    requireMine(actor, { partnerId: before.partner_id }, 'member_not_found');
    if (actor.confinedTo !== undefined) await checkNotLast(tx, before);
    await removeMember(tx, memberId);
    return { target: `member ${memberId}`, before, result: undefined };
  });
}

type Desk = Pick<Actor, 'db' | 'clock'>;

/** Links being used in this process. */
const accepting = new Set<string>();
const ACCEPTING_SECONDS = 1;

/** Sets the password a one-time link was made for and signs its member in, here alone. */
export async function acceptLink(desk: Desk, token: string, password: string): Promise<string> {
  checkPassword(password);
  // Before the costly hash: whoever has no link is not worth it, and a link is worth one at a time.
  await showLink(desk.db, token, desk.clock.now());
  if (accepting.has(token)) throw new TooManyAttempts(ACCEPTING_SECONDS);
  accepting.add(token);
  return accept(desk, token, password).finally(() => accepting.delete(token));
}

async function accept({ db, clock }: Desk, token: string, password: string): Promise<string> {
  const passwordHash = await hashPassword(password);
  const { email } = await showLink(db, token, clock.now());
  return change({ db, who: `member:${email}` }, 'password set by link', async (tx) => {
    const { member_id } = await useLink(tx, token, clock.now());
    await setPassword(tx, member_id, passwordHash);
    return { target: `member ${member_id}`, result: await openSession(tx, member_id, clock.now()) };
  });
}

export interface PasswordChange {
  readonly current: string;
  readonly password: string;
  /** Where she asks from. */
  readonly address: string;
  /** The session she asks in, which goes on. */
  readonly token: string;
}

/** A member's other sessions end. */
export async function changePassword({ db, clock }: Desk, member: Session, wanted: PasswordChange): Promise<void> {
  checkPassword(wanted.password);
  const { memberId, email } = member;
  const credentials = { email, password: wanted.current, address: wanted.address };
  const proven = await provePassword(db, credentials, clock.now()).catch((error) => {
    if (error instanceof Refused && error.code === 'wrong_email_or_password') throw new Refused('wrong_password');
    throw error;
  });
  const passwordHash = await hashPassword(wanted.password);
  await change({ db, who: `member:${email}` }, 'password change', async (tx) => {
    // A link used meanwhile took the account back from whoever knew the old password: that one changes nothing any more.
    if (!(await stillProven(tx, memberId, proven.password_hash))) throw new Refused('wrong_password');
    await setPassword(tx, memberId, passwordHash, wanted.token);
    return { target: `member ${memberId}`, result: undefined };
  });
}
