import { setBalanceAlert } from '../../../actions/partners/partner.ts';
import { findPartner, type Partner } from '../../../domains/partners/accounts/accounts.ts';
import { type Account, memberAccess, memberRoles, type Session } from '../../../domains/partners/people/people.ts';
import { formatCents, parseCents } from '../../../platform/amounts/cents.ts';
import { step } from '../../../platform/audit/action-keys.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { securityActions } from '../../site/json/account-security.ts';
import { idOf, shortText } from '../../site/json/action.ts';
import { savedViewActions } from '../../site/json/saved-views.ts';
import { clockView } from '../../site/views/records.ts';
import { fields, type MemberCall, memberChange, memberRead } from '../member-action.ts';

/** What members do for themselves, whatever their role. Their sessions are those at all partners of theirs. */
const accessActions = ({ panelUrl, site }: Base['config']) =>
  securityActions({
    at: '/api',
    access: memberAccess,
    panelUrl,
    siteName: site.name,
    self: ({ actor, member, token, address }: MemberCall) => {
      // The issuer of one partner must not change what the person signs in with at others.
      if (member.isSso) throw new Refused('sso_session');
      return {
        ...actor,
        personId: member.personId,
        email: member.email,
        isSso: false,
        target: `member ${member.memberId}`,
        token,
        address,
      };
    },
  }).map((action) => ({ ...action, signedIn: true, may: 'see' }) as const);

/** An operator viewing the panel has none here. */
const memberViewActions = savedViewActions({
  at: '/api',
  desk: ({ actor }: MemberCall) => actor,
  owner: ({ member }: MemberCall) => ({ memberId: member.memberId }),
}).map(
  (action) =>
    ({
      ...action,
      signedIn: true,
      may: 'see',
      viewed: { views: { ...fields('id', 'list', 'name'), filters: 'values' } },
    }) as const,
);

export const memberAccountActions = ({ config }: Base) => [...accessActions(config), ...memberViewActions];

export const meActions = ({ db, config }: Base) => [
  memberRead('/api/me', {
    may: 'see',
    viewed: {
      viewed_by: true,
      member: fields('id', 'email', 'role', 'may', 'second_factor'),
      partner: fields('id', 'name', 'is_live', 'billing_mode', 'balance_alert'),
      accounts: {
        id: true,
        partner: fields('id', 'name'),
      },
      addresses: fields('sandbox', 'live', 'legacy'),
      test_clock: fields('on', 'now', 'real', 'ahead_seconds'),
    },
    async read({ member, viewer, now }) {
      const partner = await findPartner(db, member.partnerId);
      const accounts = await memberAccess.accounts(db, member);
      const viewed_by = viewer?.email ?? null;
      return { ...view(member, partner, accounts, config), viewed_by, test_clock: clockView(member.aheadMs, now) };
    },
  }),
];

const view = (
  member: Session,
  { partnerId, name, isLive, billingMode, balanceAlert }: Partner,
  accounts: readonly Account[],
  config: Base['config'],
) => ({
  member: {
    id: member.memberId,
    email: member.email,
    role: member.role,
    may: memberRoles.permissionsOf(member.role),
    second_factor: member.hasSecondFactor,
    ...(member.isSso && { sso: true }),
  },
  partner: {
    id: partnerId,
    name,
    /** Whether it may use live. */
    is_live: isLive,
    billing_mode: billingMode,
    /** Null: off, or hidden from this member. */
    balance_alert:
      balanceAlert === null || !memberRoles.may(member.role, 'see-money') ? null : formatCents(balanceAlert),
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
  /** The operator who views the account; null for its members. */
  readonly viewed_by: string | null;
}

/** Ready to be followed by a path: without the slash at the end. */
const bare = ({ href }: URL): string => href.replace(/\/$/, '');

/** The partners a person belongs to. `GET /api/me` lists them, and names the one the session is at. */
export const accountActions = [
  memberChange('/api/accounts/{id}/open', {
    may: 'see',
    async handle(call) {
      await step(call.actor, (tx) => memberAccess.switchAccount(tx, call.token, idOf(call), call.now));
      return { body: {} };
    },
  }),
];

/** The id is the member's: the person's place at that partner. */
const accountView = ({ memberId, partnerId, partnerName }: Account) => ({
  id: memberId,
  partner: { id: partnerId, name: partnerName },
});

/** The level below which a partner is notified of a low balance. It is read with everything else of the account at /api/me. */
export const balanceAlertActions = [
  memberChange('/api/balance-alert', {
    may: 'spend',
    // Empty: off.
    body: Type.Object({ level: shortText }),
    async handle({ actor, member }, { level }) {
      const text = level.trim();
      const cents = text === '' ? null : parseCents(text);
      if (cents === undefined || (cents !== null && cents <= 0n)) throw new Refused('invalid_amount');
      return { body: { ...(await setBalanceAlert(actor, member.partnerId, cents)) } };
    },
  }),
];
