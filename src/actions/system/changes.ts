import { type LoggedChange, listChanges } from '../../platform/audit/audit-log.ts';
import { timestamp } from '../../platform/clock.ts';
import { action } from '../action.ts';
import { integer, text } from '../fields.ts';
import { cell } from '../result.ts';
import { isFields, stateIn } from './audit-words.ts';

/** The audit log for people: who did what, and below it only the fields that changed. */
function changesText(changes: readonly LoggedChange[]): string {
  if (changes.length === 0) return 'nothing\n';
  return changes
    .map((change) => {
      const heading = [timestamp(change.at), change.who, change.what, change.target].map(cell).join('  ');
      return [heading, ...differences(change).map((line) => `    ${line}`), ''].join('\n');
    })
    .join('');
}

/** One line per field that changed: `suspended: false → true`. A side that does not have the field shows `-`. */
export function differences({ target, before, after }: Pick<LoggedChange, 'target' | 'before' | 'after'>): string[] {
  if (!isFields(before) && !isFields(after)) {
    const [old, now] = [cell(before), cell(after)];
    return old === now ? [] : [`${old} → ${now}`];
  }
  const [old, now] = [stateIn(target, before), stateIn(target, after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    const [was, is] = [valueText(old[name]), valueText(now[name])];
    return was === is ? [] : [`${name}: ${was} → ${is}`];
  });
}

/** The log keeps times as JSON does. */
const valueText = (value: unknown): string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? timestamp(new Date(value)) : cell(value);

export const changesActions = [
  action({
    name: 'changes',
    console: 'shown',
    summary: 'List who changed what, newest first; --json has the whole state before and after',
    options: {
      target: text('TARGET', "only changes to this target, as listed, e.g. 'partner 7'"),
      who: text('WHO', 'only changes by this operator (their login) or member (member:EMAIL)'),
      limit: integer('N', 'at most this many; 50 by default'),
    },
    run: ({ db }, { target, who, limit = 50 }) => listChanges(db, { target, who, limit }),
    text: changesText,
  }),
];
