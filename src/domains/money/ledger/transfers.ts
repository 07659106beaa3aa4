import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { bounded, type Turns } from '../../../platform/limits/turns.ts';
import { fundsOf } from './funds.ts';
import { apply, type Movement, spendable, type Wallet } from './wallet.ts';

/** A movement would take more than the wallet has. Nothing was written. */
export class NotEnoughMoney extends Error {}

/**
 * Locks the wallets in partner order. Called before any other row of these partners is locked or changed (`walletTx`), so two
 * transactions can never deadlock. With `skipLocked`, wallets that another transaction holds are left out instead of waited for.
 *
 * `no key`: the rows that refer to a wallet (orders, movements, top-ups) share its key while they are written. A lock on the whole
 * row would wait for all of them, and they for it.
 */
export async function lockWallets(
  tx: Tx,
  partnerIds: readonly number[],
  options: { skipLocked?: boolean } = {},
): Promise<Map<number, Wallet>> {
  const rows = await tx.query<Wallet>(sql`
    select partner_id as "partnerId", billing_mode as "billingMode", credit_limit as "creditLimit", status = 2 or is_overdue as suspended,
      cash, promo, outstanding, wallet_lines as "walletLines", debt_lines as "debtLines",
      balance_alert as "balanceAlert", balance_low_events as "balanceLowEvents", topup_events as "topupEvents"
    from wallets where partner_id = any(${partnerIds}) order by partner_id for no key update ${options.skipLocked ? sql`skip locked` : nothing}`);
  return new Map(rows.map((wallet) => [wallet.partnerId, wallet]));
}

const bookBalance = (wallet: Wallet, book: Movement['book']): Cents =>
  book === 'wallet' ? spendable(wallet) : wallet.outstanding;

/**
 * The only write path of money: appends the movements and their transfers and updates the locked wallets, in one statement. Throws
 * `NotEnoughMoney`, before anything is written, if cash or promo would fall below zero. Returns the wallets that have fallen below
 * their alert level, for the caller to report.
 *
 * Parts of the statement: `line` numbers the movements, `moved` inserts them, `carried` inserts their transfers, and the
 * update at the end brings the wallets to their new balances and line counts.
 */
export async function post(
  tx: Tx,
  wallets: ReadonlyMap<number, Wallet>,
  movements: readonly Movement[],
): Promise<readonly LowBalance[]> {
  if (movements.length === 0) return [];
  const before = [...new Set(movements.map(({ partnerId }) => partnerId))].flatMap((id) => {
    const wallet = wallets.get(id);
    return wallet ? [{ ...wallet }] : [];
  });
  const lines = movements.map((movement) => {
    const wallet = wallets.get(movement.partnerId);
    if (!wallet) throw new Error(`wallet ${movement.partnerId} is not locked`);
    const balance = bookBalance(wallet, movement.book);
    for (const transfer of movement.transfers) apply(wallet, transfer);
    if (wallet.cash < 0n || wallet.promo < 0n) throw new NotEnoughMoney(`wallet ${movement.partnerId}`);
    const after = bookBalance(wallet, movement.book);
    const number = movement.book === 'wallet' ? ++wallet.walletLines : ++wallet.debtLines;
    return { ...movement, amount: after - balance, after, number };
  });
  const transfers = lines.flatMap((line, n) =>
    line.transfers.map((transfer) => ({ ...transfer, n: n + 1, partnerId: line.partnerId })),
  );
  const touched = before.map(({ partnerId }) => wallets.get(partnerId) as Wallet);
  const low = before.flatMap((earlier, i) => fallenBelow(earlier, touched[i] as Wallet) ?? []);
  for (const { partnerId, n } of low) (wallets.get(partnerId) as Wallet).balanceLowEvents = n;
  await tx.run(sql`
    with line as materialized (
      select nextval('movements_id_seq') as id, line.*
      from unnest(
        ${lines.map((line) => line.partnerId)}::int[], ${lines.map((line) => line.book)}::text[],
        ${lines.map((line) => line.type)}::text[], ${lines.map((line) => line.amount)}::bigint[],
        ${lines.map((line) => line.after)}::bigint[], ${lines.map((line) => line.orderId ?? null)}::bigint[],
        ${lines.map((line) => line.note ?? '')}::text[], ${lines.map((line) => line.at)}::timestamptz[],
        ${lines.map((line) => line.number)}::bigint[]
      ) with ordinality as line (partner_id, book, type, amount, balance_after, order_id, note, at, line, n)
      order by n
    ), moved as (
      insert into movements (id, partner_id, book, type, amount, balance_after, order_id, note, at, line)
      overriding system value
      select id, partner_id, book, type, amount, balance_after, order_id, note, at, line.line from line order by n
    ), carried as (
      insert into transfers (movement_id, partner_id, debit, credit, amount)
      select line.id, transfer.partner_id, transfer.debit, transfer.credit, transfer.amount
      from unnest(
        ${transfers.map(({ n }) => n)}::int[], ${transfers.map(({ partnerId }) => partnerId)}::int[],
        ${transfers.map(({ debit }) => debit)}::text[], ${transfers.map(({ credit }) => credit)}::text[],
        ${transfers.map(({ amount }) => amount)}::bigint[]
      ) as transfer (n, partner_id, debit, credit, amount) join line using (n)
    )
    update wallets set cash = now.cash, promo = now.promo, outstanding = now.outstanding,
      wallet_lines = now.wallet_lines, debt_lines = now.debt_lines, balance_low_events = now.balance_low_events,
      topup_events = now.topup_events
    from unnest(
      ${touched.map((wallet) => wallet.partnerId)}::int[], ${touched.map((wallet) => wallet.cash)}::bigint[],
      ${touched.map((wallet) => wallet.promo)}::bigint[], ${touched.map((wallet) => wallet.outstanding)}::bigint[],
      ${touched.map((wallet) => wallet.walletLines)}::bigint[], ${touched.map((wallet) => wallet.debtLines)}::bigint[],
      ${touched.map((wallet) => wallet.balanceLowEvents)}::int[], ${touched.map((wallet) => wallet.topupEvents)}::int[]
    ) as now (partner_id, cash, promo, outstanding, wallet_lines, debt_lines, balance_low_events, topup_events)
    where wallets.partner_id = now.partner_id`);
  return low;
}

/**
 * Deletes the movements that `which` names. The database refuses it but for play money, and in the transaction that writes the row of an
 * archive, whose file has every line.
 */
export async function forgetMovements(tx: Tx, which: Sql): Promise<{ movements: number; transfers: number }> {
  const transfers = await tx.run(sql`
    delete from transfers where movement_id in (select id from movements where ${which})`);
  return { transfers, movements: await tx.run(sql`delete from movements where ${which}`) };
}

/** What the partner can spend: promo and cash. */
export async function readBalance(db: Queryable, partnerId: number): Promise<Cents> {
  const { balance } = await db.one<{ balance: bigint }>(sql`
    select cash + promo as balance from wallets where partner_id = ${partnerId}`);
  return toCents(balance);
}

/**
 * What orders left in either book, as two reads: charges have an index that allows one per order, the rest has another. `where`
 * names the order.
 */
export const movementsOf = (columns: Sql, where: Sql): Sql => sql`
  select ${columns} from movements where ${where} and type in ('purchase', 'charge')
  union all
  select ${columns} from movements where ${where} and order_id is not null and type not in ('purchase', 'charge')`;

/*
 * Who waits for a wallet, and with what.
 *
 * Everything that moves a partner's money locks the wallet before any other row of the partner's: before orders, refunds, top-ups
 * and shares. Transactions that take their locks in one order cannot deadlock.
 *
 * A transaction that waits for a lock keeps its connection. If every request of a partner waited like that, thirty of them would
 * hold all connections of the pool, and other partners would get none. So those that go through here wait for their turn first,
 * without a connection: of each partner one runs at a time. They would have run one after the other anyway, because of the lock.
 * Purchases have lanes of their own instead (domains/sales/purchase/charge-lanes.ts).
 */

interface Queue {
  readonly turn: Turns;
  users: number;
}

const queues = new WeakMap<Db, Map<number, Queue>>();

/**
 * A transaction about one partner's money: the work has to begin with `lockWallets`. The queue has no limit of its own; the callers
 * must have one.
 */
export async function walletTx<T>(db: Db, partnerId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  const ofDb = queues.get(db) ?? new Map<number, Queue>();
  queues.set(db, ofDb);
  const queue = ofDb.get(partnerId) ?? { turn: oneAtATime(), users: 0 };
  ofDb.set(partnerId, queue);
  queue.users++;
  try {
    return await queue.turn(() => db.tx(work));
  } finally {
    if (--queue.users === 0) ofDb.delete(partnerId);
  }
}

const oneAtATime = (): Turns =>
  bounded({ atOnce: 1, maxWaiting: Number.POSITIVE_INFINITY }, () => new Error('unreachable'));

/** Whether purchases are refused, as for a suspended account, until invoices are paid. The caller has locked the wallet. */
export async function setOverdue(tx: Tx, partnerId: number, isOverdue: boolean): Promise<void> {
  await tx.run(sql`update wallets set is_overdue = ${isOverdue} where partner_id = ${partnerId}`);
}

interface WalletTerms {
  readonly billingMode: Wallet['billingMode'];
  readonly creditLimit: Cents;
  readonly suspended: boolean;
  /** Since when it has terms of its own; null: it keeps those it has had. */
  readonly openedAt: Date | null;
}

/** A new partner's wallets, one in each world. On the owner's connection, like all of these. */
export async function openWallets(tx: Tx, partnerId: number, terms: Omit<WalletTerms, 'suspended'>): Promise<void> {
  await tx.run(sql`
    insert into live.wallets (partner_id, billing_mode, credit_limit, opened_at)
    values (${partnerId}, ${terms.billingMode}, ${terms.creditLimit}, ${terms.openedAt})`);
  await tx.run(sql`insert into sandbox.wallets (partner_id) values (${partnerId})`);
}

export async function setWalletTerms(tx: Tx, partnerId: number, terms: WalletTerms): Promise<void> {
  await tx.run(sql`
    update live.wallets set
      billing_mode = ${terms.billingMode}, credit_limit = ${terms.creditLimit}, status = ${terms.suspended ? 2 : 1},
      opened_at = coalesce(opened_at, ${terms.openedAt})
    where partner_id = ${partnerId}`);
}

/** A level above what the partner can spend now counts as crossed: the next fall below it is reported. */
export async function setBalanceAlert(tx: Tx, partnerId: number, level: Cents | null): Promise<void> {
  await tx.run(sql`update live.wallets set balance_alert = ${level} where partner_id = ${partnerId}`);
  await tx.run(sql`update sandbox.wallets set balance_alert = ${level} where partner_id = ${partnerId}`);
}

export interface LowBalance {
  readonly partnerId: number;
  readonly balance: Cents;
  readonly level: Cents;
  /** How often it has fallen below, this time included. */
  readonly n: number;
}

/** Undefined: what can be spent was below the level before, is not below it now, or there is no level. */
export function fallenBelow(before: Wallet, after: Wallet): LowBalance | undefined {
  const { partnerId, balanceAlert: level } = after;
  if (level === null) return undefined;
  const { available } = fundsOf(after);
  const balance = available(after);
  if (balance >= level || available(before) < level) return undefined;
  return { partnerId, balance, level, n: before.balanceLowEvents + 1 };
}

/** Counts an event `account.limit_reached` for each row of `marked`, as part of a statement; `total` is the number of the last. */
export const numberLimitEvents = (marked: Sql): Sql => sql`
  update wallets set limit_reached_events = limit_reached_events + counted.events
  from (select partner_id, count(*)::int as events from ${marked} group by partner_id) as counted
  where wallets.partner_id = counted.partner_id returning wallets.partner_id, limit_reached_events as total`;
