import type { Db, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { type Pass, passes } from './passes.ts';

export interface Proof {
  readonly figures: Readonly<Record<string, bigint>>;
  /** Empty: nothing has drifted. */
  readonly drift: readonly Drift[];
}

export interface Drift {
  readonly rule: string;
  readonly rows: number;
  readonly examples: readonly string[];
}

type OnRule = (done: number, total: number) => void;

const EXAMPLES = 5;

/**
 * Reads all figures and rules in one snapshot, so that concurrent purchases cannot look like drift. `derived` are the rules of what other
 * domains derive from the ledger.
 */
export const proveBooks = (db: Db, onRule: OnRule, derived: readonly Pass[] = []): Promise<Proof> =>
  db.tx(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    return proveIn(tx, onRule, derived);
  });

/** The same with what an open transaction has changed. Each rule is one statement, so each sees one moment. */
export async function proveIn(tx: Tx, onRule: OnRule, derived: readonly Pass[] = []): Promise<Proof> {
  await tx.run(sql`set local work_mem = '256MB'`);
  // Sorting both sides of a large join costs more than hashing one.
  await tx.run(sql`set local enable_mergejoin = off`);
  const { figures, drift: ofTotals } = await readTotals(tx);
  const drift: Drift[] = [];
  const all = [...passes, ...derived];
  const total = all.reduce((sum, { rules }) => sum + rules, 1);
  let done = 1;
  onRule(done, total);
  for (const { rules, breaches } of all) {
    drift.push(
      ...(await tx.query<Drift>(sql`
        select rule, count(*)::int as rows, (array_agg(id::text))[1:${EXAMPLES}] as examples
        from (${breaches}) breach group by rule order by rule`)),
    );
    done += rules;
    onRule(done, total);
  }
  return { figures, drift: [...drift, ...ofTotals] };
}

/** The figures a proof reports, archived lines included, and whether all rows add up in sum. */
async function readTotals(tx: Tx): Promise<{ figures: Record<string, bigint>; drift: Drift[] }> {
  const sum = (plus: Sql, minus: Sql) => sql`
    (coalesce(sum(amount) filter (where ${plus}), 0) - coalesce(sum(amount) filter (where ${minus}), 0))::bigint`;
  const { lines, inWallets, inDebts, carriedCash, carriedPromo, carriedDebt, archived, ...figures } = await tx.one<
    Record<string, bigint>
  >(sql`
    select w.*, t.*, a.archived, m.movements + a.archived as movements, m."inWallets" + t."archivedInWallets" as "inWallets",
      m."inDebts" + t."archivedInDebts" as "inDebts", (select count(*) from orders) as orders,
      (select coalesce(sum(cost_micros), 0)::bigint from esim_replacements) as replacement_cost,
      (select count(*) from invoices where kind = 'invoice') as invoices,
      (select count(*) from invoices where kind = 'credit_note') as credit_notes from (
      select count(*) as wallets, coalesce(sum(cash), 0)::bigint as cash, coalesce(sum(promo), 0)::bigint as promo,
        coalesce(sum(outstanding), 0)::bigint as outstanding, coalesce(sum(wallet_lines + debt_lines), 0)::bigint as lines
      from wallets
    ) w, (
      select count(*) as movements, coalesce(sum(amount) filter (where book = 'wallet'), 0)::bigint as "inWallets",
        coalesce(sum(amount) filter (where book = 'debt'), 0)::bigint as "inDebts"
      from movements
    ) m, (
      select coalesce(sum(transfers), 0)::bigint as transfers, ${sum(sql`credit = 'revenue'`, sql`debit = 'revenue'`)} as revenue,
        ${sum(sql`credit = 'cash'`, sql`debit = 'cash'`)} as "carriedCash",
        ${sum(sql`credit = 'promo'`, sql`debit = 'promo'`)} as "carriedPromo",
        ${sum(sql`debit = 'receivable'`, sql`credit = 'receivable'`)} as "carriedDebt",
        ${sum(sql`is_archived and credit in ('cash', 'promo')`, sql`is_archived and debit in ('cash', 'promo')`)} as "archivedInWallets",
        ${sum(sql`is_archived and debit = 'receivable'`, sql`is_archived and credit = 'receivable'`)} as "archivedInDebts"
      from (
        select debit, credit, sum(amount) as amount, count(*) as transfers, false as is_archived from transfers group by debit, credit
        union all
        select debit, credit, sum(amount), sum(transfers), true from archived_transfers group by debit, credit
      ) carried
    ) t, (select coalesce(sum(taken), 0)::bigint as archived from archived_books) a`);
  const { cash = 0n, promo = 0n, outstanding = 0n, movements = 0n, wallets, orders, transfers, revenue } = figures;
  const differences = Object.entries({
    movements: [movements, lines],
    'movements of wallets': [inWallets, cash + promo],
    'movements of debts': [inDebts, outstanding],
    'transfers of cash': [carriedCash, cash],
    'transfers of promo': [carriedPromo, promo],
    'transfers of debts': [carriedDebt, outstanding],
  }).flatMap(([name, [found, due]]) => (found === due ? [] : [`${name}: ${found} instead of ${due}`]));
  const rule = 'all movements and all transfers add up to all wallets';
  return {
    figures: {
      ...{ wallets, orders, movements, transfers, cash, promo, outstanding, revenue, archived },
      replacement_cost: figures.replacement_cost,
      invoices: figures.invoices,
      credit_notes: figures.credit_notes,
    } as Record<string, bigint>,
    drift: differences.length === 0 ? [] : [{ rule, rows: differences.length, examples: differences }],
  };
}
