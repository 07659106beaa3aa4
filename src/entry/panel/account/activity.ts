import { partnerAuditWords } from '../../../actions/system/audit-words.ts';
import { memberRoles } from '../../../domains/partners/people/people.ts';
import { type ActivityEntry, listActivity } from '../../../platform/audit/audit-log.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type Keys, keysOf, loggedKeyView } from '../../site/views/records.ts';
import { type MemberAction, memberAction } from '../member-action.ts';
import { fields } from '../viewed.ts';
import { type ActivityKind, activities } from './activity-kinds.ts';

const PAGE = 50;
const OPERATOR = null;
const MEMBER = 'member:';
const KEY = 'key:';

/** What people changed at this partner, newest first, from the audit log. */
export const activityActions = ({ db }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/activity',
    may: 'see',
    viewed: {
      has_more: true,
      entries: {
        ...fields('id', 'at', 'by', 'kind', 'about', 'sentence'),
        changes: fields('field', 'label', 'before', 'after'),
      },
    },
    async handle(call) {
      const { member } = call;
      const kinds = Object.entries(activities).flatMap(([kind, { may }]) =>
        memberRoles.may(member.role, may) ? [kind] : [],
      );
      const before = filtersFrom(call, 'ignored').id('before');
      const found = await listActivity(db, { partnerId: member.partnerId, kinds, before, limit: PAGE + 1 });
      const keys = found.some(({ who }) => who.startsWith(KEY)) ? await keysOf(db, member.partnerId) : [];
      const entries = found.slice(0, PAGE).map((entry) => view(entry, keys));
      return { body: { entries, has_more: found.length > PAGE } };
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
