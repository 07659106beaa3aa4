import { partnerAuditWords } from '../../../actions/system/audit-words.ts';
import { memberRoles, type Permission } from '../../../domains/partners/people/people.ts';
import { type ActivityEntry, listActivity } from '../../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../../platform/audit/sentences.ts';
import type { Base } from '../../../worlds/base.ts';
import { jsonOf } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type Keys, keysOf, loggedKeyView } from '../../site/views/records.ts';
import { fields, memberRead } from '../member-action.ts';

interface Kind {
  readonly may: Permission;
  /** The fields of the entry's state that are shown. The log has more, and not all of it is for partners. */
  readonly fields: readonly string[];
}

/** Kinds whose entries show the same, to every member. */
const seen = <const K extends AuditKind>(fields: readonly string[], ...kinds: readonly K[]) =>
  Object.fromEntries(kinds.map((kind) => [kind, { may: 'see', fields }])) as Readonly<Record<K, Kind>>;

/** The entries of the audit log that a partner sees. What is not listed here is not shown. */
export const activities = {
  'key create': { may: 'see-keys', fields: ['mode', 'name', 'note', 'allow_list', 'permissions', 'expires_at'] },
  'key set': {
    may: 'see-keys',
    fields: ['name', 'note', 'allow_list', 'expires_at', 'tier_ceilings', 'limits'],
  },
  'key revoke': { may: 'see-keys', fields: [] },
  ...seen(['role'], 'member invite', 'member set', 'member remove'),
  ...seen([], 'member invite again', 'member join', 'member reset-second-factor', 'sign up'),
  ...seen([], 'sso link', 'sso release', 'sso remove', 'live apply', 'live answer', 'partner open-live'),
  ...seen([], 'application approve', 'application ask', 'application reject'),
  ...seen(
    [],
    'password set by link',
    'password change',
    'second factor on',
    'second factor off',
    'recovery codes renew',
  ),
  ...seen([], 'webhook pause', 'webhook resume', 'webhook rotate', 'webhook rotate finish', 'webhook delete'),
  ...seen([], 'webhook requeue', 'share revoke', 'share renew'),
  ...seen(['domain'], 'sso confirm'),
  ...seen(['break_glass'], 'sso require'),
  ...seen(['issuer', 'client_id', 'domains'], 'sso set'),
  ...seen(['name'], 'passkey add', 'passkey remove'),
  ...seen(['mode', 'url', 'events'], 'webhook create', 'webhook set'),
  ...seen(['status', 'event', 'from', 'until', 'resent'], 'webhook resend'),
  ...seen(['display_name', 'color', 'support_url', 'refill_url', 'allows_replacement'], 'brand set'),
  ...seen(['resent'], 'order resend'),
  ...seen(['mode', 'product_id', 'iccid'], 'order buy'),
  ...seen(['mode'], 'share mail', 'order cancel', 'esim suspend', 'esim resume', 'esim replace'),
  ...seen(['mode', 'product_id', 'at_percent', 'times', 'max_price', 'off'], 'esim autorefill'),
  ...seen(['mode', 'state', 'iccid'], 'help answer', 'help close'),
  ...seen(['ahead_seconds'], 'sandbox clock advance', 'sandbox clock reset'),
  ...seen(['currency', 'rate', 'markup', 'ending'], 'retail set'),
  ...seen(['plan', 'destination', 'retail_price', 'currency', 'markup'], 'retail price set'),
  'partner set': {
    may: 'see-money',
    fields: [
      ...(['balance_alert', 'billing_mode', 'credit_limit', 'suspended', 'revenue_share_pct', 'limits'] as const),
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
      const filters = filtersFrom(call, 'ignored');
      const [before, limit] = [filters.id('before'), filters.limit(PAGE)];
      const found = await listActivity(db, { partnerId: member.partnerId, kinds, before, limit: limit + 1 });
      const keys = found.some(({ who }) => who.startsWith(KEY)) ? await keysOf(db, member.partnerId) : [];
      const entries = found.slice(0, limit).map((entry) => view(entry, keys));
      return { entries, has_more: found.length > limit };
    },
  }),
];

function view(entry: ActivityEntry, keys: Keys) {
  const kind = entry.what as ActivityKind;
  const by = byOf(entry, keys);
  return {
    ...jsonOf(entry, 'id', 'at'),
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
