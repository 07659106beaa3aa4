import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { PlanEntry } from '../../../../src/domains/catalog/import-format/entries.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { contents } from '../../../support/database/rows.ts';
import { run } from '../../../support/program/operator.ts';
import { batchOf, entry, type StockedApp, smallWorld, stock, stockedApp } from '../../../support/sales/catalog.ts';

const supplier = { slug: 'aurora', title: 'Supplier', kind: 'simulated' };
const codes = Array.from({ length: 10 }, (_, i) => `p${i}`);
const ten = codes.map((code) => entry({ code }));

/** Imports a file of these plans. */
async function importFile(t: StockedApp, plans: readonly PlanEntry[], more: readonly string[] = [], full = true) {
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-guard-'));
  const path = join(folder, 'list.json');
  await writeFile(path, JSON.stringify({ supplier, full, destinations: smallWorld, plans }));
  return run(t.operator(), ['catalog', 'import', path, ...more]).finally(() => rm(folder, { recursive: true }));
}

const onSale = async (t: StockedApp): Promise<string[]> =>
  (
    await t.base.db.query<{ code: string }>(
      sql`select supplier_plan as code from plans where on_sale and list_price > 0 order by id`,
    )
  ).map(({ code }) => code);

suite('an import that takes more than a fifth of the plans on sale off sale', () => {
  test('is refused with the number and changes nothing; --yes imports it', async () => {
    await using t = await stockedApp(ten);
    const before = await contents(t, 'shared');
    await assert.rejects(importFile(t, ten.slice(3)), {
      code: 'many_off_sale',
      message:
        'nothing was imported: 3 of the 10 plans that aurora sells would go off sale; if that is right, add --yes',
    });
    assert.deepEqual(await contents(t, 'shared'), before);
    const { off_sale, leave_sale, on_sale_before } = await importFile(t, ten.slice(3), ['--yes']);
    assert.deepEqual([off_sale, leave_sale, on_sale_before], [3, 3, 10]);
    assert.deepEqual(await onSale(t), codes.slice(3));
  });

  test('a fifth is not more than a fifth', async () => {
    await using t = await stockedApp(ten);
    assert.equal((await importFile(t, ten.slice(2))).leave_sale, 2);
  });

  test('listed as not on sale or without a price counts like not listed, in a partial import too', async () => {
    await using t = await stockedApp(ten);
    const changed = ten.map((plan, i) => ({
      ...plan,
      ...(i < 2 && { on_sale: false }),
      ...(i === 2 && { price: '0' }),
    }));
    await assert.rejects(importFile(t, changed), { code: 'many_off_sale' });
    await assert.rejects(importFile(t, changed.slice(0, 3), [], false), { code: 'many_off_sale' });
    assert.deepEqual(await onSale(t), codes);
    const { off_sale, leave_sale } = await importFile(t, changed, ['--yes']);
    assert.deepEqual([off_sale, leave_sale], [0, 3]);
  });

  test('a dry run needs no --yes, and says whether the import will', async () => {
    await using t = await stockedApp(ten);
    assert.deepEqual(
      await Promise.all([0, 3].map(async (gone) => (await importFile(t, ten.slice(gone), ['--dry-run'])).needs_yes)),
      [false, true],
    );
  });

  test('plans that are held back while the supplier is off count as on sale', async () => {
    await using t = await stockedApp(ten);
    await run(t.operator(), 'supplier set aurora --off');
    await assert.rejects(importFile(t, ten.slice(3)), { code: 'many_off_sale' });
  });
});

suite('catalog import --previous', () => {
  test('brings back what the last import took off sale or changed, and takes off sale what it added', async () => {
    const special = entry({
      code: 'special',
      destination: 'europe',
      coverage: ['FR', 'TR'],
      amount: 0,
      cost: '1.234567',
      fup_kind: 'daily_throttle',
      fup_daily_mb: 512,
      voice: 10,
      short_info: 'short',
      install_window_days: 30,
      operator: { title: 'Mobile', networks: ['One'], apn_value: 'apn', info: ['a'] },
    });
    const refill = entry({ code: 'refill', refills: ['p0'] });
    await using t = await stockedApp([...ten, special, refill]);
    const rows = () => t.base.db.query(sql`select * from plans where supplier_plan <> 'new' order by id`);
    const before = await rows();
    const bad = [
      ...ten.slice(3, 9).map((plan) => ({ ...plan, price: '99.00', title: 'Wrong' })),
      entry({ code: 'new' }),
    ];
    await importFile(t, [...bad, { ...special, operator: {}, coverage: ['FR'] }], ['--yes']);
    assert.notDeepEqual(await rows(), before);
    const counts = await run(t.operator(), 'catalog import --previous aurora');
    assert.deepEqual(
      [counts.previous, counts.added, counts.changed, counts.off_sale, counts.repriced],
      [true, 0, 12, 1, 6],
    );
    assert.deepEqual(await rows(), before);
    const [latest] = await run(t.operator(), 'catalog imports --supplier aurora --limit 1');
    assert.deepEqual([latest.changed, latest.error], [12, null]);
    await assert.rejects(
      run(t.operator(), 'catalog import --previous aurora'),
      { code: 'many_off_sale', message: /: 5 of the 12 plans .*--yes$/ },
      'once more, by mistake',
    );
    const again = await run(t.operator(), 'catalog import --previous aurora --yes');
    assert.deepEqual(
      [again.off_sale, await onSale(t)],
      [5, [...codes.slice(3, 9), 'special', 'new']],
      'going back can be undone the same way',
    );
  });

  test('an import that changes nothing does not replace the previous list; one that does, replaces it whole', async () => {
    await using t = await stockedApp(ten);
    await importFile(t, ten.slice(2));
    await importFile(t, ten.slice(2));
    const kept = async () => (await t.base.db.one<{ n: number }>(sql`select count(*)::int as n from previous_plans`)).n;
    assert.equal(await kept(), 2);
    await importFile(t, ten.slice(3));
    assert.equal(await kept(), 1);
    await run(t.operator(), 'catalog import aurora --previous');
    assert.deepEqual(await onSale(t), codes.slice(2));
  });

  test('leaves alone what was set by hand since', async () => {
    await using t = await stockedApp(ten);
    await importFile(
      t,
      ten.map((plan) => ({ ...plan, price: '20.00' })),
    );
    const byHand = await t.alias('p1');
    await run(t.operator(), `catalog product set ${byHand} --price 33.00`);
    await run(t.operator(), 'catalog import --previous aurora');
    assert.equal((await run(t.operator(), `catalog product show ${byHand}`)).price, '33.00');
    assert.equal((await run(t.operator(), `catalog product show ${await t.alias('p2')}`)).price, '10.00');
  });

  test('brings back plans that an import dropped while the supplier was off: they are held back again', async () => {
    await using t = await stockedApp(ten);
    await run(t.operator(), 'supplier set aurora --off');
    await importFile(t, ten.slice(5), ['--yes']);
    await run(t.operator(), 'catalog import --previous aurora');
    assert.deepEqual(await onSale(t), []);
    await run(t.operator(), 'supplier set aurora --on');
    assert.deepEqual(await onSale(t), codes);
  });

  test('without an earlier list it is refused: no import yet, only one, or nothing on sale before', async () => {
    await using t = await stockedApp(ten);
    const refused = { code: 'previous_list_not_found', message: 'no earlier list of this supplier is stored' };
    for (const slug of ['aurora', 'nobody'])
      await assert.rejects(run(t.operator(), ['catalog', 'import', '--previous', slug]), refused);
    await stock(t.base.db, batchOf([]));
    await stock(t.base.db, batchOf([entry({ code: 'new' })]));
    await assert.rejects(run(t.operator(), 'catalog import --previous aurora'), refused);
  });

  test('a dry run reports what it would do and changes nothing', async () => {
    await using t = await stockedApp(ten);
    await importFile(t, ten.slice(2));
    const before = await contents(t, 'shared');
    const tried = await run(t.operator(), 'catalog import --previous aurora --dry-run');
    assert.deepEqual([tried.changed, tried.needs_yes], [2, false]);
    assert.deepEqual(await contents(t, 'shared'), before);
  });
});
