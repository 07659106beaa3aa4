import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { setSearchPath } from '../search-path.ts';
import type { Migration } from './migrations.ts';
import { statementsOf } from './table-locks.ts';

/**
 * Migrations that fill in rows of tables that may be big.
 *
 * In one statement that would hold its locks for as long as it takes to read the table. So such a migration is applied in two
 * steps. The first changes the schema, in a transaction with the locks that needs, and notes in `shared.backfills` that rows are to
 * follow. The second runs the file's data statement once for each small range of `key`, in a transaction each, and notes how far it
 * has come. After a kill, the next start continues from there; filling a range twice has the same result as once.
 *
 * The range becomes the first condition of the statement's first `where`, to which the others must be joined by `and`.
 */
const BACKFILLS: Readonly<Record<string, Walk>> = {
  '0140_secrets_in_answers.sql': { table: 'action_keys', key: 'id' },
  '0149_sold_iccids_of_earlier_orders.sql': { table: 'orders', key: 'id' },
};

/** Which table is processed, and by which indexed number. */
export interface Walk {
  readonly table: string;
  readonly key: string;
}

const BATCH_ROWS = 2_000;
/** Gives other work a turn. */
const PAUSE_MS = 10;

/** A range has few rows, whatever the statistics of a table that is being filled in say. */
const FEW_ROWS = ['seqscan', 'hashjoin', 'mergejoin'].map((plan) => `set local enable_${plan} = off`).join(';');

const DATA = /^(?:update|insert|delete|with)\b/;

export const backfillOf = ({ id }: Pick<Migration, 'id'>): Walk | undefined => BACKFILLS[id.slice(id.indexOf('/') + 1)];

/** The statements that change rows, and those that change the schema. */
export function splitData(text: string): { data: string[]; schema: string[] } {
  const statements = statementsOf(text);
  return {
    data: statements.filter((statement) => DATA.test(statement)),
    schema: statements.filter((statement) => !DATA.test(statement)),
  };
}

/** Goes on where the last run stopped. `attempt` runs a transaction, and again if it could not get a lock. */
export async function fillIn(
  client: pg.Client,
  migration: Migration,
  attempt: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { id, schema, text } = migration;
  const { table, key } = backfillOf(migration) as Walk;
  const { rows } = await client.query<{ done_to: string }>(
    'select done_to::text from shared.backfills where migration = $1',
    [id],
  );
  for (let from = rows[0]?.done_to; from !== undefined; await wait(PAUSE_MS)) {
    const { rows: found } = await client.query<{ to: string }>(
      `select ${key}::text as to from ${schema}.${table} where ${key} > $1 order by ${key} offset ${BATCH_ROWS - 1} limit 1`,
      [from],
    );
    const to = found[0]?.to;
    const range = `${key} > ${from}${to === undefined ? '' : ` and ${key} <= ${to}`}`;
    await attempt(async () => {
      await client.query(`${setSearchPath(schema, 'local')}; ${FEW_ROWS}`);
      for (const statement of splitData(text).data)
        await client.query(statement.replace(/\bwhere\b/, () => `where ${range} and`));
      if (to === undefined) await client.query('delete from shared.backfills where migration = $1', [id]);
      else await client.query('update shared.backfills set done_to = $2 where migration = $1', [id, to]);
    });
    from = to;
  }
}
