import { partnerAuditWords } from '../../../actions/system/audit-words.ts';
import { memberRoles, type Permission } from '../../../domains/partners/people/people.ts';
import { type ActivityEntry, listActivity } from '../../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../../platform/audit/sentences.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type Keys, keysOf, loggedKeyView } from '../../site/views/records.ts';
import { memberRead } from '../member-action.ts';
import { fields } from '../viewed.ts';

interface Kind {
  readonly may: Permission;
  /** The fields of the entry's state that are shown. The log has more, and not all of it is for partners. */
  readonly fields: readonly string[];
}

const subscription = ['mode', 'url', 'events'];
const ownSecurity: Kind = { may: 'see', fields: [] };

/** The entries of the audit log that a partner sees. What is not listed here is not shown. */
export const activities = {
  'key create': { may: 'see-keys', fields: ['mode', 'name', 'note', 'allow_list', 'permissions', 'expires_at'] },
  'key set': {
    may: 'see-keys',
    fields: ['name', 'note', 'allow_list', 'expires_at', 'tier_ceilings', 'limits'],
  },
  'key revoke': { may: 'see-keys', fields: [] },
  'member invite': { may: 'see', fields: ['role'] },
  'member invite again': { may: 'see', fields: [] },
  'member join': { may: 'see', fields: [] },
  'member set': { may: 'see', fields: ['role'] },
  'member remove': { may: 'see', fields: ['role'] },
  'member reset-second-factor': ownSecurity,
  'sign up': ownSecurity,
  'sso confirm': { may: 'see', fields: ['domain'] },
  'sso link': ownSecurity,
  'sso release': ownSecurity,
  'sso remove': ownSecurity,
  'sso require': { may: 'see', fields: ['break_glass'] },
  'sso set': { may: 'see', fields: ['issuer', 'client_id', 'domains'] },
  'live apply': { may: 'see', fields: [] },
  'live answer': { may: 'see', fields: [] },
  'application approve': { may: 'see', fields: [] },
  'partner open-live': { may: 'see', fields: [] },
  'application ask': { may: 'see', fields: [] },
  'application reject': { may: 'see', fields: [] },
  'password set by link': ownSecurity,
  'passkey add': { may: 'see', fields: ['name'] },
  'passkey remove': { may: 'see', fields: ['name'] },
  'password change': ownSecurity,
  'second factor on': ownSecurity,
  'second factor off': ownSecurity,
  'recovery codes renew': ownSecurity,
  'webhook create': { may: 'see', fields: subscription },
  'webhook set': { may: 'see', fields: subscription },
  'webhook pause': { may: 'see', fields: [] },
  'webhook resume': { may: 'see', fields: [] },
  'webhook rotate': { may: 'see', fields: [] },
  'webhook rotate finish': { may: 'see', fields: [] },
  'webhook delete': { may: 'see', fields: [] },
  'webhook requeue': { may: 'see', fields: [] },
  'webhook resend': { may: 'see', fields: ['status', 'event', 'from', 'until', 'resent'] },
  'brand set': { may: 'see', fields: ['display_name', 'color', 'support_url', 'refill_url', 'allows_replacement'] },
  'share revoke': { may: 'see', fields: [] },
  'share renew': { may: 'see', fields: [] },
  'order resend': { may: 'see', fields: ['resent'] },
  'order buy': { may: 'see', fields: ['mode', 'product_id', 'iccid'] },
  'share mail': { may: 'see', fields: ['mode'] },
  'esim suspend': { may: 'see', fields: ['mode'] },
  'esim resume': { may: 'see', fields: ['mode'] },
  'esim replace': { may: 'see', fields: ['mode'] },
  'esim autorefill': { may: 'see', fields: ['mode', 'product_id', 'at_percent', 'times', 'max_price', 'off'] },
  'help answer': { may: 'see', fields: ['mode', 'state', 'iccid'] },
  'help close': { may: 'see', fields: ['mode', 'state', 'iccid'] },
  'sandbox clock advance': { may: 'see', fields: ['ahead_seconds'] },
  'sandbox clock reset': { may: 'see', fields: ['ahead_seconds'] },
  'retail set': { may: 'see', fields: ['currency', 'rate', 'markup', 'ending'] },
  'retail price set': { may: 'see', fields: ['plan', 'destination', 'retail_price', 'currency', 'markup'] },
  'partner set': {
    may: 'see-money',
    fields: [
      ...(['balance_alert', 'billing_mode', 'credit_limit', 'suspended', 'revenue_share_pct'] as const),
      ...(['legal_name', 'billing_address', 'billing_country', 'vat_id', 'billing_email', 'net_days'] as const),
    ],
  },
} as const satisfies Partial<Record<AuditKind, Kind>>;

type ActivityKind = keyof typeof activities;

const PAGE = 50;
const OPERATOR = null;
const MEMBER = 'member:';
const KEY = 'key:';

/** What people changed at this partner, newest first, from the audit log. */
export const activityActions = ({ db }: Base) => [
  memberRead('/api/activity', {
    may: 'see',
    viewed: {
      has_more: true,
      entries: {
        ...fields('id', 'at', 'by', 'kind', 'about', 'sentence'),
        changes: fields('field', 'label', 'before', 'after'),
      },
    },
    async read(call) {
      const { member } = call;
      const kinds = Object.entries(activities).flatMap(([kind, { may }]) =>
        memberRoles.may(member.role, may) ? [kind] : [],
      );
      const before = filtersFrom(call, 'ignored').id('before');
      const found = await listActivity(db, { partnerId: member.partnerId, kinds, before, limit: PAGE + 1 });
      const keys = found.some(({ who }) => who.startsWith(KEY)) ? await keysOf(db, member.partnerId) : [];
      const entries = found.slice(0, PAGE).map((entry) => view(entry, keys));
      return { entries, has_more: found.length > PAGE };
    },
  }),
];

function view(entry: ActivityEntry, keys: Keys) {
  const kind = entry.what as ActivityKind;
  const by = byOf(entry, keys);
  return {
    id: String(entry.id),
    at: iso(entry.at),
    by,
    kind,
    ...partnerAuditWords(entry, activities[kind].fields, by === OPERATOR),
  };
}

/** The member's address, or the API key; null: the operator of this server, whose logins partners do not see. */
function byOf({ who }: ActivityEntry, keys: Keys): string | null {
  if (who.startsWith(MEMBER)) return who.slice(MEMBER.length);
  if (!who.startsWith(KEY)) return OPERATOR;
  const { name, mask } = loggedKeyView(Number(who.slice(KEY.length)), keys);
  return `API key ${name === '' ? mask : `${name} (${mask})`}`;
}

export type ActivityView = ReturnType<typeof view>;
