import { change } from '../audit-log.ts';
import { askForProof, proveBoth, recordProof } from '../money/money.ts';
import { command } from './command.ts';

export const auditCommands = [
  // Before `audit`, whose words it begins with.
  command({
    path: ['audit', 'request'],
    console: { may: 'money' },
    summary: 'Have a worker check the books; the console shows how far it is and what it found',
    run: (context) =>
      change(context, 'audit request', async (tx) => {
        const isNew = await askForProof(tx, context.who, new Date(context.clock.now()));
        return { target: 'ledger', result: { requested: true, already_running: !isNew } };
      }),
  }),
  command({
    path: ['audit'],
    console: 'shown',
    summary:
      'Check that the books of both worlds add up; exits with 1 if they do not. The console shows the result, too',
    async run({ db, url, clock, who, progress }) {
      const startedAt = new Date(clock.now());
      const result = await proveBoth(url, progress);
      await recordProof(db, { by: who, startedAt, finishedAt: new Date(clock.now()), result });
      return result;
    },
  }),
];
