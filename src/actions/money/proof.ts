import { askForProof, recordProof } from '../../domains/money/proof/proof.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { proveBoth } from '../../worlds/prove-both.ts';
import { action } from '../action.ts';
import { toggle } from '../fields.ts';

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
    options: { new: unused },
    async run({ db, url, clock, who, progress }) {
      const startedAt = new Date(clock.now());
      const result = await proveBoth(url, progress);
      await recordProof(db, { by: who, startedAt, finishedAt: new Date(clock.now()), result });
      return result;
    },
  }),
];
