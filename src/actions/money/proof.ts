import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { askForProof, recordProof } from '../../domains/money/proof/proof.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { archiveBefore, proveArchives, proveBoth } from '../../worlds/books.ts';
import { action } from '../action.ts';
import { integer, invalid, list, required, text, the, toggle } from '../fields.ts';

const unused = toggle('has no effect: everything is proved. Kept for timers of earlier versions');

export const auditActions = [
  // Before `audit`, whose words it begins with.
  action({
    name: 'audit request',
    console: { may: 'money' },
    summary: 'Have a worker check the ledgers of live and sandbox; the console shows its progress and findings',
    options: { new: unused },
    run: (context) =>
      change(context, 'audit request', async (tx) => {
        const isNew = await askForProof(tx, { by: context.who, at: new Date(context.clock.now()) });
        return { target: 'ledger', result: { requested: true, already_running: !isNew } };
      }),
  }),
  action({
    name: 'audit',
    console: 'shown',
    summary:
      'Check that the ledgers of live and sandbox add up; exits with 1 if they do not. The console also shows the result',
    options: {
      new: unused,
      archive: list('FILE', 'also prove the file of an archived year; repeat it for each year'),
    },
    async run({ db, url, clock, who, vault, withoutFiles, progress }, { archive }) {
      const startedAt = new Date(clock.now());
      const books = await proveBoth(url, progress);
      const files = withoutFiles ? [] : (archive?.split(',') ?? []);
      const archives = files.length > 0 ? await proveArchives({ url, clock, vault, progress }, files) : undefined;
      const result = { ...books, ok: books.ok && !archives?.drift.length, ...(archives && { archives }) };
      await recordProof(db, { by: who, startedAt, finishedAt: new Date(clock.now()), result });
      return result;
    },
  }),
];

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
