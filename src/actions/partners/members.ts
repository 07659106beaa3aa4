import { findPartner, requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import {
  type Member,
  memberAccess,
  memberRoles,
  members,
  type NewMember,
  type Role,
} from '../../domains/partners/people/people.ts';
import { amend, change, listActivity, type Recorded } from '../../platform/audit/audit-log.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { action, mayHere, type OperatorContext } from '../action.ts';
import { type Actor, requireMine } from '../actor.ts';
import { choice, integer, required, text } from '../fields.ts';

export interface Invited {
  readonly member: Member;
  /** Of the one-time link; undefined where it is not shown, because it was mailed. */
  readonly token: string | undefined;
  readonly mailed: boolean;
}

/**
 * New invitations of an account without live, and as many repeats of them. Anybody can open such an account, and it may invite
 * people who do not know it. Its members' entries in the log count, because an invitation that was revoked was mailed, too.
 */
const MAX_BEFORE_LIVE = 3;

export function invite(actor: Actor, wanted: NewMember): Promise<Invited> {
  return change(actor, 'member invite', async (tx) => {
    await requireInvitationLeft(tx, actor, wanted.partnerId, 'member invite');
    return invited(tx, actor, await members.create(tx, wanted, actor.clock.now()));
  });
}

async function requireInvitationLeft(
  tx: Tx,
  { confinedTo }: Actor,
  partnerId: number,
  what: 'member invite' | 'member invite again',
): Promise<void> {
  await requireOpenPartner(tx, partnerId);
  if (confinedTo === undefined || (await findPartner(tx, partnerId)).isLive) return;
  const made = await listActivity(tx, { partnerId, kinds: [what], before: undefined, limit: 1_000 });
  if (made.filter(({ who }) => who.startsWith('member:')).length >= MAX_BEFORE_LIVE)
    throw new Refused('invitation_limit_reached');
}

/**
 * Invites a new member, or gives one who forgot their password a new link, which changes nothing until it is used. For operators
 * only: a link lets its holder in. Those who may not see it can only have it mailed.
 */
function inviteOrRemind(actor: Actor, wanted: NewMember, { maySeeLink }: LinkSight): Promise<Invited> {
  return change(actor, 'member invite', async (tx) => {
    const known = await members.byEmail(tx, wanted.partnerId, wanted.email);
    const member = known ?? (await members.create(tx, wanted, actor.clock.now()));
    const recorded = await invited(tx, actor, member, { maySeeLink });
    if (!recorded.result.mailed && !maySeeLink)
      throw new Refused('link_not_mailed', 'the link cannot be mailed to them, and only an admin may see it');
    return recorded;
  });
}

const LINK_SHOWN = 'the link was created and shown once; if you do not have it, create a new one';

interface LinkSight {
  readonly maySeeLink: boolean;
}

/**
 * A new link for somebody who has not accepted yet; the older one stops working. For members who have accepted, only an operator
 * creates links.
 */
export function inviteAgain(actor: Actor, memberId: number): Promise<Invited> {
  return change(actor, 'member invite again', async (tx) => {
    const { partnerId } = requireMine(actor, await members.find(tx, memberId), 'member_not_found');
    await requireInvitationLeft(tx, actor, partnerId, 'member invite again');
    // Locked: a link made for somebody who accepts meanwhile would let its holder in as them.
    const member = await members.lock(tx, memberId);
    if (member.accepted) throw new Refused('member_accepted', `${member.email} has accepted already`);
    return invited(tx, actor, member);
  });
}

/** Gives a member another role. In the panel the last owner must stay one; an operator can change anyone. */
export function changeRole(actor: Actor, memberId: number, role: Role): Promise<Member> {
  const read = async (tx: Tx) => requireMine(actor, await members.find(tx, memberId), 'member_not_found');
  const set = async (tx: Tx, before: Member) => {
    if (actor.confinedTo !== undefined && role !== 'owner') await members.requireNotLast(tx, before);
    await members.setRole(tx, memberId, role);
  };
  return amend(actor, 'member set', `member ${memberId}`, read, set, shownMember);
}

/** In the panel, `sight` is not given: a link that was mailed is not shown to the person who made it. */
async function invited(tx: Tx, actor: Actor, member: Member, sight?: LinkSight): Promise<Recorded<Invited>> {
  const token = await memberAccess.links.create(tx, member.memberId, actor.clock.now());
  const kind = member.accepted ? 'password_link' : 'invitation';
  const mailed = await mailLink(tx, actor, kind, member, token);
  const isShown = sight?.maySeeLink ?? !mailed;
  return {
    target: `member ${member.memberId}`,
    after: shownMember(member),
    result: { member, token: isShown ? token : undefined, mailed },
    shownOnce: isShown ? LINK_SHOWN : undefined,
  };
}

/** Mails a member their link; false: it has to reach them some other way. */
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
    const before = requireMine(actor, await members.find(tx, memberId), 'member_not_found');
    if (actor.confinedTo !== undefined) await members.requireNotLast(tx, before);
    await members.remove(tx, memberId);
    return { target: `member ${memberId}`, before: shownMember(before), result: undefined };
  });
}

export const shownMember = (member: Member) =>
  snaked(member, 'memberId', 'partnerId', 'email', 'role', 'accepted', 'invitedAt', 'lastSignInAt');

/** For operators: turns off the second factor of a member who lost their phone and their recovery codes, at all their partners. */
function resetSecondFactor(actor: Actor, memberId: number): Promise<void> {
  return change(actor, 'member reset-second-factor', async (tx) => {
    const { partnerId, email } = await members.find(tx, memberId);
    const personId = await members.personOf(tx, memberId);
    if (personId === null) throw new Refused('second_factor_off', `${email} has not accepted the invitation`);
    return memberAccess.resetFactor(tx, memberId, { personId, email, partnerId });
  });
}

const member = required(integer('MEMBER_ID', 'the member'));
const partner = required(integer('PARTNER_ID', 'the partner'));

export const memberActions = [
  action({
    name: 'member invite',
    console: { may: 'invite', fresh: true },
    summary:
      'Create a one-time link to the panel for a new member, or for one who forgot their password; it is shown only once, and mailed to them if SMTP_URL is set',
    options: {
      partner,
      email: required(text('EMAIL', 'who the link is for; it works for 7 days')),
      role: choice(memberRoles.names, 'what a new member may do in the panel; owner by default'),
    },
    async run(context, input) {
      const wanted = { partnerId: input.partner, email: input.email, role: requireGivable(context, input.role) };
      const sight = { maySeeLink: mayHere(context, 'manage') };
      const { member, token, mailed } = await inviteOrRemind(context, wanted, sight);
      const link = token ? memberAccess.links.address(context.config.panelUrl, token) : null;
      return { member_id: member.memberId, link, mailed };
    },
  }),
  action({
    name: 'member list',
    console: 'shown',
    summary: 'List the members of a partner, who may sign in to the panel',
    options: { partner },
    async run({ db }, input) {
      await findPartner(db, input.partner);
      return (await members.list(db, input.partner)).map(shownMember);
    },
  }),
  action({
    name: 'member set',
    console: { may: 'manage', fresh: true },
    summary: 'Change what a member may do in the panel; takes effect on their next request',
    args: { id: member },
    options: { role: required(choice(memberRoles.names, 'their role')) },
    run: async (context, { id, role }) => shownMember(await changeRole(context, id, role)),
  }),
  action({
    name: 'member reset-second-factor',
    console: { may: 'manage', fresh: true },
    summary:
      'Turn off the second factor of a member who lost their phone and their recovery codes, at all their partners, and sign them out',
    args: { id: member },
    async run(context, { id }) {
      await resetSecondFactor(context, id);
      return { member_id: id, second_factor: false };
    },
  }),
  action({
    name: 'member remove',
    console: { may: 'manage', fresh: true },
    summary: 'Remove a member and end their sessions at this partner',
    args: { id: member },
    async run(context, { id }) {
      await remove(context, id);
      return { member_id: id, removed: true };
    },
  }),
];

/** An operator who can invite owners can make themselves one, so only those who may move the partner's money can. */
function requireGivable(context: OperatorContext, role: Role | undefined): Role {
  const least = 'read-only';
  if (mayHere(context, 'money')) return role ?? 'owner';
  if (role === undefined || role === least) return least;
  throw new Refused('role_forbids', 'your role can only invite read-only members; finance and admins give other roles');
}
