import type pg from 'pg';
import { dropInvalid } from './index-build.ts';
import type { Migration } from './migrations.ts';
import { takeLocks } from './table-locks.ts';

/**
 * Migrations that turn a table that may be big into partitions by month, while servers write to it.
 *
 * No row is copied. The table becomes the partition of everything before some month, under a new parent that takes over its name.
 * PostgreSQL accepts that at once if the table already has the parent's indexes and a constraint that says where its rows end;
 * otherwise it would read the whole table while everybody waits. So both are made first, each step by itself:
 *
 *   1. the parent's key, as a unique index, built without blocking writers;
 *   2. `TABLE_until`, a check that rows are before the month after next. It is added without looking at the rows, for which a moment's
 *      lock suffices. Rows dated beyond it (by a wrong clock) move to what becomes the partition of all that no month takes;
 *   3. the check is validated, which reads the table without blocking anyone.
 *
 * Moves come after all other migrations, because an index of the table may still have to be built, and `concurrently` is not for
 * partitioned tables. Then the migration itself needs the table for a few milliseconds, like any other. Each step looks at what is there, so after a kill the
 * next run takes up the move where it stopped. Only the check must not be left for too long: from its month on it would refuse new
 * rows. It leaves a month at least, and a run that finds it with less than a week to go replaces it.
 */
const MOVES: Readonly<Record<string, Move>> = {
  '0128_request_log_by_month.sql': { table: 'request_log', key: 'partner_id, id, at' },
  '0128_supplier_calls_by_month.sql': { table: 'supplier_calls', key: 'id, at' },
};

/** Which table moves, and what becomes its key. Its rows are dated by `at`. */
interface Move {
  readonly table: string;
  readonly key: string;
}

/** Where rows beyond the limit are while a move is half-way. A backup leaves these tables out: no migration makes them by themselves. */
export const ASIDE: readonly string[] = Object.values(MOVES).map(({ table }) => `${table}_default`);

const UNTIL = `(date_trunc('month', now() at time zone 'utc') + interval '2 months') at time zone 'utc'`;

const moveOf = ({ id }: Pick<Migration, 'id'>): Move | undefined => MOVES[id.slice(id.indexOf('/') + 1)];

export const isMove = (migration: Migration): boolean => moveOf(migration) !== undefined;

/** `attempt` runs a transaction, and again if it could not get a lock. The caller holds the migration lock. */
export async function prepareMove(
  client: pg.Client,
  migration: Migration,
  lockTimeoutMs: number,
  attempt: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const move = moveOf(migration);
  if (!move) return;
  const { schema } = migration;
  const table = `${schema}.${move.table}`;
  const change = (...statements: string[]) =>
    attempt(async () => {
      const text = statements.join(';\n');
      await takeLocks(client, text, lockTimeoutMs);
      await client.query(text);
    });

  await dropInvalid(client, `${schema}.${move.table}_before_key`);
  await client.query(
    `create unique index concurrently if not exists ${move.table}_before_key on ${table} (${move.key})`,
  );

  const check = `${move.table}_until`;
  const found = async () =>
    (
      await client.query<{ until: string; lasts: boolean; proved: boolean }>(
        `select until, until::timestamptz > now() + interval '7 days' as lasts, convalidated as proved
        from pg_constraint, lateral (select substring(pg_get_constraintdef(oid) from '''(.+)''') as until) as limited
        where conrelid = $1::regclass and conname = $2`,
        [table, check],
      )
    ).rows[0];
  if (!(await found())?.lasts) {
    const { rows } = await client.query<{ until: string }>(`select (${UNTIL})::text as until`);
    await change(
      `alter table ${table} drop constraint if exists ${check}`,
      `alter table ${table} add constraint ${check} check (at < '${rows[0]?.until}') not valid`,
      `create table if not exists ${table}_default (like ${table} including constraints)
        with (autovacuum_vacuum_scale_factor = 0.05)`,
      `alter table ${table}_default drop constraint if exists ${check}`,
    );
  }
  const limit = await found();
  if (!limit || limit.proved) return;
  await client.query(`
    with beyond as (delete from ${table} where at >= '${limit.until}' returning *)
    insert into ${table}_default select * from beyond`);
  await change(`alter table ${table} validate constraint ${check}`);
}
