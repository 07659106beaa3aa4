import { openSimulated } from '../../../src/domains/supply/adapters/simulated/simulated.ts';
import {
  DELAY_MS,
  iccidOfOrder,
  setBehaviour,
  setUsage,
} from '../../../src/domains/supply/adapters/simulated/store.ts';
import type { Supplier } from '../../../src/domains/supply/port/port.ts';
import { type Db, openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { SupplierRig } from '../../suites/supplier.ts';
import { TestClock } from '../clock.ts';
import { freshDatabase } from '../database/postgres.ts';
import { startSimulatedService } from './simulated-server.ts';

export interface SimulatedRig extends SupplierRig {
  readonly clock: TestClock;
  readonly db: Db;
  as(slug: string): Supplier;
  /** What the operator's command sets; undefined: there is no such eSIM. */
  set(iccid: string, usage: { usedMb: number; totalMb?: number; expiresAt?: Date }): ReturnType<typeof setUsage>;
  restart(): Promise<void>;
}

/** The simulated supplier's service on a database of its own, as the supplier `aurora`. */
export async function simulatedRig(): Promise<SimulatedRig> {
  const undo = new AsyncDisposableStack();
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const db = openDatabase({ url: database.url, name: 'test', searchPath: 'simulated' });
  undo.defer(() => db.close());
  const clock = new TestClock();
  const start = (port?: number) =>
    startSimulatedService(db, { now: () => clock.now(), ...(port === undefined ? {} : { port }) });
  let service = await start();
  undo.defer(() => service.close());
  const client = openSimulated(service.url);
  undo.defer(() => client.close());
  const set: SimulatedRig['set'] = (iccid, { usedMb, totalMb, expiresAt }) =>
    db.tx((tx) => setUsage(tx, iccid, { usedMb, totalMb, expiresAt }, new Date(clock.now())));
  return {
    clock,
    db,
    supplier: client.supplier('aurora'),
    as: client.supplier,
    async behave(fault) {
      if (fault === 'away') await service.close();
      else for (const plan of ['one-gb', 'two-gb-refill']) await db.tx((tx) => setBehaviour(tx, 'aurora', plan, fault));
    },
    passDelay: () => clock.advance(DELAY_MS),
    orderFields: () => ({}),
    async timesOrdered(reference) {
      const row = await db.maybe<{ calls: number }>(sql`select calls from orders where reference = ${reference}`);
      return row?.calls ?? 0;
    },
    async isSuspended(iccid) {
      const off = await db.query<{ id: bigint }>(sql`select id from orders where suspended_at is not null`);
      return off.some(({ id }) => iccidOfOrder(id) === iccid);
    },
    use: async (iccid) => void (await set(iccid, { usedMb: 300 })),
    set,
    async restart() {
      await service.close();
      service = await start(Number(new URL(service.url).port));
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}
