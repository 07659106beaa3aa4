import { invoicePass } from '../domains/billing/invoices/invoices.ts';
import { type OnProgress, type Proof, proveBooks } from '../domains/money/proof/proof.ts';
import { formatCents, formatMicros, toCents, toMicros } from '../platform/amounts/cents.ts';
import { openDatabase } from '../platform/db/database.ts';
import { worldRole } from '../platform/db/migrate/rights.ts';
import { searchPathOf } from '../platform/db/search-path.ts';

/** Figures that are cents; the others are counts. */
const MONEY = ['cash', 'promo', 'outstanding', 'revenue'];

/** What suppliers charge has six places. */
function shownFigure(name: string, value: bigint): string | bigint {
  if (name === 'replacement_cost') return formatMicros(toMicros(value));
  return MONEY.includes(name) ? formatCents(toCents(value)) : value;
}

const shown = ({ figures, drift }: Proof) => ({
  ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, shownFigure(name, value)])),
  drift,
});

/** On its own connection without a statement timeout, because the proof reads every row. */
async function proof(url: string, schema: keyof typeof worldRole, onProgress: OnProgress): Promise<Proof> {
  const searchPath = searchPathOf(schema);
  const db = openDatabase({ url, name: 'audit', role: worldRole[schema], searchPath, statementTimeoutMs: 0 });
  try {
    return await proveBooks(db, (done, total) => onProgress(schema, done, total), [invoicePass]);
  } finally {
    await db.close();
  }
}

export async function proveBoth(url: string, onProgress: OnProgress) {
  const live = await proof(url, 'live', onProgress);
  const sandbox = await proof(url, 'sandbox', onProgress);
  return {
    ok: live.drift.length + sandbox.drift.length === 0,
    // Always: results of earlier versions could also be `new`, of the latest rows only.
    proof: 'whole',
    live: shown(live),
    sandbox: shown(sandbox),
  };
}
