import type { Db, Queryable } from '../../../src/platform/db/database.ts';
import { raw, Sql } from '../../../src/platform/db/query/sql.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  /** One line per step that touches a table: how, which index, how many rows. */
  readonly steps: readonly string[];
  /** Rows read from tables in all, those thrown away included. */
  readonly rowsRead: number;
  readonly ms: number;
}

/** Runs what `work` asks, once for real inside a transaction of the caller's, as EXPLAIN ANALYZE; the last plan is returned. */
export async function explain(db: Queryable, work: (db: Queryable) => Promise<unknown>): Promise<Explained> {
  let found: Explained | undefined;
  const ask = async (statement: Sql): Promise<never[]> => {
    found = await planOf(db, statement);
    return [];
  };
  await work({
    query: ask,
    one: ask as never,
    maybe: ask as never,
    run: async (statement) => (await ask(statement)).length,
  });
  if (!found) throw new Error('nothing was asked');
  return found;
}

/**
 * The same for reads of several statements, where one depends on what another found: each is run as well, and all are added up.
 * They are planned as the program's own are, once for all values.
 */
export async function explainReads<T>(
  db: Db,
  work: (db: Queryable) => Promise<T>,
): Promise<Explained & { readonly result: T }> {
  const plans: Explained[] = [];
  const planned = async (statement: Sql): Promise<Sql> => {
    const { name, text, values } = statement.prepare();
    const given = values.length > 0 ? `(${values.map(written).join(', ')})` : '';
    await db.tx(async (tx) => {
      await tx.run(raw(`prepare "explained ${name}" as ${text}`));
      plans.push(await planOf(tx, raw(`execute "explained ${name}" ${given}`)));
      await tx.run(raw(`deallocate "explained ${name}"`));
    });
    return statement;
  };
  const result = await work({
    query: async (statement) => db.query(await planned(statement)),
    one: async (statement) => db.one(await planned(statement)),
    maybe: async (statement) => db.maybe(await planned(statement)),
    run: async (statement) => db.run(await planned(statement)),
  });
  return {
    result,
    steps: plans.flatMap(({ steps }) => steps),
    rowsRead: plans.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    ms: plans.reduce((sum, { ms }) => sum + ms, 0),
  };
}

async function planOf(db: Queryable, statement: Sql): Promise<Explained> {
  const [first = '', ...rest] = statement.strings;
  const explained = new Sql([`explain (analyze, format json) ${first}`, ...rest], statement.values);
  const row = await db.one<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>(explained);
  const [plan] = row['QUERY PLAN'];
  return summary(plan.Plan, plan['Execution Time']);
}

function summary(root: PlanNode, ms: number): Explained {
  const steps: string[] = [];
  let rowsRead = 0;
  const walk = (node: PlanNode) => {
    const relation = node['Relation Name'];
    if (relation && node['Node Type'] !== 'ModifyTable') {
      const rows = Math.round(node['Actual Rows'] * node['Actual Loops']);
      const removed = Math.round((node['Rows Removed by Filter'] ?? 0) * node['Actual Loops']);
      rowsRead += rows + removed;
      const index = node['Index Name'] ? ` using ${node['Index Name']}` : '';
      steps.push(`${node['Node Type']} ${relation}${index}: ${rows} rows in ${node['Actual Loops']} loops`);
    }
    node.Plans?.forEach(walk);
  };
  walk(root);
  return { steps, rowsRead, ms };
}

/** A value as SQL. Numbers in arrays need no quotes, and have none to escape. */
function written(value: unknown): string {
  if (value === null) return 'null';
  const text = Array.isArray(value)
    ? `{${value.map((one) => (typeof one === 'string' ? `"${one}"` : one)).join(',')}}`
    : value;
  return `'${text}'`;
}
