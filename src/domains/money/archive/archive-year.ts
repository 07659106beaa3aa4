import { join } from 'node:path';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { type ArchiveCounts, archiveName, headOf, writeArchive } from './archive-file.ts';
import { type ArchiveParts, endOf } from './parts.ts';
import { requireProved, takeOut } from './take-out.ts';

export interface ArchivedYear {
  readonly year: number;
  /** Null: a dry run, of all years up to this one. */
  readonly file: string | null;
  readonly bytes: number | null;
  /** Lines of the year, and how many of them left the database, with their transfers. */
  readonly movements: number;
  readonly taken: number;
  readonly transfers: number;
}

/** The years that are not archived yet, up to but without the one that is given. Refused if anything of them is still open. */
export async function yearsBefore(parts: ArchiveParts, before: number): Promise<number[]> {
  const { db, clock } = parts;
  if (endOf(before - 1).getTime() > clock.now()) throw new Refused('year_open', `${before - 1} is not over`);
  await requireFinished(db, parts, endOf(before - 1));
  const { first } = await db.one<{ first: number | null }>(sql`
    select coalesce((select max(year) + 1 from archives), (
      select extract(year from min(at) at time zone 'UTC')::int from movements))::int as first`);
  return first === null ? [] : Array.from({ length: Math.max(0, before - first) }, (_, i) => first + i);
}

/** Archives one year in a folder. The years before it are archived. */
export async function archiveYear(parts: ArchiveParts, year: number, folder: string): Promise<ArchivedYear> {
  const file = join(folder, archiveName(year));
  const { bytes, ...counts } = await parts.db.tx(async (tx) => {
    const chosen = await choose(tx, parts, year);
    return { bytes: await writeArchive(file, parts.vault, contentOf(tx, parts, year, chosen)), ...chosen };
  });
  await takeOut(parts, year, file);
  const { movements, taken, takenTransfers: transfers } = counts;
  return { year, file, bytes, movements, taken, transfers };
}

/** What archiving the years up to this one would take out, all together. Changes nothing. */
export async function countTo(parts: ArchiveParts, year: number): Promise<ArchivedYear> {
  const { movements, taken, takenTransfers: transfers } = await parts.db.tx((tx) => choose(tx, parts, year));
  return { year, file: null, bytes: null, movements, taken, transfers };
}

async function choose(tx: Tx, parts: ArchiveParts, year: number): Promise<ArchiveCounts> {
  await tx.run(sql`set transaction isolation level repeatable read`);
  await requireFinished(tx, parts, endOf(year));
  await requireProved(tx, parts, `before ${year} is archived`);
  return chooseLines(tx, parts, endOf(year));
}

/** Lists everything that is in the way at once. */
async function requireFinished(db: Queryable, { documents }: ArchiveParts, until: Date): Promise<void> {
  const open = await db.query<{ what: string; count: number }>(sql`
    select what, count from (
      select 'orders that are not delivered' as what, count(*)::int as count from orders
      where created_at < ${until} and (provision_due_at is not null or cancel_due_at is not null or status = 3)
      union all
      select 'refunds that are not decided', count(*)::int from refunds join orders on orders.id = refunds.order_id
      where refunds.status in ('requested', 'withdrawing') and orders.created_at < ${until}
      union all
      select 'movements that are not yet in the sums by month', count(*)::int from (
        select from movements where id > coalesce((select movements_to from ledger_by_month_progress), 0) and at < ${until}) late
      union all
      ${documents.open(until)}
    ) as matters where count > 0`);
  if (open.length === 0) return;
  const list = open.map(({ what, count }) => `${count} ${what}`).join(', ');
  throw new Refused('year_open', `not everything before ${until.toISOString().slice(0, 10)} is finished: ${list}`);
}

const isTaken = sql`(chosen.order_id is not null and m.type in ('purchase', 'charge', 'refund'))`;

/** The lines of the year, and those of earlier years that were kept then and can go now. */
const chosenLines = sql`
  movements m join archive_book book on book.partner_id = m.partner_id and book.book = m.book and m.line <= book.line
  left join archive_order chosen on chosen.order_id = m.order_id`;
const isChosen = sql`(m.line > book.after or ${isTaken})`;

/** Notes in two temporary tables where each book ends and which orders are finished. */
async function chooseLines(tx: Tx, { documents }: ArchiveParts, until: Date): Promise<ArchiveCounts> {
  await tx.run(sql`
    create temporary table archive_book on commit drop as
    select wallets.partner_id, kept.book, coalesce(earlier.line, 0) as after, coalesce(earlier.balance, 0) as opening, last.line,
      coalesce(ending.balance_after, earlier.balance, 0) as balance
    from wallets cross join lateral (values ('wallet', wallet_lines), ('debt', debt_lines)) kept (book, lines)
    left join archived_books earlier on earlier.partner_id = wallets.partner_id and earlier.book = kept.book
    cross join lateral (
      select coalesce((
        select next.line - 1 from movements next
        where next.partner_id = wallets.partner_id and next.book = kept.book and next.line > coalesce(earlier.line, 0) and next.at >= ${until}
        order by next.line limit 1), kept.lines) as line
    ) last
    left join movements ending on ending.partner_id = wallets.partner_id and ending.book = kept.book and ending.line = last.line
    where last.line > 0`);
  const closing = documents.closingOf(sql`m`);
  await tx.run(sql`
    create temporary table archive_order on commit drop as
    select m.order_id from movements m join orders on orders.id = m.order_id
    left join archive_book book on book.partner_id = m.partner_id and book.book = m.book
    where m.type in ('purchase', 'charge', 'refund') and orders.paid_at < ${until}
      and (orders.status = 1 and orders.refunded = 0 or orders.status = 2)
    group by m.order_id, orders.status, orders.sale_price
    having bool_and(m.line <= coalesce(book.line, 0)) and bool_and(coalesce(${documents.isBefore(closing, until)}, true))
      and coalesce(sum(abs(m.amount)) filter (where m.type <> 'refund'), 0) = orders.sale_price
      and coalesce(sum(abs(m.amount)) filter (where m.type = 'refund'), 0) = case orders.status when 2 then orders.sale_price else 0 end`);
  await tx.run(sql`create unique index on archive_order (order_id)`);
  await tx.run(sql`analyze archive_book`);
  await tx.run(sql`analyze archive_order`);
  return tx.one<ArchiveCounts>(sql`
    select count(*)::int as movements, count(*) filter (where ${isTaken})::int as taken,
      coalesce(sum(carried.transfers), 0)::int as transfers,
      coalesce(sum(carried.transfers) filter (where ${isTaken}), 0)::int as "takenTransfers"
    from ${chosenLines} cross join lateral (select count(*) as transfers from transfers where movement_id = m.id) carried
    where ${isChosen}`);
}

/** As the file has a line: written by the database, so that it is exact. */
const lineText = (
  closing: Sql,
): Sql => sql`json_build_object('partner', m.partner_id, 'book', m.book, 'line', m.line, 'id', m.id,
  'type', m.type, 'amount', m.amount, 'balance', m.balance_after, 'order', m.order_id, 'note', m.note,
  'at', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'taken', ${isTaken},
  'closing', case when ${isTaken} then ${closing} end,
  'transfers', coalesce((
    select json_agg(json_build_array(t.id, t.debit, t.credit, t.amount) order by t.id) from transfers t where t.movement_id = m.id), '[]'))::text`;

async function* contentOf(
  tx: Tx,
  { version, documents, progress }: ArchiveParts,
  year: number,
  counts: ArchiveCounts,
): AsyncGenerator<Buffer, ArchiveCounts> {
  const earlier = await tx.maybe<{ sha256: string }>(sql`select sha256 from archives where year = ${year - 1}`);
  const head = headOf({ year, until: endOf(year).toISOString(), version, previous: earlier?.sha256 ?? null });
  yield Buffer.from(`${JSON.stringify(head)}\n`);
  const books = await tx.query<{ text: string }>(sql`
    select json_build_object('partner', partner_id, 'book', book, 'after', after, 'opening', opening, 'to', line, 'balance', balance)::text
      as text from archive_book order by partner_id, book`);
  for (const { text } of books) yield Buffer.from(`${text}\n`);
  const closing = documents.closingOf(sql`m`);
  // One cursor, not a query for each page: each of those would join and sort all lines again.
  await tx.run(sql`
    declare archive_lines no scroll cursor for select ${lineText(closing)} as text from ${chosenLines} where ${isChosen}
    order by m.partner_id, m.book, m.line`);
  for (let done = 0; ; ) {
    const rows = await tx.query<{ text: string }>(sql`fetch 2000 from archive_lines`);
    if (rows.length === 0) return counts;
    done += rows.length;
    progress(`write ${year}`, done, counts.movements);
    yield Buffer.from(`${rows.map(({ text }) => text).join('\n')}\n`);
  }
}
