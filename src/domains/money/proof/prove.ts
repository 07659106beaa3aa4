import type { Db, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import {
  breakCheckpoint,
  everything,
  keepCheckpoint,
  lockCheckpoint,
  onlyTheseOrders,
  type Scope,
  settledIds,
  sinceCheckpoint,
} from './checkpoint.ts';
import { ordersToLookAt } from './fingerprints.ts';
import { orderPasses, passes } from './passes.ts';

/** `new`: only what was written since the last whole proof, by its fingerprints (`fingerprints.ts`), and the totals. */
export type ProofKind = 'whole' | 'new';

/** The books of one world, checked against each other. */
export interface Proof {
  /** Without a checkpoint, a `new` proof becomes a `whole` one. */
  readonly kind: ProofKind;
  /** When the whole proof was made that a `new` one builds on. */
  readonly since: Date | null;
  readonly figures: Readonly<Record<string, bigint>>;
  /** Empty: nothing has drifted. */
  readonly drift: readonly Drift[];
}

export interface Drift {
  readonly rule: string;
  readonly rows: number;
  /** Some of the ids concerned. */
  readonly examples: readonly string[];
}

export type OnRule = (done: number, total: number) => void;

const EXAMPLES = 5;

/** Reads all figures and rules in one snapshot, so that concurrent purchases cannot look like drift. */
export async function proveBooks(
  db: Db,
  onRule: OnRule,
  { kind, at }: { readonly kind: ProofKind; readonly at?: Date } = { kind: 'whole' },
): Promise<Proof> {
  if (kind === 'new') {
    const proof = await db.tx(async (tx) => {
      await beginSnapshot(tx);
      const scope = await sinceCheckpoint(tx);
      return scope && read(tx, scope, onRule);
    });
    if (proof) return proof;
  }
  const settled = await settledIds(db);
  return db.tx(async (tx) => {
    await beginSnapshot(tx, lockCheckpoint);
    const proof = await read(tx, everything, onRule);
    if (proof.drift.length > 0) await breakCheckpoint(tx);
    else if (settled) await keepCheckpoint(tx, settled, at);
    return proof;
  });
}

async function beginSnapshot(tx: Tx, lock?: (tx: Tx) => Promise<unknown>): Promise<void> {
  await tx.run(sql`set transaction isolation level repeatable read`);
  await tx.run(sql`set local work_mem = '256MB'`);
  // Statistics lag behind what is new, and sorting both sides of a large join costs more than hashing one.
  await tx.run(sql`set local enable_mergejoin = off`);
  await lock?.(tx);
}

async function read(tx: Tx, scope: Scope, onRule: OnRule): Promise<Proof> {
  const { figures, drift: ofTotals } = await readTotals(tx);
  const drift: Drift[] = [];
  const total = passes.reduce((sum, { rules }) => sum + rules, 1);
  let done = 1;
  onRule(done, total);
  const isNew = scope.since !== null;
  const few = isNew ? await ordersToLookAt(tx, scope) : undefined;
  const [checks, within] = few ? [orderPasses, onlyTheseOrders(scope, few)] : [passes, scope];
  for (const { rules, breaches } of checks) {
    drift.push(
      ...(await tx.query<Drift>(sql`
        select rule, count(*)::int as rows, (array_agg(id::text))[1:${EXAMPLES}] as examples
        from (${breaches(within)}) breach group by rule order by rule`)),
    );
    done += rules;
    onRule(done, total);
  }
  onRule(total, total);
  return {
    kind: isNew ? 'new' : 'whole',
    since: scope.since,
    figures: { ...figures, ...(isNew && (await readNew(tx, scope))) },
    drift: [...drift, ...ofTotals],
  };
}

/** How much of it is new. */
const readNew = (tx: Tx, { proved, ordersTo }: Scope): Promise<Record<string, bigint>> =>
  tx.one(sql`
    select (select count(*) from orders where id > ${ordersTo}) as new_orders,
      (select coalesce(sum(w.wallet_lines + w.debt_lines - coalesce(p.wallet_lines + p.debt_lines, 0)), 0)::bigint
        from wallets w left join (${proved}) p using (partner_id)) as new_movements`);

/**
 * Everything that was ever written, in sums, whatever the scope: a row that was changed, removed or inserted shows here, however
 * old it is. Only a change that leaves the sums alone needs a whole proof.
 */
async function readTotals(tx: Tx): Promise<{ figures: Record<string, bigint>; drift: Drift[] }> {
  const sum = (plus: Sql, minus: Sql) => sql`
    (coalesce(sum(amount) filter (where ${plus}), 0) - coalesce(sum(amount) filter (where ${minus}), 0))::bigint`;
  const { lines, inWallets, inDebts, carriedCash, carriedPromo, carriedDebt, ...figures } = await tx.one<
    Record<string, bigint>
  >(sql`
    select w.*, m.*, t.*, (select count(*) from orders) as orders from (
      select count(*) as wallets, coalesce(sum(cash), 0)::bigint as cash, coalesce(sum(promo), 0)::bigint as promo,
        coalesce(sum(outstanding), 0)::bigint as outstanding, coalesce(sum(wallet_lines + debt_lines), 0)::bigint as lines
      from wallets
    ) w, (
      select count(*) as movements, coalesce(sum(amount) filter (where book = 'wallet'), 0)::bigint as "inWallets",
        coalesce(sum(amount) filter (where book = 'debt'), 0)::bigint as "inDebts"
      from movements
    ) m, (
      select count(*) as transfers, ${sum(sql`credit = 'revenue'`, sql`debit = 'revenue'`)} as revenue,
        ${sum(sql`credit = 'cash'`, sql`debit = 'cash'`)} as "carriedCash",
        ${sum(sql`credit = 'promo'`, sql`debit = 'promo'`)} as "carriedPromo",
        ${sum(sql`debit = 'receivable'`, sql`credit = 'receivable'`)} as "carriedDebt"
      from transfers
    ) t`);
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
    figures: { wallets, orders, movements, transfers, cash, promo, outstanding, revenue } as Record<string, bigint>,
    drift: differences.length === 0 ? [] : [{ rule, rows: differences.length, examples: differences }],
  };
}
