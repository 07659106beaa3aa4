import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { eventually as waitFor } from '../../../support/eventually.ts';
import { run } from '../../../support/program/operator.ts';
import { entry, eventually, type StockedApp, stockedApp } from '../../../support/sales/catalog.ts';
import { buy, credit } from '../../../support/sales/shop.ts';
import { deafen } from '../../../support/servers/deaf.ts';

suite('a purchase is charged what the database says', () => {
  let t: StockedApp;
  let alias: string;
  const charged = async () => {
    const { status, body } = await buy(t, t.key1, alias);
    return status === 200 ? body.order.sale_price : body.error;
  };
  const product = (change: string) => run(t.operator(), `catalog product set ${alias} ${change}`);

  before(async () => {
    t = await stockedApp([entry({ code: 'one', price: 10, cost: 4 })], { role: 'api' });
    alias = await t.alias('one');
    await credit(t, t.partner1, '900.00');
  });
  after(() => t[Symbol.asyncDispose]());

  test('with notifications, pricing a purchase takes no query', async () => {
    // What the preparations notify of may still be on its way, and makes a purchase read once more.
    await eventually(async () => {
      using queries = watchQueries();
      assert.equal(await charged(), '10.00');
      assert.deepEqual(
        queries.seen.filter((text) => /from plans|pricing_rules|from settings/.test(text)),
        [],
      );
    });
  });

  test('without notifications: price, sale state and rules count at once, and still do when notifications are back', async () => {
    {
      using _ = await deafen(t);
      await product('--price 11');
      assert.equal(await charged(), '11.00');
      await product('--on-sale false');
      assert.equal(await charged(), 'product_not_found');
      await product('--on-sale true');
      const rule = await run(t.operator(), 'pricing rule add --scope provider --target aurora --share 50');
      assert.equal(await charged(), '7.50');
      await run(t.operator(), `pricing rule remove ${rule.rule_id}`);
      assert.equal(await charged(), '11.00');
      await product('--price 12');
    }
    // Through the reconnection, until memory is trusted again and after.
    const prices = new Set<string>();
    await eventually(async () => {
      using queries = watchQueries();
      prices.add(await charged());
      assert.ok(!queries.seen.some((text) => /from plans|pricing_rules/.test(text)));
    });
    prices.add(await charged());
    assert.deepEqual([...prices], ['12.00']);
  });

  test('a purchase that waits for its wallet while the price changes is charged the new price', async () => {
    const { db } = t.base.worlds.live;
    const { answer } = await db.tx(async (tx) => {
      await tx.run(sql`select from wallets where partner_id = ${t.partner1} for update`);
      const answer = charged();
      // It has its price, and now it waits.
      await waitFor('the purchase waits for the wallet', async () => {
        const [row] = await t.base.db.query(sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
        return row !== undefined;
      });
      await product('--price 13');
      const quotedAt = performance.now();
      await waitFor('the old price no longer holds', async () => performance.now() - quotedAt > 2 * SECOND);
      return { answer };
    });
    assert.equal(await answer, '13.00');
  });
});
