import type pg from 'pg';

/**
 * The locks of a migration, taken before its first statement.
 *
 * A migration that locks one table after the other, as its statements come, holds the first while it waits for the second. If a
 * purchase holds the second and waits for the first, PostgreSQL ends one of them, and that may be the purchase. So the locks are
 * read off the text, each table in the strongest mode it will need, and taken in the order in which purchases take them.
 *
 * While a migration waits for a table, everything that comes after it waits too, so it must not wait long (`lockTimeoutMs`).
 * That limit is shorter than PostgreSQL's `deadlock_timeout`, hence should the order ever differ, it is the migration that gives up.
 *
 * Autovacuum is the exception: it may hold a table for many minutes, and PostgreSQL stops it for us only if we wait longer than
 * `deadlock_timeout`. So we first wait for a mode that keeps autovacuum out and lets purchases through, with time to spare.
 */
const MODES = ['row exclusive', 'share update exclusive', 'share row exclusive', 'access exclusive'] as const;
type Mode = (typeof MODES)[number];

/**
 * The tables of a world in the order in which a purchase locks them. Others follow by name. A purchase without idempotency key locks
 * `orders` after its events; it waits for `wallets` first, like any other.
 */
export const PURCHASE_ORDER = [
  'wallets',
  'orders',
  'webhook_subscriptions',
  'webhook_deliveries',
  'webhook_queue',
  'movements',
  'transfers',
] as const;

const KEEPS_AUTOVACUUM_OUT: Mode = 'share update exclusive';
/** Longer than `deadlock_timeout`, which is a second by default. */
const AUTOVACUUM_LIMIT_MS = 5_000;

/** What takes a lock on a table (or on an index, and so on its table) that may exist before. */
const LOCKING: readonly (readonly [RegExp, Mode])[] = [
  [/^alter table (?:if exists )?(?:only )?([\w.]+) set \(/g, 'share update exclusive'],
  [/^alter table (?:if exists )?(?:only )?([\w.]+) validate constraint /g, 'share update exclusive'],
  [/^alter table (?:if exists )?(?:only )?([\w.]+)(?! set \(| validate )\s/g, 'access exclusive'],
  [/^(?:drop table|drop index|truncate)(?: if exists)? ([\w.]+)/g, 'access exclusive'],
  [/^drop trigger .* on ([\w.]+)/g, 'access exclusive'],
  [/^create (?:or replace )?(?:constraint )?trigger .*? on ([\w.]+)/g, 'share row exclusive'],
  [/^create (?:unique )?index .*? on (?:only )?([\w.]+)/g, 'share row exclusive'],
  [/\breferences ([\w.]+)/g, 'share row exclusive'],
  [/\b(?:update|insert into|delete from) (?!on\b|of\b|or\b)([\w.]+)/g, 'row exclusive'],
];

interface TableLock {
  readonly table: string;
  readonly mode: Mode;
}

/** The locks that these statements will take on tables there are, and on names that may turn out to be none. */
export function locksOf(text: string): TableLock[] {
  const strongest = new Map<string, Mode>();
  for (const statement of statementsOf(text)) {
    const flat = statement.replaceAll(/\s+/g, ' ');
    // What a function or a rule of the table does, it does later.
    if (/^create (?:or replace )?function /.test(flat)) continue;
    for (const [form, mode] of LOCKING)
      for (const [, table] of flat.matchAll(form)) {
        const before = strongest.get(table as string);
        if (before === undefined || MODES.indexOf(before) < MODES.indexOf(mode)) strongest.set(table as string, mode);
      }
  }
  return [...strongest].map(([table, mode]) => ({ table, mode }));
}

/** In the migration's transaction, with its search path set. */
export async function takeLocks(client: pg.Client, text: string, lockTimeoutMs: number): Promise<void> {
  const locks = await existing(client, locksOf(text));
  const lock = ({ table }: TableLock, mode: Mode) => `lock table ${table} in ${mode} mode`;
  const strong = locks.filter(({ mode }) => MODES.indexOf(mode) >= MODES.indexOf(KEEPS_AUTOVACUUM_OUT));
  await client.query(
    [
      `set local lock_timeout = ${AUTOVACUUM_LIMIT_MS}`,
      ...strong.map((one) => lock(one, KEEPS_AUTOVACUUM_OUT)),
      `set local lock_timeout = ${lockTimeoutMs}`,
      ...locks.map((one) => lock(one, one.mode)),
    ].join(';'),
  );
}

/** Those on tables that exist, by their full names and in the order to take them. */
async function existing(client: pg.Client, locks: readonly TableLock[]): Promise<TableLock[]> {
  const { rows } = await client.query<TableLock>(
    `select format('%I.%I', n.nspname, t.relname) as table, wanted.mode
    from unnest($1::text[], $2::text[]) as wanted (name, mode)
      join pg_class c on c.oid = to_regclass(wanted.name)
      left join pg_index i on i.indexrelid = c.oid
      join pg_class t on t.oid = coalesce(i.indrelid, c.oid) and t.relkind in ('r', 'p')
      join pg_namespace n on n.oid = t.relnamespace
    order by array_position($3::text[], t.relname::text), n.nspname, t.relname, array_position($4::text[], wanted.mode) desc`,
    [locks.map(({ table }) => table), locks.map(({ mode }) => mode), PURCHASE_ORDER, MODES],
  );
  // A table that is named twice, as itself and by an index of its: the stronger lock comes first.
  return rows.filter((row, i) => rows[i - 1]?.table !== row.table);
}

/** Comments, quoted texts and names, dollar-quoted bodies, ends of statements, and all the rest. */
const PIECE = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^-'"$;]+|[\s\S]/g;

/** The statements of an SQL text, without their comments and semicolons. */
export function statementsOf(text: string): string[] {
  const statements = [''];
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece === ';') statements.push('');
    else if (!piece.startsWith('--')) statements.push(statements.pop() + piece);
  }
  return statements.map((statement) => statement.trim()).filter(Boolean);
}
