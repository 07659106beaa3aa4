import { setTimeout as wait } from 'node:timers/promises';
import { HOUR, SECOND } from '../../../platform/clock.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { raw, type Sql, sql } from '../../../platform/db/query/sql.ts';

/*
 * What a proof reads. A whole proof reads everything; a proof of new rows reads what was written since the last whole one, whose
 * results are kept as a checkpoint. Both run the same rules: a whole proof is one without a starting point.
 *
 * "Since" must not be a time or the highest id seen. Ids are given out before they are committed, so a purchase that was on its way
 * when the checkpoint was made can become visible later with a lower id than rows that were proved. Two things make it exact:
 *
 * - Lines of a book are numbered under the wallet's lock. Once a number is visible, all lower ones are. The checkpoint has the
 *   number of the last line of each book, and with it the balances that were proved.
 * - For orders, and to find new lines quickly, the checkpoint has ids below which nothing can still be on its way (`settledIds`).
 *   Rows above may have been proved already; to prove an order twice does no harm.
 */

/** Rows up to these ids were committed before the proof began, or never will be. */
export interface SettledIds {
  readonly movementsTo: bigint;
  readonly ordersTo: bigint;
}

/** What the rules of `proof.ts` look at. */
export interface Scope {
  /** When the last whole proof was made; null: everything is looked at. */
  readonly since: Date | null;
  /** `p`: the wallets that were proved, as they were then. */
  readonly proved: Sql;
  readonly movementsTo: Sql;
  readonly ordersTo: Sql;
  /** Ids of orders that may have changed without a new movement: those that were open, and those whose share was settled since. */
  readonly mayHaveChanged: Sql;
  /** Ids of orders up to `ordersTo` that have to be looked at again. */
  readonly orderedBefore: Sql;
}

/** Times come from the clocks of several processes. */
const CLOCKS_DIFFER_MS = 1 * HOUR;

const provedColumns = sql`p.partner_id, p.cash, p.promo, p.outstanding, p.card, p.wallet_lines, p.debt_lines`;

const noOrders = sql`select 0::bigint as id where false`;

export const everything: Scope = {
  since: null,
  proved: sql`select ${provedColumns} from proved_wallets p where false`,
  movementsTo: raw('0'),
  ordersTo: raw('0'),
  mayHaveChanged: noOrders,
  orderedBefore: noOrders,
};

const LAST_ID = raw('9223372036854775807');

/** Of the orders in a scope only these. */
export const onlyTheseOrders = (scope: Scope, ids: readonly bigint[]): Scope => ({
  ...scope,
  ordersTo: LAST_ID,
  orderedBefore: sql`select unnest(${ids}::bigint[]) as id`,
});

/** Undefined: nothing to build on. No whole proof was made, or the last one found that the books do not add up. */
export async function sinceCheckpoint(tx: Tx): Promise<Scope | undefined> {
  const made = await tx.maybe<SettledIds & { at: Date }>(sql`
    select made_at as at, movements_to as "movementsTo", orders_to as "ordersTo" from proof_checkpoints where not is_broken`);
  if (!made) return undefined;
  // In the text, not as parameters: with the values the planner can choose between reading a part of a table and all of it.
  const [movementsTo, ordersTo] = [raw(String(made.movementsTo)), raw(String(made.ordersTo))];
  const mayHaveChanged = sql`
    select unnest(open_orders) as id from proof_checkpoints
    union select order_id from revenue_shares
      where status = 'settled' and settled_at >= ${new Date(made.at.getTime() - CLOCKS_DIFFER_MS)}`;
  return {
    since: made.at,
    // A wallet whose last proved line is gone is proved from its first line: the account was reset, or worse.
    proved: sql`
      select ${provedColumns} from proved_wallets p
      left join movements w on w.id = p.last_wallet_id and w.partner_id = p.partner_id and w.book = 'wallet'
        and w.line = p.wallet_lines and w.balance_after = p.cash + p.promo
      left join movements d on d.id = p.last_debt_id and d.partner_id = p.partner_id and d.book = 'debt'
        and d.line = p.debt_lines and d.balance_after = p.outstanding
      where (p.wallet_lines = 0 or w.id is not null) and (p.debt_lines = 0 or d.id is not null)`,
    movementsTo,
    ordersTo,
    mayHaveChanged,
    orderedBefore: sql`
      select id from (${mayHaveChanged}) changed where id <= ${ordersTo}
      union select order_id from movements where id > ${movementsTo} and order_id <= ${ordersTo}`,
  };
}

const SETTLE_LIMIT_MS = 10 * SECOND;
const SETTLE_POLL_MS = 20;

/**
 * Reads the highest ids, then waits until every transaction that was writing to these tables has ended: a lower id that is not
 * visible by then was rolled back. A writer has its lock on the table before it takes an id, and keeps it to its end.
 * Undefined: one of them did not end in time.
 */
export async function settledIds(db: Queryable): Promise<SettledIds | undefined> {
  const ids = await db.one<SettledIds>(sql`
    select coalesce((select max(id) from movements), 0) as "movementsTo", coalesce((select max(id) from orders), 0) as "ordersTo"`);
  const writing = async (): Promise<string[]> =>
    (
      await db.query<{ id: string }>(sql`
        select distinct virtualtransaction as id from pg_locks
        where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
          and database = (select oid from pg_database where datname = current_database())
          and relation in ('movements'::regclass, 'orders'::regclass)`)
    ).map(({ id }) => id);
  let left = new Set(await writing());
  for (let waited = 0; left.size > 0; waited += SETTLE_POLL_MS) {
    if (waited >= SETTLE_LIMIT_MS) return undefined;
    await wait(SETTLE_POLL_MS);
    left = left.intersection(new Set(await writing()));
  }
  return ids;
}

/** One whole proof at a time: the next waits here. Taken before the first query, with which the snapshot begins. */
export const lockCheckpoint = (tx: Tx): Promise<unknown> => tx.run(sql`lock table proof_checkpoints in exclusive mode`);

/** Keeps what a whole proof without findings has proved, in its own transaction. Without a time it is the database's. */
export async function keepCheckpoint(tx: Tx, { movementsTo, ordersTo }: SettledIds, at?: Date): Promise<void> {
  await tx.run(sql`
    insert into proved_wallets (partner_id, cash, promo, outstanding, card, wallet_lines, debt_lines, last_wallet_id, last_debt_id)
    select w.partner_id, w.cash, w.promo, w.outstanding, coalesce(t.paid, 0), w.wallet_lines, w.debt_lines, wallet.id, debt.id
    from wallets w
    left join (${paidByCard}) t using (partner_id)
    left join movements wallet on wallet.partner_id = w.partner_id and wallet.book = 'wallet' and wallet.line = w.wallet_lines
    left join movements debt on debt.partner_id = w.partner_id and debt.book = 'debt' and debt.line = w.debt_lines
    on conflict (partner_id) do update set cash = excluded.cash, promo = excluded.promo, outstanding = excluded.outstanding,
      card = excluded.card, wallet_lines = excluded.wallet_lines, debt_lines = excluded.debt_lines,
      last_wallet_id = excluded.last_wallet_id, last_debt_id = excluded.last_debt_id`);
  await tx.run(sql`
    insert into proof_checkpoints (made_at, movements_to, orders_to, open_orders)
    values (coalesce(${at ?? null}::timestamptz, now()),
      -- Below the charges of all orders that count as new, so that a look at what is new finds both.
      least(${movementsTo}, (select min(id) - 1 from movements where order_id > ${ordersTo})), ${ordersTo}, array(select id from orders where status in (3, 4) and id <= ${ordersTo}))
    on conflict (is_only) do update set made_at = excluded.made_at, movements_to = excluded.movements_to,
      orders_to = excluded.orders_to, open_orders = excluded.open_orders, is_broken = false`);
}

/** The books do not add up: until a whole proof says otherwise, everything is proved every time. */
export const breakCheckpoint = (tx: Tx): Promise<unknown> => tx.run(sql`update proof_checkpoints set is_broken = true`);

/** What each partner paid by card, less what went back. */
export const paidByCard: Sql = sql`
  select partner_id, sum(amount - recovered)::bigint as paid from topups
  where status = 'succeeded' and provider in ('simulated', 'stripe') group by partner_id`;
