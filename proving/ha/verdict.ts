import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { supplierReferenceOf } from '../../src/domains/sales/orders/attempts.ts';
import type { Acknowledged } from './buyers.ts';

const run = promisify(execFile);
const DELIVERY_MS = 180_000;
const CHECKOUT = join(import.meta.dirname, '../..');

export interface Verdict {
  readonly orders: number;
  readonly lost: number;
  readonly boughtTwice: number;
  /** Each as a sentence; none: it is proved. */
  readonly wrong: readonly string[];
}

interface Order {
  readonly id: string;
  readonly key: string;
  readonly status: number;
  readonly price: string;
  readonly charges: number;
  readonly charged: string | null;
}

/** Whether the answers to the clients, the database, the ledger and the supplier agree on every purchase. */
export async function judge(
  acknowledged: readonly Acknowledged[],
  env: NodeJS.ProcessEnv,
  supplierUrl: string,
): Promise<Verdict> {
  const url = env.DATABASE_URL as string;
  const wrong: string[] = [];
  const open = await undelivered(url);
  if (open > 0) wrong.push(`${open} paid orders are not delivered`);
  const orders = await ask<Order>(
    url,
    `select orders.id::text, idempotency_key as key, status, sale_price::text as price, count(movements.id)::int as charges,
       sum(-amount)::text as charged
     from live.orders left join live.movements on order_id = orders.id group by orders.id`,
  );
  const byKey = Map.groupBy(orders, ({ key }) => key);
  const told = Map.groupBy(acknowledged, ({ key }) => key);
  const lost = acknowledged.filter(({ key, orderId }) => !byKey.get(key)?.some(({ id }) => id === orderId));
  if (lost.length > 0)
    wrong.push(`${lost.length} acknowledged purchases are lost: ${some(lost.map(({ key }) => key))}`);
  const twice = [...byKey].filter(([, made]) => made.length > 1).map(([key]) => key);
  const unasked = orders.filter(({ key }) => !told.has(key)).map(({ key }) => key);
  if (unasked.length > 0) wrong.push(`${unasked.length} orders were never acknowledged: ${some(unasked)}`);
  const miscounted = orders.filter(({ charges, charged, price }) => charges !== 1 || charged !== price);
  if (miscounted.length > 0)
    wrong.push(`${miscounted.length} orders are not charged once: ${some(miscounted.map(({ id }) => id))}`);

  const supplied = new Set(
    (await ask<{ reference: string }>(supplierUrl, 'select reference from simulated.orders')).map(
      (row) => row.reference,
    ),
  );
  const expected = new Set(orders.map(({ id }) => supplierReferenceOf({ schema: 'live' }, BigInt(id))));
  const extra = [...supplied.difference(expected)];
  const missing = [...expected.difference(supplied)];
  if (extra.length > 0) wrong.push(`the supplier has ${extra.length} orders that are not ours: ${some(extra)}`);
  if (missing.length > 0) wrong.push(`${missing.length} orders are missing at the supplier: ${some(missing)}`);
  const boughtTwice = twice.length + extra.length;
  if (twice.length > 0) wrong.push(`${twice.length} purchases have several orders: ${some(twice)}`);

  const audit = await auditOf(env);
  if (audit) wrong.push(audit);
  return { orders: orders.length, lost: lost.length, boughtTwice, wrong };
}

/** Undefined: the ledger is proved. */
export const auditOf = (env: NodeJS.ProcessEnv): Promise<string | undefined> =>
  run(process.execPath, ['src/main.ts', 'audit'], { cwd: CHECKOUT, env: { ...process.env, ...env } }).then(
    () => undefined,
    (error) => `the ledger is not proved: ${error.message}\n${error.stdout ?? ''}`,
  );

/** Waits for the jobs to deliver interrupted orders. */
async function undelivered(url: string): Promise<number> {
  for (const end = performance.now() + DELIVERY_MS; ; await wait(1_000)) {
    const [row] = await ask<{ open: number }>(url, 'select count(*)::int as open from live.orders where status <> 1');
    if (row?.open === 0 || performance.now() > end) return row?.open ?? -1;
  }
}

async function ask<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(statement).finally(() => client.end())).rows;
}

const some = (list: readonly string[]): string => list.slice(0, 5).join(', ');
