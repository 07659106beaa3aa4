import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openCatalog } from '../../../../src/domains/catalog/catalog.ts';
import { importCatalog } from '../../../../src/domains/catalog/import/import-list.ts';
import { ImportRefused, type PlanEntry } from '../../../../src/domains/catalog/import-format/import-format.ts';
import { readCatalog } from '../../../../src/domains/catalog/plans/read.ts';
import { Snapshot } from '../../../../src/domains/catalog/plans/snapshot.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { europe, plan, turkey } from '../../../support/database/plan.ts';
import { run } from '../../../support/program/operator.ts';
import { batchOf, entry, type StockedApp, stock, stockedApp, testSign } from '../../../support/sales/catalog.ts';

const shelfOf = async ({ base }: StockedApp) => (await readCatalog(base.db, (code) => code)).snapshot;

const refill = (special: Partial<PlanEntry>): PlanEntry => entry({ code: 'refill', refills: ['esim'], ...special });

suite('refills in the catalog', () => {
  const esims = [entry({ code: 'esim' }), entry({ code: 'other', amount: 2048, price: '20.00' })];
  let t: StockedApp;
  before(async () => {
    t = await stockedApp([
      ...esims,
      refill({ price: '1.00' }),
      refill({ code: 'dearer', refills: ['esim', 'gone'], price: '11.00' }),
    ]);
  });
  after(() => t[Symbol.asyncDispose]());

  const codes = async (code: string) =>
    (await shelfOf(t)).refillsOf('aurora', code).map(({ supplierPlan }) => supplierPlan);

  test('belong to the plans they name, cheapest first, and to their destination', async () => {
    const shelf = await shelfOf(t);
    assert.deepEqual(await codes('esim'), ['refill', 'dearer']);
    assert.deepEqual(await codes('other'), []);
    assert.deepEqual(shelf.refillsOf('beacon', 'esim'), []);
    assert.deepEqual(shelf.refillsFor('TR'), shelf.refillsOf('aurora', 'esim'));
    assert.deepEqual(shelf.refillsFor('FR'), []);
  });

  test('are looked up in the catalog that every process keeps', async () => {
    const listener = { healthy: true, on() {}, onReconnect() {}, async close() {} };
    const log = createLog('silent');
    const catalog = await openCatalog({ db: t.base.db, listener, log, imageBase: 'https://x' });
    assert.deepEqual(
      catalog.refillsOf('aurora', 'esim').map(({ supplierPlan }) => supplierPlan),
      ['refill', 'dearer'],
    );
    assert.deepEqual(catalog.refillsFor('TR'), catalog.refillsOf('aurora', 'esim'));
    catalog.close();
  });

  test('appear in no list of the catalog, in any variant', async () => {
    for (const query of ['', '&all_variants=1', '&include_small=1&all_variants=1', '&sort=price']) {
      const { body } = await t.get(`/catalog/products?country=TR${query}`, { key: t.key1 });
      assert.deepEqual(body.products.map(({ price }: { price: number }) => price).sort(), [10, 20], query);
    }
  });

  test('are answered by catalog/product exactly like a plan that is not on sale', async () => {
    const off = entry({ code: 'off', on_sale: false });
    await stock(t.base.db, batchOf([off], { full: false }));
    const [refillId, offId] = [await t.alias('refill'), await t.alias('off')];
    const asked = await t.get(`/catalog/product/${refillId}`, { key: t.key1 });
    const expected = await t.get(`/catalog/product/${offId}`, { key: t.key1 });
    assert.equal(asked.status, 404);
    assert.deepEqual({ ...asked.body, request_id: '' }, { ...expected.body, request_id: '' });
  });

  test('do not move the average discount of a partner', async () => {
    await using without = await stockedApp(esims);
    const answers = await Promise.all([t, without].map((app) => app.get('/account/pricing', { key: app.key1 })));
    const [here, there] = answers.map(({ body }) => body.pricing);
    assert.equal(here.sample_size, 2);
    assert.deepEqual(here, there);
  });

  test('are priced by hand and by markup like any plan', async () => {
    const alias = await t.alias('refill');
    await run(t.operator(), `catalog product set ${alias} --price 2.22`);
    await run(t.operator(), 'supplier set aurora --markup 50');
    await stock(t.base.db, batchOf([refill({}), refill({ code: 'dearer', cost: '4' })], { full: false }));
    const prices = await t.base.db.query(sql`
      select supplier_plan as code, list_price as price from plans where refills is not null order by code`);
    assert.deepEqual(prices, [
      { code: 'dearer', price: 600n },
      { code: 'refill', price: 222n },
    ]);
  });

  test('are not offered while they are off sale', async () => {
    const alias = await t.alias('refill');
    await run(t.operator(), `catalog product set ${alias} --on-sale false`);
    assert.deepEqual(await codes('esim'), ['dearer']);
    await run(t.operator(), `catalog product set ${alias} --on-sale true`);
    assert.deepEqual(await codes('esim'), ['refill', 'dearer']);
  });
});

suite('refills in an import', () => {
  let t: StockedApp;
  before(async () => {
    t = await stockedApp([]);
  });
  after(() => t[Symbol.asyncDispose]());

  const stored = async () =>
    t.base.db.query(sql`select supplier_plan as code, refills from plans order by supplier_plan`);

  test('may name codes that are not in it; they are kept, each once and in order', async () => {
    const listed = [entry({ code: 'a', refills: null }), refill({ code: 'b', refills: ['z', 'a', 'z'] })];
    const expected = [
      { code: 'a', refills: null },
      { code: 'b', refills: ['a', 'z'] },
    ];
    await stock(t.base.db, batchOf(listed));
    assert.deepEqual(await stored(), expected);
    const again = await stock(
      t.base.db,
      batchOf([listed[0] as PlanEntry, { ...(listed[1] as PlanEntry), refills: ['a', 'z'] }]),
    );
    assert.equal(again.changed, 0, 'the order of the codes is no change');
    for (const code of ['a', 'z']) assert.equal((await shelfOf(t)).refillsOf('aurora', code).length, 1);
  });

  test('cannot refill a refill: the row is reported, wherever the other row is', async () => {
    const rows = [refill({ code: 'first', refills: ['second'] }), refill({ code: 'second', refills: ['second'] })];
    const refused = t.base.db.tx((tx) => importCatalog(tx, batchOf(rows), testSign));
    await assert.rejects(refused, (error: { problems: unknown }) => {
      const reason = 'refills names second, which is a refill itself';
      assert.deepEqual(error.problems, [
        { line: 1, reason },
        { line: 2, reason },
      ]);
      return true;
    });
  });

  test('are checked: codes are texts', async () => {
    const wrong = { ...entry(), refills: [''] };
    await assert.rejects(
      t.base.db.tx((tx) => importCatalog(tx, batchOf([wrong]), testSign)),
      ImportRefused,
    );
  });
});

suite('refills in a snapshot', () => {
  const esim = plan({ supplierPlan: 'esim' });
  const shelf = (...plans: ReturnType<typeof plan>[]) => new Snapshot([turkey, europe], [esim, ...plans]);

  test('need a price and must be on sale', () => {
    const free = plan({ refills: ['esim'], listPrice: toCents(0n) });
    const off = plan({ refills: ['esim'], onSale: false });
    assert.deepEqual(shelf(free, off).refillsOf('aurora', 'esim'), []);
    assert.deepEqual(shelf(free, off).refillsFor('TR'), []);
  });

  test('of another supplier with the same codes are not mixed up', () => {
    const supplier = { id: 2, slug: 'beacon', title: 'Beacon', kind: 'simulated' };
    const [own, foreign] = [plan({ refills: ['esim'] }), plan({ refills: ['esim'], supplier })];
    assert.deepEqual(shelf(own, foreign).refillsOf('aurora', 'esim'), [own]);
    assert.deepEqual(shelf(own, foreign).refillsOf('beacon', 'esim'), [foreign]);
  });

  test('are never added to a refill, whatever a list says, not even to one that is off sale', () => {
    const first = plan({ supplierPlan: 'first', refills: ['esim'], onSale: false });
    const second = plan({ supplierPlan: 'second', refills: ['first'] });
    assert.deepEqual(shelf(first, second).refillsOf('aurora', 'first'), []);
    assert.deepEqual(shelf(first, second).refillsFor('TR'), [second]);
  });
});
