import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { auditLines, verifyLines } from '../../platform/audit/audit-chain.ts';
import { type LoggedChange, listChanges } from '../../platform/audit/audit-log.ts';
import { timestamp } from '../../platform/clock.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { action, cell } from '../action.ts';
import { integer, invalid, required, text, the, time } from '../fields.ts';
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

const never = 'they print or read a file of lines';

export const auditFileActions = [
  // Before `audit`, whose words they begin with.
  action({
    name: 'audit export',
    console: { never },
    summary: 'Print the audit log as JSON lines, each with the hash of the line before, and a signature at the end',
    options: {
      from: time('only entries from this time on'),
      to: time('only entries before this time'),
    },
    async run({ db, vault }, { from, to }) {
      if (from && to && from >= to) throw invalid`${the('from')} must be before ${the('to')}`;
      const lines: string[] = [];
      for await (const line of auditLines(db, vault, { from, to })) lines.push(line);
      return { lines };
    },
    text: ({ lines }) => `${lines.join('\n')}\n`,
  }),
  action({
    name: 'audit verify',
    console: { never },
    summary: 'Prove that a file of `audit export` is as it was written; exits with 1 if it is not',
    args: { file: required(text('FILE', 'what `audit export` printed')) },
    async run({ vault }, { file }) {
      const input = createReadStream(file);
      const failed = new Promise<never>((_, reject) =>
        input.on('error', () => reject(new Refused('invalid_input', `${file} cannot be read`))),
      );
      const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
      return Promise.race([verifyLines(vault, lines), failed]);
    },
  }),
];
