import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importCatalog } from '../../../src/domains/catalog/import/import-list.ts';
import { iccidOf } from '../../../src/domains/supply/port/esim.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Base } from '../../../src/worlds/base.ts';
import { record, type TestApp } from '../program/app.ts';
import { run } from '../program/operator.ts';

export const PLAN = 'one-gb';
const HOST = 'smdp.depot.example';

/** Puts plans of the supplier `depot`, of kind stock, on sale; returns the first one's product id. */
export function stockPlans(base: Base, codes: readonly string[] = [PLAN]): Promise<string> {
  const terms = { destination: 'FR', amount: 1024, day: 7, network_type: '4G', price: '4.50', cost: '1.80' };
  const plans = codes.map((code, i) => ({ line: i + 1, entry: { code, title: `France 1 GB ${code}`, ...terms } }));
  const france = { code: 'FR', scope: 'country', title: 'France', slug: 'france' };
  return base.db.tx(async (tx) => {
    const supplier = { slug: 'depot', title: 'Depot', kind: 'stock' };
    const destinations = [{ line: 1, entry: france }];
    await importCatalog(tx, { supplier, full: true, destinations, plans }, base.vault.sign);
    const [code = ''] = codes;
    return (await tx.one<{ alias: string }>(sql`select alias from plans where supplier_plan = ${code}`)).alias;
  });
}

let last = 0;

export interface Item {
  readonly iccid: string;
  readonly activation_code: string;
  readonly [field: string]: string;
}

/** New items. Their codes are recorded: none may ever be logged. */
export function newItems(count: number, more: Readonly<Record<string, string>> = {}): Item[] {
  return Array.from({ length: count }, () => {
    last += 1;
    const secret = `K2-SECRET-${last}-OF-STOCK`;
    record('secrets', `${secret}\n`);
    return { iccid: iccidOf('8944999', last), activation_code: `LPA:1$${HOST}$${secret}`, ...more };
  });
}

export const csvOf = (items: readonly Item[]): string => {
  const names = Object.keys(items[0] ?? {});
  return [names, ...items.map((item) => names.map((name) => item[name]))].map((row) => row.join(',')).join('\n');
};

/** Writes the text to a file and imports that, as an operator does. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command answers.
export async function importText(t: Pick<TestApp, 'operator'>, text: string, more = '', plan = PLAN): Promise<any> {
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-stock-'));
  try {
    const file = join(folder, 'items');
    await writeFile(file, text);
    return await run(t.operator(), `stock import ${file} --supplier depot --plan ${plan}${more}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
