import { basename } from 'node:path';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { forgetMovements } from '../ledger/ledger.ts';
import { proveIn } from '../proof/proof.ts';
import { type ProvedArchive, proveArchive } from './archive-file.ts';
import { type ArchiveParts, endOf } from './parts.ts';

/** How long purchases may wait at the end; then nothing happened, and it can be run again. */
const LOCK_TIMEOUT = '5s';

/**
 * Deletes from the ledger what a file has taken, in one transaction that first proves the file, and last the ledger without it. Only rows
 * that are in the file, exactly as they are there, can go.
 */
export const takeOut = (parts: ArchiveParts, year: number, file: string): Promise<void> =>
  parts.db.tx(async (tx) => {
    const { floor } = await tx.one<{ floor: bigint }>(sql`
      select coalesce((select movements_to from ledger_by_month_progress), 0) as floor`);
    const proved = await load(tx, parts, file);
    await requireSame(tx, proved, file);
    await writeSums(tx, parts, year, file, proved);
    const gone = await forgetMovements(tx, sql`id in (select id from archive_taken)`);
    if (gone.movements !== proved.taken || gone.transfers !== proved.takenTransfers)
      throw new Error(`${gone.movements} movements were deleted instead of ${proved.taken}`);
    await requireProved(tx, parts, `once ${year} is archived`);
    await requireUntouched(tx, floor);
  });

async function load(tx: Tx, { vault, progress }: ArchiveParts, file: string): Promise<ProvedArchive> {
  await tx.run(sql`
    create temporary table archive_taken (
      id bigint primary key, partner_id integer, book text, line bigint, type text, amount bigint, balance_after bigint, order_id bigint,
      note text, at timestamptz, closing_id bigint, transfers jsonb
    ) on commit drop`);
  let done = 0;
  const proved = await proveArchive(file, vault, async (lines, texts) => {
    const taken = texts.filter((_, i) => lines[i]?.taken);
    await tx.run(sql`
      insert into archive_taken
      select (line ->> 'id')::bigint, (line ->> 'partner')::int, line ->> 'book', (line ->> 'line')::bigint, line ->> 'type',
        (line ->> 'amount')::bigint, (line ->> 'balance')::bigint, (line ->> 'order')::bigint, line ->> 'note',
        (line ->> 'at')::timestamptz, (line ->> 'closing')::bigint, line -> 'transfers'
      from unnest(${taken}::text[]::jsonb[]) as given (line)`);
    done += lines.length;
    progress('read back', done, done);
  });
  await tx.run(sql`create index on archive_taken (order_id)`);
  await tx.run(sql`analyze archive_taken`);
  return proved;
}

/** Movements are never changed, so this fails only if the file is of another database, or of another time. */
async function requireSame(tx: Tx, { taken, takenTransfers }: ProvedArchive, file: string): Promise<void> {
  const found = await tx.one<{ movements: number; transfers: number }>(sql`
    select (
      select count(*)::int from archive_taken line join movements m using (id)
      where (m.partner_id, m.book, m.line, m.type, m.amount, m.balance_after, m.order_id, m.note, m.at)
        = (line.partner_id, line.book, line.line, line.type, line.amount, line.balance_after, line.order_id, line.note, line.at)
    ) as movements, (
      select count(*)::int from archive_taken line cross join lateral jsonb_array_elements(line.transfers) given (entry)
      join transfers t on t.id = (entry ->> 0)::bigint and t.movement_id = line.id and t.partner_id = line.partner_id
        and t.debit = entry ->> 1 and t.credit = entry ->> 2 and t.amount = (entry ->> 3)::bigint
    ) as transfers`);
  if (found.movements !== taken || found.transfers !== takenTransfers)
    throw new Refused('not_an_archive', `${file} does not say what the database does; nothing was deleted`);
}

async function writeSums(
  tx: Tx,
  { documents }: ArchiveParts,
  year: number,
  file: string,
  { head, sha256, books, taken, takenTransfers }: ProvedArchive,
): Promise<void> {
  if (head.year !== year || head.until !== endOf(year).toISOString())
    throw new Refused('not_an_archive', `${file} is not of ${year}`);
  const until = endOf(year);
  await tx.run(sql`
    insert into archives (year, until, file, sha256, movements, transfers)
    values (${year}, ${until}, ${basename(file)}, ${sha256}, ${taken}, ${takenTransfers})`);
  await tx.run(sql`
    insert into archived_books as kept (partner_id, book, line, balance, until, taken)
    select given.*, ${until}::timestamptz, coalesce(taken.lines, 0)
    from unnest(
      ${books.map(({ partner }) => partner)}::int[], ${books.map(({ book }) => book)}::text[],
      ${books.map(({ to }) => BigInt(to))}::bigint[], ${books.map(({ balance }) => BigInt(balance))}::bigint[]
    ) as given (partner_id, book, line, balance)
    left join (select partner_id, book, count(*) as lines from archive_taken group by 1, 2) taken using (partner_id, book)
    on conflict (partner_id, book) do update set line = excluded.line, balance = excluded.balance, until = excluded.until,
      taken = kept.taken + excluded.taken`);
  await tx.run(sql`
    insert into archived_transfers as kept (partner_id, debit, credit, transfers, amount)
    select line.partner_id, entry ->> 1, entry ->> 2, count(*), sum((entry ->> 3)::bigint)
    from archive_taken line cross join lateral jsonb_array_elements(line.transfers) given (entry)
    group by 1, 2, 3
    on conflict (partner_id, debit, credit) do update
      set transfers = kept.transfers + excluded.transfers, amount = kept.amount + excluded.amount`);
  await tx.run(documents.keep(sql`select order_id, type, abs(amount) as amount, closing_id from archive_taken`));
}

export async function requireProved(tx: Tx, { derived, progress }: ArchiveParts, when: string): Promise<void> {
  const { drift } = await proveIn(tx, (done, total) => progress(`prove ${when}`, done, total), derived);
  if (drift.length === 0) return;
  const rules = drift.map(({ rule, rows }) => `${rule} (${rows})`).join('; ');
  throw new Refused('ledger_broken', `the ledger is not proved ${when}, so nothing was deleted: ${rules}`);
}

/**
 * Everything that moves money locks its wallet first. With all of them locked, nobody can be refunding an order that is taken; and whoever
 * waits for the lock sees, once this is committed, that the order is archived. It is held for the time of one look at the latest lines.
 */
async function requireUntouched(tx: Tx, floor: bigint): Promise<void> {
  await tx.run(sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`);
  await tx.run(sql`lock table wallets in exclusive mode`);
  const { touched } = await tx.one<{ touched: number }>(sql`
    select count(*)::int as touched from (
      select from movements m join archive_taken using (order_id)
      where m.id > ${floor} and m.type in ('purchase', 'charge', 'refund')
      union all
      select from refunds join archive_taken using (order_id) where refunds.status in ('requested', 'withdrawing')
    ) as late`);
  if (touched > 0)
    throw new Refused('year_open', 'an order of the year was refunded just now; nothing was deleted: run it again');
}
