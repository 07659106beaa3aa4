import { listChanges } from '../../platform/audit/audit-log.ts';
import { action } from '../action.ts';
import { integer, text } from '../fields.ts';
import { changesText } from './difference.ts';

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
