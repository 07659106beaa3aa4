import type { Queryable } from '../../../src/platform/db/database.ts';
import { type Sql, sql } from '../../../src/platform/db/query/sql.ts';

/** Runs nothing: every statement sent through it is explained, and its plan kept as text. */
export function explaining(db: Queryable): { db: Queryable; plans: string[] } {
  const plans: string[] = [];
  const explain = async (statement: Sql) => {
    const rows = await db.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    return [];
  };
  return {
    plans,
    db: {
      query: explain as Queryable['query'],
      one: explain as unknown as Queryable['one'],
      maybe: async (statement) => void (await explain(statement)),
      run: async (statement) => (await explain(statement)).length,
    },
  };
}
