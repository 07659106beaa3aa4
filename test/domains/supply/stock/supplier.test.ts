import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStock } from '../../../../src/domains/supply/stock/stock.ts';
import { toMicros } from '../../../../src/platform/amounts/cents.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { type Db, openDatabase } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { openVault } from '../../../../src/platform/vault/secrets.ts';
import { type SupplierRig, supplierSuite } from '../../../suites/supplier.ts';
import { delivered, newOrder } from '../../../suites/supplier-rig.ts';
import { TestClock } from '../../../support/clock.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { newItems } from '../../../support/suppliers/stock-shop.ts';

const LIMIT_MS = 20_000;

interface StockRig extends SupplierRig {
  readonly db: Db;
  readonly clock: TestClock;
  /** Puts items into stock as they are; returns their ICCIDs. */
  add(count: number, expires?: Date | null, cost?: bigint | null): Promise<string[]>;
}

/** The supplier `depot` on a database of its own, with twenty items. */
async function open(): Promise<StockRig> {
  const undo = new AsyncDisposableStack();
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const db = openDatabase({ url: database.url, name: 'test', searchPath: 'live,shared' });
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:9/none', name: 'away' });
  undo.defer(() => db.close());
  undo.defer(() => away.close());
  const clock = new TestClock();
  const vault = openVault('0'.repeat(64));
  let isAway = false;
  const asked: Db = { ...db, maybe: (statement) => (isAway ? away : db).maybe(statement) };
  const { supplier } = createStock({ db: asked, vault, clock, log: createLog('silent') });
  const add: StockRig['add'] = async (count, expires = null, cost = null) => {
    const items = newItems(count);
    await db.run(sql`
      insert into stock_items (supplier, plan, iccid, esim, cost_micros, expires_at, imported_at, changed_at)
      select 'depot', 'one-gb', iccid, esim, ${cost}::bigint, ${expires}::timestamptz, now(), now() from unnest(
        ${items.map(({ iccid }) => iccid)}::text[],
        ${items.map(({ activation_code: activationCode }) =>
          vault.seal(JSON.stringify({ activationCode, confirmationCode: null, msisdn: null, apn: 'internet' })),
        )}::bytea[]) with ordinality as item (iccid, esim, line) order by line`);
    return items.map(({ iccid }) => iccid);
  };
  await add(20);
  return {
    supplier: supplier('depot'),
    db,
    clock,
    add,
    async behave(fault) {
      isAway = fault === 'away';
    },
    passDelay() {},
    orderFields: () => ({}),
    async timesOrdered(reference) {
      const { count } = await db.one<{ count: number }>(sql`
        select count(*)::int as count from stock_items where reference = ${reference}`);
      return count;
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

supplierSuite('stock', ['deliver', 'away'], open, {
  withdrawals: ['deliver', 'away'],
  idempotent: true,
  withoutUsage: true,
});

const inState = (db: Db, state: string) =>
  db.query<{ iccid: string }>(sql`select iccid from stock_items where state = ${state}`);

test('the same reference gets the same item, however often and however concurrently it asks', async () => {
  await using rig = await open();
  const order = newOrder(rig);
  const answers = await Promise.all(Array.from({ length: 40 }, () => rig.supplier.order(order, LIMIT_MS)));
  assert.equal(new Set(answers.map((answer) => delivered(answer).esim.iccid)).size, 1);
  assert.equal((await inState(rig.db, 'sold')).length, 1);
});

test('items are sold by their expiry, those without last, then by age; an expired one never', async () => {
  await using rig = await open();
  await rig.db.run(sql`update stock_items set state = 'discarded'`);
  const at = (days: number) => new Date(rig.clock.now() + days * DAY);
  const [undated] = await rig.add(1, null, 2_500_000n);
  const later = await rig.add(2, at(30));
  const [sooner] = await rig.add(1, at(10));
  await rig.add(1, at(-1));
  const order = async () => rig.supplier.order(newOrder(rig), LIMIT_MS);
  const taken = [];
  for (let i = 0; i < 4; i++) taken.push(delivered(await order()));
  assert.deepEqual(
    taken.map(({ esim }) => esim.iccid),
    [sooner, ...later, undated],
  );
  assert.deepEqual(
    taken.map(({ charged }) => charged),
    [undefined, undefined, undefined, toMicros(2_500_000n)],
    'an item’s own cost is what it is charged at',
  );
  assert.deepEqual(await order(), { outcome: 'unavailable', reason: 'out of stock' }, 'answered, so not silent');
});

test('a returned item stays with its order and is not sold again; asking again after its next sale returns nothing', async () => {
  await using rig = await open();
  await rig.db.run(sql`update stock_items set state = 'discarded'`);
  await rig.add(1);
  const first = newOrder(rig);
  const { esim, supplierOrder } = delivered(await rig.supplier.order(first, LIMIT_MS));
  const sale = { iccid: esim.iccid, supplierOrder, day: 7, deliveredAt: new Date(), script: null };
  const withdraw = () => rig.supplier.withdraw?.(sale, LIMIT_MS);
  assert.deepEqual(await withdraw(), { outcome: 'withdrawn' });
  assert.equal((await rig.supplier.find(first, LIMIT_MS)).outcome, 'refused');
  assert.equal((await rig.supplier.order(first, LIMIT_MS)).outcome, 'refused', 'no second item for the same order');
  assert.equal((await rig.supplier.order(newOrder(rig), LIMIT_MS)).outcome, 'unavailable');
  await rig.db.run(sql`update stock_items set state = 'available', reference = null where iccid = ${esim.iccid}`);
  assert.equal(delivered(await rig.supplier.order(newOrder(rig), LIMIT_MS)).esim.iccid, esim.iccid);
  assert.deepEqual(await withdraw(), { outcome: 'withdrawn' });
  assert.deepEqual(await inState(rig.db, 'sold'), [{ iccid: esim.iccid }], 'the later sale stands');
});
