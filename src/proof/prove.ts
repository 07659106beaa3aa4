import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
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
import { type Drift, orderPasses, passes } from './passes.ts';
import { keepTotals, readNewTotals, readTotals, type Totals } from './totals.ts';

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
      return scope && read(tx, scope, await readNewTotals(tx, at), onRule);
    });
    if (proof) return proof;
  }
  const settled = await settledIds(db);
  return db.tx(async (tx) => {
    await beginSnapshot(tx, lockCheckpoint);
    const totals = await readTotals(tx);
    const proof = await read(tx, everything, totals, onRule);
    if (proof.drift.length > 0) await breakCheckpoint(tx);
    else if (settled) {
      await keepCheckpoint(tx, settled, at);
      await keepTotals(tx, totals);
    }
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

async function read(tx: Tx, scope: Scope, { figures, drift: ofTotals }: Totals, onRule: OnRule): Promise<Proof> {
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
