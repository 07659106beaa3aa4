import { change, type Recorded } from '../audit/audit-log.ts';
import { Refused } from '../contract/refused.ts';
import type { Tx } from '../db/database.ts';
import { findPartner, requireOpenPartner } from '../partners/partners.ts';
import {
  assignMember,
  codeRequired,
  createLink,
  createMember,
  type Device,
  endSessionsOfMember,
  findMember,
  guarded,
  hashPassword,
  joinProven,
  type LinkHolder,
  lockMember,
  type Member,
  memberByEmail,
  type NewMember,
  openSession,
  peopleByEmail,
  type Role,
  rememberPlace,
  removeMember,
  requireCode,
  requireLink,
  requireNotLast,
  requireOwnPassword,
  requirePasswordLength,
  requireProof,
  type Session,
  setPassword,
  setRole,
  startPerson,
  useLink,
  wrongCurrent,
  wrongPassword,
} from '../people/people.ts';
import { type Actor, requireMine } from './actor.ts';
import { oneUseAtATime } from './link-in-use.ts';

export interface Invited {
  readonly member: Member;
  /** Of the one-time link: shown only to somebody who may let its holder in, and kept sealed for a day with an answer that has a key. */
  readonly token: string;
  /** Whether the link is on its way by mail. */
  readonly mailed: boolean;
}

/** Invites a new member. */
export function invite(actor: Actor, wanted: NewMember): Promise<Invited> {
  return change(actor, 'member invite', async (tx) =>
    invited(tx, actor, await createMember(tx, wanted, actor.clock.now())),
  );
}

/**
 * Invites a new member, or gives one who forgot their password a new link, which changes nothing until it is used. For operators only:
 * a link lets its holder in. Those who may not see it can only have it mailed.
 */
export function inviteOrRemind(actor: Actor, wanted: NewMember, { maySeeLink }: LinkSight): Promise<Invited> {
  return change(actor, 'member invite', async (tx) => {
    const known = await memberByEmail(tx, wanted.partnerId, wanted.email);
    const recorded = await invited(tx, actor, known ?? (await createMember(tx, wanted, actor.clock.now())));
    if (!recorded.result.mailed && !maySeeLink)
      throw new Refused('link_not_mailed', 'the link cannot be mailed to them, and only an admin may see it');
    return recorded;
  });
}

interface LinkSight {
  readonly maySeeLink: boolean;
}

/** A new link for somebody who has not accepted yet; the older one stops working. One who has accepted gets theirs from an operator. */
export function inviteAgain(actor: Actor, memberId: number): Promise<Invited> {
  return change(actor, 'member invite again', async (tx) => {
    const { partnerId } = requireMine(actor, await findMember(tx, memberId), 'member_not_found');
    await requireOpenPartner(tx, partnerId);
    // Locked: a link made for somebody who accepts meanwhile would let its holder in as them.
    const member = await lockMember(tx, memberId);
    if (member.accepted) throw new Refused('member_accepted', `${member.email} has accepted already`);
    return invited(tx, actor, member);
  });
}

/** Gives a member another role. In the panel the last owner must stay one; an operator can change anyone. */
export function changeRole(actor: Actor, memberId: number, role: Role): Promise<Member> {
  return change(actor, 'member set', async (tx) => {
    const before = requireMine(actor, await findMember(tx, memberId), 'member_not_found');
    if (actor.confinedTo !== undefined && role !== 'owner') await requireNotLast(tx, before);
    await setRole(tx, memberId, role);
    const after = await findMember(tx, memberId);
    return { target: `member ${memberId}`, before: shownMember(before), after: shownMember(after), result: after };
  });
}

async function invited(tx: Tx, actor: Actor, member: Member): Promise<Recorded<Invited>> {
  const token = await createLink(tx, member.memberId, actor.clock.now());
  const kind = member.accepted ? 'password_link' : 'invitation';
  const mailed = await mailLink(tx, actor, kind, member, token);
  return { target: `member ${member.memberId}`, after: shownMember(member), result: { member, token, mailed } };
}

/** Sends a member the link they can use; false: it has to reach them some other way. */
export async function mailLink(
  tx: Tx,
  { mail, clock }: Pick<Actor, 'mail' | 'clock'>,
  kind: 'invitation' | 'password_link' | 'password_forgotten',
  { partnerId, email }: Pick<Member, 'partnerId' | 'email'>,
  token: string,
): Promise<boolean> {
  if (!mail.isOn) return false;
  const { name: partnerName } = await findPartner(tx, partnerId);
  return mail.queue(tx, { kind, to: email, facts: { partnerName, token }, partnerId }, clock.now());
}

/** Ends a membership. In the panel the last owner must stay; an operator can remove anyone. */
export function remove(actor: Actor, memberId: number): Promise<void> {
  return change(actor, 'member remove', async (tx) => {
    const before = requireMine(actor, await findMember(tx, memberId), 'member_not_found');
    if (actor.confinedTo !== undefined) await requireNotLast(tx, before);
    await removeMember(tx, memberId);
    return { target: `member ${memberId}`, before: shownMember(before), result: undefined };
  });
}

/** A member as the command line and the audit log show them. */
export const shownMember = (member: Member) => ({
  member_id: member.memberId,
  partner_id: member.partnerId,
  email: member.email,
  role: member.role,
  accepted: member.accepted,
  invited_at: member.invitedAt,
  last_sign_in_at: member.lastSignInAt,
});

type Desk = Pick<Actor, 'db' | 'clock' | 'vault'>;

/** A link that is being used, with a password typed at an address. */
export interface LinkUse extends Device {
  readonly token: string;
  readonly password: string;
  /** Of the second factor, if the link's member or the person who joins has one. */
  readonly code?: string | undefined;
}

/**
 * Uses a one-time link to set a password, and signs its member in. The password is this member's alone: if the same person
 * belongs to other partners, nothing changes there. So neither the link's holder nor who made it gets in anywhere else.
 */
export async function acceptLink(desk: Desk, link: LinkUse): Promise<string> {
  requirePasswordLength(link.password);
  return oneUseAtATime(link.token, async () =>
    // Before the expensive hash: a request without a valid link is not worth it.
    accept(desk, await requireLink(desk.db, link.token, desk.clock.now()), link),
  );
}

async function accept(desk: Desk, { email, personId: was }: LinkHolder, link: LinkUse): Promise<string> {
  const { db, clock } = desk;
  // A link takes the place of a forgotten password, not of the second factor.
  const shown = was === null ? undefined : await requireCode(desk, [was], link.code, clock.now());
  const sameAddress = (await peopleByEmail(db, email)).map(({ passwordHash }) => passwordHash);
  const passwordHash = await hashPassword(link.password, sameAddress);
  return change({ db, who: `member:${email}` }, 'password set by link', async (tx) => {
    const now = clock.now();
    const { memberId, partnerId, personId: old } = await useLink(tx, link.token, now);
    // One that was turned on meanwhile was not asked for yet.
    if (old !== null && old !== shown && (await guarded(tx, [old])).length > 0) throw codeRequired();
    const personId = await startPerson(tx, memberId, passwordHash);
    // As after a sign-in: from here on, failures elsewhere cannot lock them out here.
    await rememberPlace(tx, personId, link, now);
    await endSessionsOfMember(tx, memberId);
    return { target: `member ${memberId}`, partnerId, result: await openSession(tx, memberId, now, link) };
  });
}

/** Uses a one-time link as somebody with a password for its address: they prove it as at a sign-in, and get one more partner. */
export async function joinByLink(desk: Desk, link: LinkUse): Promise<string> {
  const { db, clock } = desk;
  const { email } = await requireLink(db, link.token, clock.now());
  const { proven, into } = await requireProof(desk, { ...link, email }, clock.now());
  return change({ db, who: `member:${email}` }, 'member join', async (tx) => {
    const now = clock.now();
    const personId = await joinProven(tx, proven, into);
    if (personId === undefined) throw wrongPassword();
    const { memberId, partnerId } = await useLink(tx, link.token, now);
    await endSessionsOfMember(tx, memberId);
    await assignMember(tx, memberId, personId);
    return { target: `member ${memberId}`, partnerId, result: await openSession(tx, memberId, now, link) };
  });
}

export interface PasswordChange {
  readonly current: string;
  readonly password: string;
  /** Where the request comes from. */
  readonly address: string;
  /** The session it is made in, which goes on. */
  readonly token: string;
}

/** Changes a person's password, at every partner they belong to, and ends their other sessions. */
export async function changePassword(
  { db, clock }: Pick<Desk, 'db' | 'clock'>,
  member: Session,
  wanted: PasswordChange,
): Promise<void> {
  requirePasswordLength(wanted.password);
  const { memberId, personId, email, partnerId } = member;
  const given = { password: wanted.current, address: wanted.address };
  const proven = await requireOwnPassword(db, member, given, clock.now());
  const passwordHash = await hashPassword(
    wanted.password,
    proven.map((person) => person.passwordHash),
  );
  await change({ db, who: `member:${email}` }, 'password change', async (tx) => {
    // A link used meanwhile took the account back from somebody who knew the old password: they can change nothing any more.
    if ((await joinProven(tx, proven, personId)) === undefined) throw wrongCurrent();
    await setPassword(tx, personId, passwordHash, wanted.token);
    return { target: `member ${memberId}`, partnerId, result: undefined };
  });
}
