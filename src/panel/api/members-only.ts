import { mayRole, type Permission, sessionLookUp } from '../../accounts/accounts.ts';
import type { Base } from '../../base.ts';
import { Refused } from '../../refused.ts';
import type { MemberCall } from './action.ts';
import { sessionCookie } from './cookie.ts';
import type { Audience } from './panel-api.ts';

/** The panel's audience: members, each confined to the partner their session is at. */
export function membersOnly({ db, clock, vault, guard, mail, config }: Base): Audience<MemberCall, Permission> {
  const findSession = sessionLookUp(db);
  return {
    cookie: sessionCookie(config.panelUrl, 'wayfare_session'),
    async signedIn(call) {
      const member = await findSession(call.token, call.now);
      if (!member) return undefined;
      // The one place where a session becomes somebody who can change things.
      const actor = { db, clock, vault, guard, mail, who: `member:${member.email}`, confinedTo: member.partnerId };
      return { ...call, member, actor };
    },
    requireAllowed: (call, { may }) => requireMemberRole(call, may),
    confirmedAt: ({ member }) => member.confirmedAt,
    quota: ({ member }) => `member:${member.memberId}`,
    account: ({ member }) => `partner:${member.partnerId}`,
  };
}

/** One refusal for everything a role does not allow, whatever it was asked about. */
export function requireMemberRole({ member }: MemberCall, permission: Permission): void {
  if (!mayRole(member.role, permission))
    throw new Refused('role_forbids', 'your role does not allow this; an owner of the account can change it');
}
