import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { importCatalog } from '../../../src/domains/catalog/import/import-list.ts';
import type { DestinationEntry, PlanEntry } from '../../../src/domains/catalog/import-format/entries.ts';
import type { RawImport } from '../../../src/domains/catalog/import-format/file.ts';
import { type Db, openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { freshDatabase } from '../database/postgres.ts';
import { PATIENCE_MS } from '../eventually.ts';
import { type TestApp, type TestAppOptions, testApp } from '../program/app.ts';

/** A small world: two regions, four countries (one of them sold without a plan) and the globe. */
export const smallWorld: readonly DestinationEntry[] = [
  { code: 'europe', scope: 'regional', title: 'Europe', slug: 'europe', continent: 'Europe' },
  { code: 'asia', scope: 'regional', title: 'Asia', slug: 'asia', continent: 'Asia' },
  { code: 'global', scope: 'global', title: 'Global', slug: 'global' },
  { code: 'TR', scope: 'country', title: 'Türkiye', slug: 'turkiye', region: 'europe', continent: 'Asia' },
  { code: 'FR', scope: 'country', title: 'France', slug: 'france', region: 'europe', continent: 'Europe' },
  { code: 'JP', scope: 'country', title: 'Japan', slug: 'japan', region: 'asia', continent: 'Asia' },
  { code: 'NU', scope: 'country', title: 'Niue', slug: 'niue', continent: 'Oceania' },
];

let last = 0;

/** An entry of an import with nothing special about it but what the test says. */
export function entry(special: Partial<PlanEntry> = {}): PlanEntry {
  last += 1;
  return {
    code: `plan-${last}`,
    destination: 'TR',
    title: `Plan ${last}`,
    amount: 1024,
    day: 7,
    network_type: '4G',
    price: '10.00',
    cost: '4.000000',
    ...(special.amount === 0 ? { is_unlimited: true } : {}),
    ...special,
  };
}

const located = (what: unknown, i: number) => ({ entry: what, line: i + 1 });

export const batchOf = (
  plans: readonly PlanEntry[],
  special: Partial<RawImport> & { slug?: string } = {},
): RawImport => ({
  supplier: { slug: special.slug ?? 'aurora', title: 'Supplier', kind: 'simulated' },
  full: special.full ?? true,
  destinations: smallWorld.map(located),
  plans: plans.map(located),
});

export const testSign = (purpose: string, text: string): string =>
  createHmac('sha256', 'test').update(`${purpose}\n${text}`).digest('hex');

export const stock = (db: Db, batch: RawImport) => db.tx((tx) => importCatalog(tx, batch, testSign));

export interface StockedApp extends TestApp {
  readonly key1: string;
  readonly partner1: number;
  /** The public id of a plan, by its supplier's code. */
  alias(code: string): Promise<string>;
}

/** The whole program with these plans in its catalog from the start, and one partner with a live key. */
export async function stockedApp(
  batches: readonly PlanEntry[] | readonly RawImport[],
  options: TestAppOptions = {},
): Promise<StockedApp> {
  const database = await freshDatabase();
  const db = openDatabase({ url: database.url, name: 'stock', searchPath: 'shared' });
  const imports = batches.every((one) => 'plans' in one) ? batches : [batchOf(batches as PlanEntry[])];
  for (const batch of imports.length > 0 ? imports : [batchOf([])]) await stock(db, batch as RawImport);
  await db.close();
  const t = await testApp({ ...options, url: database.url });
  const partner1 = await t.partner();
  return {
    ...t,
    partner1,
    key1: await t.key(partner1),
    async alias(code) {
      const row = await t.base.db.one<{ alias: string }>(sql`select alias from plans where supplier_plan = ${code}`);
      return row.alias;
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}

/** Tries until it passes. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(20);
    }
  }
}
