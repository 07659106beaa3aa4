import { listChanges } from '../audit-log.ts';
import { command } from './command.ts';
import { integer, text } from './options.ts';

export const changesCommands = [
  command({
    path: ['changes'],
    summary: 'Who changed what, newest first, with the state before and after',
    options: {
      target: text('TARGET', "only changes to this, as listed, e.g. 'partner 7'"),
      who: text('WHO', 'only changes by this operator, or by member:EMAIL'),
      limit: integer('N', 'how many, 50 by default'),
    },
    run: ({ db }, { target, who, limit = 50 }) => listChanges(db, { target, who, limit }),
  }),
];
