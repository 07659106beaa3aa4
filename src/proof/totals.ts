import { DAY } from '../clock.ts';
import type { Tx } from '../db/database.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import type { Drift } from './passes.ts';

/*
 * Everything that was ever written, in sums: a row of the ledger that was changed, removed or inserted shows here, however old it is.
 * Only a change that leaves the sums alone needs the rules of `passes.ts`.
 *
 * A whole proof adds up all rows, block by block: rows whose ids are of the same 250,000. It keeps the sums of blocks to which no row
 * can be added any more (`proved_blocks`). A proof of what is new adds to those only what came after them, and a few of the blocks,
 * read again: other ones every day. So it takes as long with a hundred million orders as with one, and still looks at every row once
 * in a while. While there are no more blocks than that, it looks at all of them every time. Where accounts can be
 * reset, which takes rows out of blocks, nothing is kept.
 */

const BLOCK = 250_000n;
const READ_AGAIN = 4n;

interface Sums {
  readonly movements: bigint;
  readonly inWallets: bigint;
  readonly inDebts: bigint;
  readonly transfers: bigint;
  readonly revenue: bigint;
  /** What transfers did to cash, promo money and debts. */
  readonly cash: bigint;
  readonly promo: bigint;
  readonly outstanding: bigint;
}

interface Block extends Sums {
  readonly block: bigint;
}

export interface Totals {
  readonly figures: Readonly<Record<string, bigint>>;
  readonly drift: readonly Drift[];
  /** Of all rows. Undefined: some were not read. */
  readonly blocks: readonly Block[] | undefined;
}

/** Of everything. */
export async function readTotals(tx: Tx): Promise<Totals> {
  const blocks = await readBlocks(tx, 0n);
  const { orders } = await tx.one<{ orders: bigint }>(sql`select count(*) as orders from orders`);
  return { ...(await compared(tx, blocks, orders)), blocks };
}

/** From what was kept, what came after it, and the blocks whose turn it is on this day. Without a time it is the database's. */
export async function readNewTotals(tx: Tx, given?: Date): Promise<Totals> {
  const from = await tx.one<{ at: Date; blocksTo: bigint | null; counted: bigint; countedTo: bigint }>(sql`
    select coalesce(${given ?? null}::timestamptz, now()) as at, blocks_to as "blocksTo", coalesce(orders_counted, 0) as counted, coalesce(orders_counted_to, 0) as "countedTo"
    from proof_checkpoints`);
  const { at, blocksTo, counted, countedTo } = from;
  if (blocksTo === null) return readTotals(tx);
  const again = turnOf(blocksTo, at);
  const kept = await tx.query<Block>(sql`
    select block, movements, in_wallets as "inWallets", in_debts as "inDebts", transfers, revenue, cash, promo, outstanding
    from proved_blocks where block < ${blocksTo} and block <> all(${again}::bigint[])`);
  const read = [await readBlocks(tx, blocksTo)];
  for (const block of again) read.push(await readBlocks(tx, block, block + 1n));
  const { more } = await tx.one<{ more: bigint }>(sql`select count(*) as more from orders where id > ${countedTo}`);
  return { ...(await compared(tx, [...kept, ...read.flat()], counted + more)), blocks: undefined };
}

/**
 * Keeps the sums of a whole proof without findings, after its checkpoint and in the same transaction, unless this role may take rows away
 * again.
 */
export async function keepTotals(tx: Tx, { blocks = [], figures: { orders } }: Totals): Promise<void> {
  const kept = await tx.maybe<{ blocksTo: bigint }>(sql`
    update proof_checkpoints set blocks_to = movements_to / ${BLOCK}::bigint, orders_counted_to = orders_to,
      orders_counted = ${orders ?? 0n}::bigint - (select count(*) from orders where id > orders_to)
    where not has_table_privilege('movements', 'delete')
    returning blocks_to as "blocksTo"`);
  if (!kept) return;
  const { blocksTo } = kept;
  const done = blocks.filter(({ block }) => block < blocksTo);
  const column = (name: keyof Block): Sql => sql`${done.map((one) => one[name])}::bigint[]`;
  await tx.run(sql`
    insert into proved_blocks (block, movements, in_wallets, in_debts, transfers, revenue, cash, promo, outstanding)
    select * from unnest(${column('block')}, ${column('movements')}, ${column('inWallets')}, ${column('inDebts')},
      ${column('transfers')}, ${column('revenue')}, ${column('cash')}, ${column('promo')}, ${column('outstanding')})
    on conflict (block) do update set movements = excluded.movements, in_wallets = excluded.in_wallets, in_debts = excluded.in_debts,
      transfers = excluded.transfers, revenue = excluded.revenue, cash = excluded.cash, promo = excluded.promo,
      outstanding = excluded.outstanding`);
}

/** Blocks that follow each other, and go on the next day where these end. */
function turnOf(blocks: bigint, at: Date): bigint[] {
  const day = BigInt(Math.floor(at.getTime() / DAY));
  const turn = blocks < READ_AGAIN ? blocks : READ_AGAIN;
  return Array.from({ length: Number(turn) }, (_, i) => (day * turn + BigInt(i)) % blocks);
}

/** The sums of the blocks from one on, up to another. A transfer is in the block of its movement. */
function readBlocks(tx: Tx, from: bigint, to?: bigint): Promise<Block[]> {
  // In the text, not as parameters: with the values the planner can choose between reading a part of a table and all of it.
  const end = (block: bigint): Sql => raw(String(block * BLOCK));
  const within = (id: Sql): Sql =>
    to === undefined ? sql`${id} > ${end(from)}` : sql`${id} > ${end(from)} and ${id} <= ${end(to)}`;
  const net = (plus: Sql, minus: Sql): Sql => sql`
    (coalesce(sum(amount) filter (where ${plus}), 0) - coalesce(sum(amount) filter (where ${minus}), 0))::bigint`;
  const zero = (name: Sql): Sql => sql`coalesce(${name}, 0)::bigint`;
  return tx.query(sql`
    select block::bigint as block, ${zero(sql`movements`)} as movements, ${zero(sql`"inWallets"`)} as "inWallets", ${zero(sql`"inDebts"`)} as "inDebts",
      ${zero(sql`transfers`)} as transfers, ${zero(sql`revenue`)} as revenue, ${zero(sql`cash`)} as cash, ${zero(sql`promo`)} as promo,
      ${zero(sql`outstanding`)} as outstanding
    from (
      select (id - 1) / ${end(1n)} as block, count(*) as movements,
        sum(amount) filter (where book = 'wallet') as "inWallets", sum(amount) filter (where book = 'debt') as "inDebts"
      from movements where ${within(sql`id`)} group by 1
    ) m full join (
      select (movement_id - 1) / ${end(1n)} as block, count(*) as transfers,
        ${net(sql`credit = 'revenue'`, sql`debit = 'revenue'`)} as revenue,
        ${net(sql`credit = 'cash'`, sql`debit = 'cash'`)} as cash,
        ${net(sql`credit = 'promo'`, sql`debit = 'promo'`)} as promo,
        ${net(sql`debit = 'receivable'`, sql`credit = 'receivable'`)} as outstanding
      from transfers where ${within(sql`movement_id`)} group by 1
    ) t using (block)`);
}

/** All blocks together against all wallets. */
async function compared(tx: Tx, blocks: readonly Sums[], orders: bigint): Promise<Pick<Totals, 'figures' | 'drift'>> {
  const { lines, ...wallets } = await tx.one<
    Record<'wallets' | 'cash' | 'promo' | 'outstanding' | 'lines', bigint>
  >(sql`
    select count(*) as wallets, coalesce(sum(cash), 0)::bigint as cash, coalesce(sum(promo), 0)::bigint as promo,
      coalesce(sum(outstanding), 0)::bigint as outstanding, coalesce(sum(wallet_lines + debt_lines), 0)::bigint as lines
    from wallets`);
  const all = (name: keyof Sums): bigint => blocks.reduce((sum, block) => sum + block[name], 0n);
  const { cash, promo, outstanding } = wallets;
  const movements = all('movements');
  const differences = Object.entries({
    movements: [movements, lines],
    'movements of wallets': [all('inWallets'), cash + promo],
    'movements of debts': [all('inDebts'), outstanding],
    'transfers of cash': [all('cash'), cash],
    'transfers of promo': [all('promo'), promo],
    'transfers of debts': [all('outstanding'), outstanding],
  }).flatMap(([name, [found, due]]) => (found === due ? [] : [`${name}: ${found} instead of ${due}`]));
  const rule = 'all movements and all transfers add up to all wallets';
  return {
    figures: {
      ...{ wallets: wallets.wallets, orders, movements, transfers: all('transfers') },
      ...{ cash, promo, outstanding, revenue: all('revenue') },
    },
    drift: differences.length === 0 ? [] : [{ rule, rows: differences.length, examples: differences }],
  };
}
