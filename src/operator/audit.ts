import { change } from '../audit-log.ts';
import { openDatabase } from '../db/database.ts';
import { worldRole } from '../db/migrate.ts';
import {
  askForProof,
  formatCents,
  type OnProgress,
  type Proof,
  proveBooks,
  recordProof,
  toCents,
} from '../money/money.ts';
import { command } from './command.ts';

/** Figures that are cents; the others are counts. */
const MONEY = ['cash', 'promo', 'outstanding', 'revenue'];

const shown = ({ figures, drift }: Proof) => ({
  ...Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, MONEY.includes(name) ? formatCents(toCents(value)) : value]),
  ),
  drift,
});

/** On its own connection without a statement timeout, because each rule of the proof reads every row. */
async function proof(url: string, schema: keyof typeof worldRole, onProgress: OnProgress): Promise<Proof> {
  const searchPath = `${schema},shared`;
  const db = openDatabase({ url, name: 'audit', role: worldRole[schema], searchPath, statementTimeoutMs: 0 });
  try {
    return await proveBooks(db, (done, total) => onProgress(schema, done, total));
  } finally {
    await db.close();
  }
}

export async function proveBoth(url: string, onProgress: OnProgress) {
  const live = await proof(url, 'live', onProgress);
  const sandbox = await proof(url, 'sandbox', onProgress);
  return { ok: live.drift.length + sandbox.drift.length === 0, live: shown(live), sandbox: shown(sandbox) };
}

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
