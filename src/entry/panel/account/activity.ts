import { memberRoles } from '../../../domains/partners/people/people.ts';
import { type ActivityEntry, listActivity } from '../../../platform/audit/audit-log.ts';
import { timestamp } from '../../../platform/clock.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { aboutOf, type State } from '../../site/views/audited.ts';
import { type Keys, keysOf, loggedKeyView } from '../../site/views/logged-call.ts';
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
        ...fields('id', 'at', 'by', 'kind', 'about'),
        changes: fields('field', 'before', 'after'),
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
  const [before, after] = [stateOf(entry.before), stateOf(entry.after)];
  return {
    id: String(entry.id),
    at: iso(entry.at),
    by: byOf(entry, keys),
    kind,
    about: aboutOf(entry.target, { ...before, ...after }),
    changes: activities[kind].fields.flatMap((field) => {
      const [was, is] = [textOf(before[field]), textOf(after[field])];
      return was === is ? [] : [{ field, before: was, after: is }];
    }),
  };
}

/** The member's address, or the API key; null: the operator of this server, whose logins partners do not see. */
function byOf({ who }: ActivityEntry, keys: Keys): string | null {
  if (who.startsWith(MEMBER)) return who.slice(MEMBER.length);
  if (!who.startsWith(KEY)) return OPERATOR;
  const { name, mask } = loggedKeyView(Number(who.slice(KEY.length)), keys);
  return `API key ${name === '' ? mask : `${name} (${mask})`}`;
}

const stateOf = (value: unknown): State => (value !== null && typeof value === 'object' ? (value as State) : {});

/** Null: there was none. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  if (typeof value === 'object')
    return (
      Object.entries(value)
        .map(([name, one]) => `${name} ${one}`)
        .join(', ') || null
    );
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? `${timestamp(new Date(text))} UTC` : text;
}

export type ActivityView = ReturnType<typeof view>;
