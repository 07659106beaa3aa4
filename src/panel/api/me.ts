import { Type } from 'typebox';
import { findPartner, type Partner, type Session } from '../../accounts/accounts.ts';
import { changePassword } from '../../actions/members.ts';
import type { Base } from '../../base.ts';
import { type MemberAction, memberAction, shortText } from './action.ts';
import { clockView } from './clock.ts';

/** Who is signed in, and her own password. */
export const meActions = ({ db, config }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/me',
    async handle({ member, now }) {
      const partner = await findPartner(db, member.partnerId);
      return { body: { ...view(member, partner, config), test_clock: clockView(member.aheadMs, now) } };
    },
  }),
  memberAction({
    verb: 'POST',
    path: '/api/password',
    // Whoever has a stolen cookie must not keep its owner from ending it.
    tier: 'none',
    body: Type.Object({ current: shortText, password: shortText }),
    async handle({ actor, member, address, token }, { current, password }) {
      await changePassword(actor, member, { current, password, address, token });
      return { body: {} };
    },
  }),
];

const view = (member: Session, { partnerId, name, billingMode }: Partner, config: Base['config']) => ({
  member: { id: member.memberId, email: member.email },
  partner: { id: partnerId, name, billing_mode: billingMode },
  addresses: {
    sandbox: bare(config.sandboxBaseUrl),
    live: bare(config.liveBaseUrl),
    legacy: bare(config.legacyBaseUrl),
  },
});

export type MeView = ReturnType<typeof view>;

/** Ready to be followed by a path: without the slash at the end. */
const bare = ({ href }: URL): string => href.replace(/\/$/, '');
