import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { type Catalog, openCatalog } from '../../../../src/domains/catalog/catalog.ts';
import { type Db, openDatabase } from '../../../../src/platform/db/database.ts';
import type { Listener } from '../../../../src/platform/db/notifications.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { batchOf, entry, eventually, smallWorld, stock } from '../../../support/sales/catalog.ts';

/** A listener whose notifications the test sends. */
class ScriptedListener implements Listener {
  healthy = true;
  notify = () => {};
  reconnect = () => {};
  on(_channel: string, handler: (payload: string) => void): void {
    this.notify = () => handler('');
  }
  onReconnect(forget: () => void): void {
    this.reconnect = () => {
      forget();
      this.healthy = true;
    };
  }
  async close(): Promise<void> {}
}

suite('the plan a purchase is decided by is as the database has it', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let db: Db;
  let catalog: Catalog;
  let listener: ScriptedListener;
  let alias: string;
  /** Whole readings of the catalog wait for this. */
  let mayRead: Promise<void>;

  before(async () => {
    database = await freshDatabase();
    db = openDatabase({ url: database.url, name: 'test', searchPath: 'shared' });
    await stock(db, batchOf([entry({ code: 'one' })]));
    ({ alias } = await db.one<{ alias: string }>(sql`select alias from plans`));
  });
  after(async () => {
    await db.close();
    await database.drop();
  });
  beforeEach(async () => {
    await db.run(sql`update plans set list_price = 1000, on_sale = true`);
    listener = new ScriptedListener();
    mayRead = Promise.resolve();
    const held: Db = { ...db, tx: (work) => mayRead.then(() => db.tx(work)) };
    catalog = await openCatalog({ db: held, listener, log: createLog('error'), imageBase: 'https://x' });
  });

  const change = () => db.run(sql`update plans set list_price = 9900, on_sale = false`);
  const seen = async () => {
    const plan = await catalog.current(alias);
    return [plan?.listPrice, plan?.onSale];
  };
  const OLD = [1000n, true];
  const NEW = [9900n, false];

  test('from memory, without a query, while nothing has been announced', async () => {
    using queries = watchQueries();
    assert.equal(catalog.current(alias), catalog.byAlias(alias));
    assert.equal(catalog.current('esc_0000000000000000'), undefined);
    assert.deepEqual(queries.seen, []);
  });

  test('read afresh while notifications are down', async () => {
    listener.healthy = false;
    assert.deepEqual(await seen(), OLD);
    await change();
    assert.deepEqual(await seen(), NEW);
    assert.equal(catalog.byAlias(alias)?.listPrice, 1000n);
    assert.equal(await catalog.current('esc_0000000000000000'), undefined);
  });

  test('read afresh after notifications are back, until the catalog has been read again', async () => {
    listener.healthy = false;
    await change();
    const { promise, resolve } = Promise.withResolvers<void>();
    mayRead = promise;
    listener.reconnect();
    assert.deepEqual(await seen(), NEW);
    assert.equal(catalog.byAlias(alias)?.listPrice, 1000n, 'memory is still old');
    resolve();
    await eventually(async () => assert.equal(catalog.current(alias), catalog.byAlias(alias)));
    assert.deepEqual(await seen(), NEW);
  });

  test('read afresh from the moment a change is announced, however long reading the catalog takes', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    mayRead = promise;
    await change();
    listener.notify();
    assert.deepEqual(await seen(), NEW);
    resolve();
    await eventually(async () => assert.equal(catalog.current(alias), catalog.byAlias(alias)));
  });

  test('a change announced during a reading makes that reading stale', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    mayRead = promise;
    listener.reconnect();
    await eventually(async () => assert.ok(catalog.current(alias) instanceof Promise));
    listener.notify();
    await change();
    resolve();
    assert.deepEqual(await seen(), NEW);
    await eventually(async () => assert.equal(catalog.current(alias), catalog.byAlias(alias)));
    assert.deepEqual(await seen(), NEW);
  });

  test('a plan read afresh equals the catalog’s, even if everything it refers to is new', async () => {
    listener.healthy = false;
    assert.deepEqual(await catalog.current(alias), catalog.byAlias(alias));
    const lisbon = { code: 'PT', scope: 'country', title: 'Portugal', slug: 'portugal', region: 'europe' } as const;
    const plan = entry({ code: 'new', destination: 'PT', operator: { title: 'New' }, coverage: ['FR', 'PT'] });
    const destinations = [...smallWorld, lisbon].map((place, i) => ({ entry: place, line: i }));
    await stock(db, { ...batchOf([plan], { slug: 'beacon' }), destinations });
    const added = await db.one<{ alias: string }>(sql`select alias from plans where supplier_plan = 'new'`);
    const read = await catalog.current(added.alias);
    listener.reconnect();
    await eventually(async () => assert.ok(catalog.byAlias(added.alias)));
    assert.deepEqual(read, catalog.byAlias(added.alias));
  });
});
