import {
  memberAccess,
  memberRoles,
  type PartnerView,
  type Permission,
  partnerViews,
  type Session,
} from '../../domains/partners/people/people.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { QuotaId } from '../../platform/limits/rate-limit.ts';
import { notice } from '../../platform/traces/traces.ts';
import type { Base } from '../../worlds/base.ts';
import { memberCookie } from '../site/json/browser.ts';
import type { Audience } from '../site/json/json-api.ts';
import { type MemberAction, type MemberCall, onlyThese, onlyTheseColumns } from './member-action.ts';

/** The panel's audience: members, each confined to the partner of their session, and operators who view it. */
export function membersOnly({ db, clock, vault, guard, mail, config }: Base): Audience<MemberCall, Permission> {
  const findSession = memberAccess.sessions.lookUp(db);
  const findView = partnerViews.lookUp(db);
  // The one place where a session becomes somebody who can change things.
  const actorOf = (who: string, confinedTo: number) => ({ db, clock, vault, guard, mail, who, confinedTo });
  return {
    cookie: memberCookie(config.panelUrl),
    async signedIn(call) {
      const member = await findSession(call.token, call.now);
      if (member) return { ...call, member, actor: actorOf(`member:${member.email}`, member.partnerId) };
      const viewer = await findView(call.token, call.now);
      if (!viewer) return undefined;
      if (call.isChange) throw new Refused('view_only');
      return {
        ...call,
        member: asMember(viewer),
        viewer,
        actor: actorOf(`operator:${viewer.email}`, viewer.partnerId),
      };
    },
    requireAllowed(call, { may, viewed }: MemberAction) {
      const { mode } = call.params;
      const isMode = mode === 'live' || mode === 'sandbox';
      notice({ 'wayfare.partner_id': call.member.partnerId, ...(isMode && { 'wayfare.mode': mode }) });
      requireMemberRole(call, may);
      if (call.isChange && mode === 'live') requireLive(call);
      if (call.viewer && viewed === undefined) throw notForViewers();
    },
    shown(call, { viewed = {} }: MemberAction, done) {
      if (!call.viewer) return done;
      if ('bytes' in done) return done;
      if ('rows' in done) return onlyTheseColumns(done, viewed);
      return { ...done, body: onlyThese(done.body, viewed) as typeof done.body };
    },
    confirmedAt: ({ member }) => member.confirmedAt,
    quota: quotaOf,
    inSteps: (call, steps) => ({ ...call, actor: { ...call.actor, steps } }),
    isMoney: (may) => may === 'spend' || may === 'refund' || may === 'buy',
    account: ({ member }) => `partner:${member.partnerId}`,
  };
}

export const quotaOf = ({ member, viewer }: MemberCall): QuotaId =>
  viewer ? `operator:${viewer.operatorId}` : `member:${member.memberId}`;

/** An operator who views a partner's panel; real ids are never 0. */
const asMember = ({ email, partnerId, aheadMs, isLive, limits }: PartnerView): Session => ({
  memberId: 0,
  personId: 0,
  email,
  partnerId,
  role: 'read-only',
  aheadMs,
  isLive,
  limits,
  hasSecondFactor: false,
  isSso: false,
  confirmedAt: null,
});

export const notForViewers = () => new Refused('view_only', 'the partner’s members see this, operators do not');

/** Ends the browser's panel session, a member's or a view. */
export async function leavePanel(db: Queryable, token: string): Promise<void> {
  await memberAccess.sessions.end(db, token);
  await partnerViews.end(db, token);
}

/** Nothing changes in live before an operator has approved the partner for it. */
export function requireLive({ member }: MemberCall): void {
  if (!member.isLive) throw new Refused('live_not_open');
}

/** One refusal for everything a role does not allow, whatever the request is about. */
export function requireMemberRole({ member }: MemberCall, permission: Permission): void {
  if (!memberRoles.may(member.role, permission))
    throw new Refused('role_forbids', 'your role does not allow this; an owner of the account can change it');
}
