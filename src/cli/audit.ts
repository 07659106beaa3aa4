import { change } from '../audit/audit-log.ts';
import { openDatabase } from '../db/database.ts';
import { worldRole } from '../db/migrate.ts';
import {
  askForProof,
  formatCents,
  type OnProgress,
  type Proof,
  type ProofKind,
  proveBooks,
  recordProof,
  toCents,
} from '../money/money.ts';
import { command } from './command.ts';
import { toggle } from './options.ts';

/** Figures that are cents; the others are counts. */
const MONEY = ['cash', 'promo', 'outstanding', 'revenue'];

const shown = ({ kind, since, figures, drift }: Proof) => ({
  ...(kind === 'new' && { since }),
  ...Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, MONEY.includes(name) ? formatCents(toCents(value)) : value]),
  ),
  drift,
});

/** Which proof, when, and who watches. */
interface Asked {
  readonly kind: ProofKind;
  /** Undefined: as the database says. */
  readonly at?: Date;
  readonly onProgress: OnProgress;
}

/** On its own connection without a statement timeout, because the proof reads every row. */
async function proof(url: string, schema: keyof typeof worldRole, { onProgress, ...asked }: Asked): Promise<Proof> {
  const searchPath = `${schema},shared`;
  const db = openDatabase({ url, name: 'audit', role: worldRole[schema], searchPath, statementTimeoutMs: 0 });
  try {
    return await proveBooks(db, (done, total) => onProgress(schema, done, total), asked);
  } finally {
    await db.close();
  }
}

export async function proveBoth(url: string, asked: Asked) {
  const live = await proof(url, 'live', asked);
  const sandbox = await proof(url, 'sandbox', asked);
  return {
    ok: live.drift.length + sandbox.drift.length === 0,
    // Whole only if it was in both worlds.
    proof: live.kind === 'whole' ? sandbox.kind : live.kind,
    live: shown(live),
    sandbox: shown(sandbox),
  };
}

const onlyNew = toggle('only what was written since the last whole proof, and the totals: seconds, not minutes');

export const auditCommands = [
  // Before `audit`, whose words it begins with.
  command({
    path: ['audit', 'request'],
    console: { may: 'money' },
    summary: 'Have a worker check the books; the console shows how far it is and what it found',
    options: { new: onlyNew },
    run: (context, input) =>
      change(context, 'audit request', async (tx) => {
        const kind = input.new ? 'new' : 'whole';
        const isAsked = await askForProof(tx, { kind, by: context.who, at: new Date(context.clock.now()) });
        return { target: 'ledger', result: { requested: true, already_running: !isAsked } };
      }),
  }),
  command({
    path: ['audit'],
    console: 'shown',
    summary:
      'Check that the books of both worlds add up; exits with 1 if they do not. The console shows the result, too',
    options: { new: onlyNew },
    async run({ db, url, clock, who, progress }, input) {
      const startedAt = new Date(clock.now());
      const kind = input.new ? 'new' : 'whole';
      const result = await proveBoth(url, { kind, at: startedAt, onProgress: progress });
      await recordProof(db, { by: who, startedAt, finishedAt: new Date(clock.now()), result });
      return result;
    },
  }),
];
