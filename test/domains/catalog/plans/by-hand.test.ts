import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { UsageError } from '../../../../src/entry/cli/cli.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { run } from '../../../support/program/operator.ts';
import { batchOf, entry, type StockedApp, stock, stockedApp } from '../../../support/sales/catalog.ts';

const show = async (t: StockedApp, code: string) => {
  const { price, cost, on_sale, by_hand } = await run(t.operator(), `catalog product show ${await t.alias(code)}`);
  return { price, cost, on_sale, by_hand };
};
const set = async (t: StockedApp, code: string, change: string) =>
  run(t.operator(), `catalog product set ${await t.alias(code)} ${change}`);

suite('terms set by hand', () => {
  test('survive an import, which changes the rest of the plan', async () => {
    await using t = await stockedApp([entry({ code: 'one' }), entry({ code: 'two' })]);
    await set(t, 'one', '--price 8.00');
    await set(t, 'two', '--cost unknown --on-sale false');
    const plans = ['one', 'two'].map((code) => entry({ code, title: 'New', price: '11.00', cost: '5.000000' }));
    assert.equal((await stock(t.base.db, batchOf(plans))).changed, 2);
    assert.deepEqual(await show(t, 'one'), { price: '8.00', cost: '5.000000', on_sale: true, by_hand: ['price'] });
    assert.deepEqual(await show(t, 'two'), {
      price: '11.00',
      cost: null,
      on_sale: false,
      by_hand: ['cost', 'on_sale'],
    });
    const titles = await t.base.db.query(sql`select distinct title from plans`);
    assert.deepEqual(titles, [{ title: 'New' }]);
    assert.equal((await stock(t.base.db, batchOf(plans))).changed, 0, 'and again changes nothing');
  });

  test('released with auto, they stay until the next import sets them', async () => {
    await using t = await stockedApp([entry({ code: 'one' })]);
    await set(t, 'one', '--price 8 --cost 1 --on-sale false');
    const released = await set(t, 'one', '--price auto --cost auto --on-sale auto');
    assert.deepEqual(
      [released.price, released.cost, released.on_sale, released.by_hand],
      ['8.00', '1.000000', false, []],
    );
    await stock(t.base.db, batchOf([entry({ code: 'one', price: '11.00', cost: '5' })]));
    assert.deepEqual(await show(t, 'one'), { price: '11.00', cost: '5.000000', on_sale: true, by_hand: [] });
    await assert.rejects(set(t, 'one', '--price automatic'), UsageError);
  });

  test('a plan that the supplier no longer lists goes off sale, even one put on sale by hand', async () => {
    await using t = await stockedApp([entry({ code: 'one' }), entry({ code: 'two' })]);
    await set(t, 'one', '--on-sale true');
    assert.equal((await stock(t.base.db, batchOf([entry({ code: 'two' })]))).off_sale, 1);
    assert.equal((await show(t, 'one')).on_sale, false);
    await stock(t.base.db, batchOf([entry({ code: 'one' }), entry({ code: 'two' })]));
    assert.equal((await show(t, 'one')).on_sale, true);
  });

  test('are not lost to an import that is running', async () => {
    await using t = await stockedApp([entry({ code: 'held' }), entry({ code: 'one' })]);
    const { db } = t.base;
    const waiting = async (count: number) => {
      const row = await db.one<{ count: number }>(sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return row.count === count;
    };
    const plans = ['held', 'one'].map((code) => entry({ code, price: '11.00' }));
    const { importing, setting } = await db.tx(async (tx) => {
      // The import has read what was set by hand, and cannot write its first plan yet.
      await tx.run(sql`select from plans where supplier_plan = 'held' for update`);
      const importing = stock(db, batchOf(plans));
      await eventually('the import waits', () => waiting(1));
      const setting = set(t, 'one', '--price 8.00');
      await eventually('so does the command', () => waiting(2));
      return { importing, setting };
    });
    await importing;
    assert.equal((await setting).price, '8.00');
    assert.equal((await show(t, 'one')).price, '8.00');
  });
});
