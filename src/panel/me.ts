import { Type } from 'typebox';
import { changePassword } from '../actions/members.ts';
import type { Base } from '../base.ts';
import { formatCents } from '../money/money.ts';
import type { Partner } from '../partners/partners.ts';
import { findPartner } from '../partners/partners.ts';
import type { Account, Session } from '../people/people.ts';
import { listAccounts, mayRole, permissionsOf } from '../people/people.ts';
import { shortText } from '../site/action.ts';
import { clockView } from '../site/views/test-clock.ts';
import { accountView } from './accounts.ts';
import { type MemberAction, memberAction } from './member-action.ts';

/** Who is signed in, the partners they can open, and their password. */
export const meActions = ({ db, config }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/me',
    may: 'see',
    viewed: `member(id,email,role,may,second_factor),partner(id,name,billing_mode,balance_alert),accounts(id,partner(id,
      name)),addresses(sandbox,live,legacy),viewed_by,test_clock(on,now,real,ahead_seconds)`,
    async handle({ member, viewer, now }) {
      const partner = await findPartner(db, member.partnerId);
      const accounts = await listAccounts(db, member.personId);
      const viewed_by = viewer?.email ?? null;
      return {
        body: { ...view(member, partner, accounts, config), viewed_by, test_clock: clockView(member.aheadMs, now) },
      };
    },
  }),
  memberAction({
    verb: 'POST',
    path: '/api/password',
    may: 'see',
    // Somebody with a stolen cookie must not be able to use up the limit and keep its owner from ending the session.
    tier: 'none',
    body: Type.Object({ current: shortText, password: shortText }),
    async handle({ actor, member, address, token }, { current, password }) {
      await changePassword(actor, member, { current, password, address, token });
      return { body: {} };
    },
  }),
];

const view = (
  member: Session,
  { partnerId, name, billingMode, balanceAlert }: Partner,
  accounts: readonly Account[],
  config: Base['config'],
) => ({
  member: {
    id: member.memberId,
    email: member.email,
    role: member.role,
    may: permissionsOf(member.role),
    second_factor: member.hasSecondFactor,
  },
  partner: {
    id: partnerId,
    name,
    billing_mode: billingMode,
    /** Null: off, or not for this member to see. */
    balance_alert: balanceAlert === null || !mayRole(member.role, 'see-money') ? null : formatCents(balanceAlert),
  },
  /** The partners this person can open; the session is at the one with the member's id. */
  accounts: accounts.map(accountView),
  addresses: {
    sandbox: bare(config.sandboxBaseUrl),
    live: bare(config.liveBaseUrl),
    legacy: bare(config.legacyBaseUrl),
  },
});

export interface MeView extends ReturnType<typeof view> {
  /** The operator who looks at the account; null for its members. */
  readonly viewed_by: string | null;
}

/** Ready to be followed by a path: without the slash at the end. */
const bare = ({ href }: URL): string => href.replace(/\/$/, '');
