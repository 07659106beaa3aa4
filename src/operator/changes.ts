import { listChanges } from '../actions/audit-log.ts';
import { command } from './command.ts';
import { integer, text } from './options.ts';

export const changesCommands = [
  command({
    path: ['changes'],
    summary: 'Who changed what, newest first, with the state before and after',
    options: {
      target: text('TARGET', "what it was done to, as it is listed: 'partner 7'"),
      who: text('WHO', 'who did it: an operator, or member:EMAIL'),
      limit: integer('N', 'how many, 50 by default'),
    },
    run: ({ db }, { target, who, limit = 50 }) => listChanges(db, { target, who, limit }),
  }),
];
