import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { UsageError } from '../../../../src/entry/cli/cli.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import { batchOf, entry, type StockedApp, stock, stockedApp } from '../../../support/sales/catalog.ts';

async function prices(t: StockedApp): Promise<Record<string, bigint>> {
  const rows = await t.base.db.query<{ code: string; price: bigint }>(
    sql`select supplier_plan as code, list_price as price from plans order by supplier_plan`,
  );
  return Object.fromEntries(rows.map(({ code, price }) => [code, price]));
}

suite('markup of a supplier', () => {
  test('the next import sets list prices from cost, half up to cents, and says which changed', async () => {
    // 25 % on top: 1.225 and 1.2249875 are rounded once; a plan without a cost keeps the price it is listed with.
    const plans = [
      entry({ code: 'half', price: '9.00', cost: '0.980000' }),
      entry({ code: 'below', price: '9.00', cost: '0.979990' }),
      entry({ code: 'same', price: '5.00', cost: '4.000000' }),
      entry({ code: 'unknown', price: '9.00', cost: null }),
      entry({ code: 'free', price: '9.00', cost: '0' }),
    ];
    await using t = await stockedApp(plans);
    const set = await run(t.operator(), 'supplier set aurora --markup 25');
    assert.equal(set.markup_pct, '25.00');
    assert.equal((await prices(t)).half, 900n, 'nothing changes before an import');
    const counts = await stock(t.base.db, batchOf(plans));
    assert.deepEqual(await prices(t), { below: 122n, free: 900n, half: 123n, same: 500n, unknown: 900n });
    assert.deepEqual([counts.changed, counts.repriced], [2, 2]);
    assert.deepEqual(counts.repriced_plans, [
      { code: 'half', from: '9.00', to: '1.23' },
      { code: 'below', from: '9.00', to: '1.22' },
    ]);
    assert.equal((await stock(t.base.db, batchOf(plans))).repriced, 0);
    await run(t.operator(), 'supplier set aurora --markup none');
    assert.equal((await stock(t.base.db, batchOf(plans))).repriced, 2);
    assert.equal((await prices(t)).half, 900n);
  });

  test('a price set by hand stays, a cost set by hand is marked up, new plans are priced at once', async () => {
    const [byHand, costed] = [entry({ code: 'by-hand' }), entry({ code: 'costed' })];
    await using t = await stockedApp([byHand, costed]);
    await run(t.operator(), `catalog product set ${await t.alias('by-hand')} --price 7.77`);
    await run(t.operator(), `catalog product set ${await t.alias('costed')} --cost 2`);
    await run(t.operator(), 'supplier set aurora --markup 12.5');
    await stock(t.base.db, batchOf([byHand, costed, entry({ code: 'new', price: '0', cost: '4' })]));
    assert.deepEqual(await prices(t), { 'by-hand': 777n, costed: 225n, new: 450n });
  });

  test('is set for one supplier, recorded, and within limits', async () => {
    await using t = await stockedApp([
      batchOf([entry({ code: 'a' })]),
      batchOf([entry({ code: 'b' })], { slug: 'beacon' }),
    ]);
    await run(t.operator(), 'supplier set beacon --markup 1000');
    await stock(t.base.db, batchOf([entry({ code: 'a', cost: '4' })]));
    await stock(t.base.db, batchOf([entry({ code: 'b', cost: '90000' })], { slug: 'beacon' }));
    assert.deepEqual(await prices(t), { a: 1_000n, b: 10_000_000n });
    const listed = await run(t.operator(), 'supplier list');
    assert.deepEqual(
      listed.map((one: Record<string, unknown>) => [one.supplier, one.markup_pct]),
      [
        ['aurora', null],
        ['beacon', '1000.00'],
      ],
    );
    const [change] = await run(t.operator(), ['changes', '--target', 'supplier beacon']);
    assert.deepEqual(
      [change.what, change.before.markup_pct, change.after.markup_pct],
      ['supplier set', null, '1000.00'],
    );
    await assert.rejects(run(t.operator(), 'supplier set nobody --markup 5'), { code: 'supplier_not_found' });
    for (const wrong of ['-5', '1000.01', '5.123', 'x'])
      await assert.rejects(run(t.operator(), ['supplier', 'set', 'aurora', `--markup=${wrong}`]), UsageError);
  });
});
