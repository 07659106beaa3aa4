import type { Outcome } from './flight.ts';
import type { Sql } from './sql.ts';

/** Something statements run on. Rows are plain objects; int8 is bigint, timestamptz is Date. */
export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
  /** Exactly one row; any other number is a bug and throws. */
  one<Row>(statement: Sql): Promise<Row>;
  maybe<Row>(statement: Sql): Promise<Row | undefined>;
  /** Number of rows the statement touched. */
  run(statement: Sql): Promise<number>;
}

/** The four kinds of query, over one function that runs statements. */
export function queries(run: (statement: Sql) => Promise<Outcome>): Queryable {
  const query = (statement: Sql) =>
    run(statement).catch((error) => {
      // A stack that leads to the caller instead of the socket the answer came on.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    });
  return {
    query: async <Row>(statement: Sql) => (await query(statement)).rows as Row[],
    async one<Row>(statement: Sql) {
      const { rows } = await query(statement);
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
      return rows[0] as Row;
    },
    maybe: async <Row>(statement: Sql) => (await query(statement)).rows[0] as Row | undefined,
    run: async (statement: Sql) => (await query(statement)).count,
  };
}
