import { askForProof, recordProof } from '../../domains/money/proof/proof.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { proveArchives } from '../../worlds/archive.ts';
import { proveBoth } from '../../worlds/prove-both.ts';
import { action } from '../action.ts';
import { list, toggle } from '../fields.ts';

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
