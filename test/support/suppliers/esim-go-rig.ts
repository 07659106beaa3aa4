import { after, before } from 'node:test';
import { type EsimGoParts, openEsimGo } from '../../../src/domains/supply/adapters/esim-go/esim-go.ts';
import type { SupplierOrder } from '../../../src/domains/supply/port/port.ts';
import { toMicros } from '../../../src/platform/amounts/cents.ts';
import { type Db, openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../src/platform/log.ts';
import { TestClock } from '../clock.ts';
import { freshDatabase } from '../database/postgres.ts';
import { record } from '../program/app.ts';
import { fakeEsimGo } from './fake-esim-go.ts';
import { ESIM_GO_ONE } from './fake-esim-go-bundles.ts';
import { orderForSupplier } from './order-for-supplier.ts';

/** One database for the tests of a file; each test begins with no orders in it. */
export function esimGoDatabase(): { readonly url: string; open(): Db } {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  before(async () => {
    database = await freshDatabase();
  });
  after(() => database.drop());
  return {
    get url() {
      return database.url;
    },
    open: () => openDatabase({ url: database.url, name: 'esim go', searchPath: 'shared', maxConnections: 3 }),
  };
}

/** The adapter against the fake, with a clock that both share. */
export async function openRig(database: { open(): Db }, special: Partial<EsimGoParts> & { key?: string } = {}) {
  const { key, ...more } = special;
  const clock = new TestClock();
  const fake = await fakeEsimGo(clock);
  const db = database.open();
  await db.run(sql`delete from esim_go_orders`);
  const logged: string[] = [];
  const log = createLog('debug', (line) => {
    logged.push(line);
    record('logs', line);
  });
  const settings = { ...fake.settings, ...(key && { key }) };
  const esimGo = openEsimGo(settings, { db, clock, log, perSecond: 1_000, pauseMs: 0, leastMs: 0, ...more });
  return {
    clock,
    fake,
    db,
    logged,
    supplier: esimGo.supplier('esim-go'),
    /** A second adapter on the same account and database. */
    other: () => openEsimGo(settings, { db, clock, log, perSecond: 1_000, pauseMs: 0, leastMs: 0, ...more }),
    /** Their numbers of our orders, by our references. */
    async known(reference: string): Promise<(string | null)[]> {
      const rows = await db.query<{ number: string | null }>(sql`
        select order_reference as number from esim_go_orders where reference like ${`${reference}-%`}`);
      return rows.map(({ number }) => number);
    },
    async [Symbol.asyncDispose]() {
      await esimGo.close();
      await db.close();
      await fake[Symbol.asyncDispose]();
    },
  };
}

export const goOrder = (clock: TestClock, special: Partial<SupplierOrder> = {}): SupplierOrder =>
  orderForSupplier(clock, { plan: ESIM_GO_ONE, cost: toMicros(2_280_000n), ...special });
