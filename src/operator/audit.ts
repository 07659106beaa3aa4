import { type Db, openDatabase } from '../db/database.ts';
import { worldRole } from '../db/migrate.ts';
import { formatCents, type Proof, proveBooks, toCents } from '../money/money.ts';
import { command, type OperatorContext } from './command.ts';

/** Figures that are cents; the others are counts. */
const MONEY = ['cash', 'promo', 'outstanding', 'revenue'];

const shown = ({ figures, drift }: Proof) => ({
  ...Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, MONEY.includes(name) ? formatCents(toCents(value)) : value]),
  ),
  drift,
});

/** On its own connection without a statement timeout, because each rule of the proof reads every row. */
async function proof(
  url: string,
  schema: keyof typeof worldRole,
  progress: OperatorContext['progress'],
): Promise<Proof> {
  const searchPath = `${schema},shared`;
  const db: Db = openDatabase({
    url,
    name: 'audit',
    role: worldRole[schema],
    searchPath,
    statementTimeoutMs: 0,
  });
  try {
    return await proveBooks(db, (done, total) => progress(schema, done, total));
  } finally {
    await db.close();
  }
}

export async function auditBoth(url: string, progress: OperatorContext['progress']) {
  const live = await proof(url, 'live', progress);
  const sandbox = await proof(url, 'sandbox', progress);
  return { ok: live.drift.length + sandbox.drift.length === 0, live: shown(live), sandbox: shown(sandbox) };
}

export const auditCommands = [
  command({
    path: ['audit'],
    console: 'shown',
    summary: 'Check that the books of both worlds add up; exits with 1 if they do not. It only reads',
    run: ({ url, progress }) => auditBoth(url, progress),
  }),
];
