import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { change } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { archiveBefore } from '../../worlds/archive.ts';
import { action } from '../action.ts';
import { integer, invalid, required, text, the, toggle } from '../fields.ts';

export const archiveActions = [
  action({
    name: 'archive',
    console: { never: 'it writes files on the machine it runs on' },
    summary:
      'Move the books of past years out of the database into signed files, one per year; the database keeps their sums, and `audit --archive` proves both',
    options: {
      before: required(integer('YEAR', 'archive the years before this one')),
      to: text('FOLDER', 'where the files go: a folder that is backed up for as long as books are to be kept'),
      'dry-run': toggle('only say what it would take, and what is in the way'),
    },
    async run(context, { before, to, 'dry-run': isDry }) {
      if (isDry === (to !== undefined)) throw invalid`give either ${the('to')} or ${the('dry-run')}`;
      const folder = to === undefined ? undefined : await existing(resolve(to));
      // Recorded before it begins: each year then is a transaction of its own.
      if (folder !== undefined)
        await change(context, 'archive', () => ({ target: 'ledger', after: { before, folder }, result: undefined }));
      return { archived: folder !== undefined, years: await archiveBefore(context, before, folder) };
    },
    text: ({ archived, years }) =>
      years.length === 0
        ? 'All of these years are archived already, or there was nothing in them.\n'
        : { archived, years },
  }),
];

async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new Refused('not_found', `${folder} is not a folder`);
  return folder;
}
