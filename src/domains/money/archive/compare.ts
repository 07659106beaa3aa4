import { Refused } from '../../../platform/contract/refused.ts';
import type { Db } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Drift } from '../proof/proof.ts';
import { type ProvedArchive, proveArchive } from './archive-file.ts';
import type { ArchiveParts } from './parts.ts';

const EXAMPLES = 5;

type Note = (rule: string, examples: readonly string[]) => void;

interface ReadArchive extends ProvedArchive {
  readonly file: string;
}

export interface ComparedArchives {
  readonly years: readonly number[];
  /** How many lines were taken out of the database. */
  readonly movements: number;
  /** Empty: the files and the database say the same. */
  readonly drift: readonly Drift[];
}

/**
 * Holds the files of the archived years against each other and against the database: none is missing or changed, each begins where the
 * one before ended, what was taken is gone, what was kept is as it was, and the sums in the database are those of the files.
 */
export async function compareArchives(
  { db, vault }: Pick<ArchiveParts, 'db' | 'vault'>,
  files: readonly string[],
): Promise<ComparedArchives> {
  const found = new Map<string, readonly string[]>();
  const note: Note = (rule, examples) => {
    if (examples.length > 0) found.set(rule, [...(found.get(rule) ?? []), ...examples]);
  };
  const read: ReadArchive[] = [];
  for (const file of files)
    try {
      read.push({ file, ...(await proveArchive(file, vault)) });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      note('every file is whole and signed', [error.message]);
    }
  read.sort((one, other) => one.head.year - other.head.year);
  const isComplete = await compareYears(db, read, note);
  if (isComplete) {
    await compareSums(db, read, note);
    // Kept when their own year was archived, because their orders were not finished then.
    const takenLater = read.flatMap((archive) => archive.takenLate);
    for (const { file } of read)
      await proveArchive(file, vault, async (_, texts) =>
        note(
          'every line that was kept is as its file says, and no other is left',
          await wrongLines(db, texts, takenLater),
        ),
      );
  }
  return {
    years: read.map(({ head }) => head.year),
    movements: read.reduce((sum, { taken }) => sum + taken, 0),
    drift: [...found].map(([rule, all]) => ({ rule, rows: all.length, examples: all.slice(0, EXAMPLES) })),
  };
}

/** Whether every archived year is there with the file it was archived in. */
async function compareYears(db: Db, read: readonly ReadArchive[], note: Note): Promise<boolean> {
  const archived = await db.query<{ year: number; file: string; sha256: string }>(sql`
    select year, file, sha256 from archives order by year`);
  const missing = archived.filter(({ year }) => !read.some(({ head }) => head.year === year));
  note(
    'every archived year has its file',
    missing.map(({ year, file }) => `${year}: ${file}`),
  );
  const others = read.filter(
    ({ head, sha256 }) => !archived.some(({ year, sha256: known }) => year === head.year && known === sha256),
  );
  note(
    'every file is the one its year was archived in',
    others.map(({ file }) => file),
  );
  for (const [i, { head, file, books }] of read.entries()) {
    const before = read[i - 1];
    if (!before || before.head.year !== head.year - 1) continue;
    const ends = new Map(before.books.map((book) => [`${book.partner} ${book.book}`, book]));
    const broken = books.filter(({ partner, book, after, opening }) => {
      const end = ends.get(`${partner} ${book}`);
      return after !== (end?.to ?? 0) || opening !== (end?.balance ?? 0);
    });
    note('every year begins where the year before ended', [
      ...(head.previous === before.sha256 ? [] : [file]),
      ...broken.map(({ partner, book }) => `${head.year}: the ${book} of partner ${partner}`),
    ]);
  }
  return missing.length + others.length === 0 && new Set(read.map(({ head }) => head.year)).size === read.length;
}

async function compareSums(db: Db, read: readonly ReadArchive[], note: Note): Promise<void> {
  const sums = new Map<string, { transfers: number; amount: bigint }>();
  for (const archive of read)
    for (const [key, { transfers, amount }] of archive.sums) {
      const sum = sums.get(key) ?? { transfers: 0, amount: 0n };
      sums.set(key, { transfers: sum.transfers + transfers, amount: sum.amount + amount });
    }
  const kept = await db.query<{ key: string; transfers: bigint; amount: bigint }>(sql`
    select concat_ws(' ', partner_id, debit, credit) as key, transfers, amount from archived_transfers`);
  const shown = (key: string, of: { transfers: number | bigint; amount: bigint } | undefined) =>
    `${key}: ${of?.amount ?? 0n} in ${of?.transfers ?? 0}`;
  const inDatabase = new Set(kept.map((sum) => shown(sum.key, sum)));
  const inFiles = new Set([...sums].map(([key, sum]) => shown(key, sum)));
  note('the archived sums are those of the files', [...inDatabase.symmetricDifference(inFiles)]);
  const last = read.at(-1)?.books ?? [];
  const wrong = await db.query<{ named: string }>(sql`
    select concat_ws(' ', partner_id, book) as named from archived_books full join unnest(
      ${last.map(({ partner }) => partner)}::int[], ${last.map(({ book }) => book)}::text[],
      ${last.map(({ to }) => BigInt(to))}::bigint[], ${last.map(({ balance }) => BigInt(balance))}::bigint[]
    ) as given (partner_id, book, line, balance) using (partner_id, book)
    where (archived_books.line, archived_books.balance) is distinct from (given.line, given.balance)`);
  note(
    'the archived balances are those of the files',
    wrong.map(({ named }) => named),
  );
}

/** Lines of a file that are not in the database as they should be: kept ones must be the same, taken ones must be gone. */
async function wrongLines(db: Db, texts: readonly string[], takenLater: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ named: string }>(sql`
    select concat('line ', entry ->> 'line', ' of the ', entry ->> 'book', ' of partner ', entry ->> 'partner') as named
    from unnest(${texts}::text[]::jsonb[]) as given (entry)
    left join movements m on m.id = (entry ->> 'id')::bigint
    where case when (entry ->> 'taken')::boolean or (entry ->> 'id')::bigint = any(${takenLater.map(BigInt)}::bigint[]) then m.id is not null
      else (m.partner_id, m.book, m.line, m.type, m.amount, m.balance_after, m.note, m.at) is distinct from
          ((entry ->> 'partner')::int, entry ->> 'book', (entry ->> 'line')::bigint, entry ->> 'type', (entry ->> 'amount')::bigint,
          (entry ->> 'balance')::bigint, entry ->> 'note', (entry ->> 'at')::timestamptz)
        or m.order_id is distinct from (entry ->> 'order')::bigint
        or entry -> 'transfers' is distinct from (
          select coalesce(jsonb_agg(jsonb_build_array(t.id, t.debit, t.credit, t.amount) order by t.id), '[]') from transfers t
          where t.movement_id = m.id) end`);
  return rows.map(({ named }) => named);
}
