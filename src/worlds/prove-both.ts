import { type OnProgress, type Proof, type ProofKind, proveBooks } from '../domains/money/proof/proof.ts';
import { formatCents, toCents } from '../platform/amounts/cents.ts';
import { openDatabase } from '../platform/db/database.ts';
import { worldRole } from '../platform/db/migrate/rights.ts';
import { searchPathOf } from '../platform/db/search-path.ts';

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
interface WantedProof {
  readonly kind: ProofKind;
  /** Undefined: as the database says. */
  readonly at?: Date;
  readonly onProgress: OnProgress;
}

/** On its own connection without a statement timeout, because the proof reads every row. */
async function proof(
  url: string,
  schema: keyof typeof worldRole,
  { onProgress, ...wanted }: WantedProof,
): Promise<Proof> {
  const searchPath = searchPathOf(schema);
  const db = openDatabase({ url, name: 'audit', role: worldRole[schema], searchPath, statementTimeoutMs: 0 });
  try {
    return await proveBooks(db, (done, total) => onProgress(schema, done, total), wanted);
  } finally {
    await db.close();
  }
}

/** Proves the books of live, then of the sandbox. */
export async function proveBoth(url: string, wanted: WantedProof) {
  const live = await proof(url, 'live', wanted);
  const sandbox = await proof(url, 'sandbox', wanted);
  return {
    ok: live.drift.length + sandbox.drift.length === 0,
    // Whole only if it was in both worlds.
    proof: live.kind === 'whole' ? sandbox.kind : live.kind,
    live: shown(live),
    sandbox: shown(sandbox),
  };
}
