import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bigCatalog } from '../../../proving/bench/support/big-catalog.ts';
import { readImportFile } from '../../../src/domains/catalog/import-format/import-format.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { stockedApp } from '../../support/sales/catalog.ts';
import { openRoad } from '../../support/suppliers/upstream.ts';

const PLANS = 10_000;
const LIMIT_S = 60;

// The upper installation's clock stands still, so that all calls of an import count toward one minute of its rate limits.
for (const bare of [true, false])
  test(`${bare ? 'by the contract alone' : 'with our extensions'}, ${PLANS} plans are imported within one minute's calls, later runs only what changed`, async (t) => {
    await using upper = await stockedApp([readImportFile(JSON.stringify(bigCatalog(PLANS)))]);
    await using road = await openRoad(() => upper, { bare });
    const account = { slug: 'acme', url: road.url, key: upper.key1, secret: undefined };
    await using lower = await testApp({ config: { partnerV3: [account] } });
    async function imported() {
      const [calls, started] = [road.requests.length, performance.now()];
      const { added, changed, off_sale: removed } = await run(lower.operator(), 'catalog import acme');
      const seconds = (performance.now() - started) / 1000;
      t.diagnostic(
        `${added} added, ${changed} changed: ${road.requests.length - calls} calls, ${seconds.toFixed(1)} s`,
      );
      assert.ok(seconds <= LIMIT_S, `${seconds} s`);
      return [added, changed, removed];
    }
    assert.deepEqual(await imported(), [PLANS, 0, 0]);

    const { alias } = await upper.base.db.one<{ alias: string }>(sql`select alias from plans order by id limit 1`);
    await run(upper.operator(), `catalog product set ${alias} --price 77.00`);
    upper.clock.advance(120_000);
    await eventually('their catalog knows the new price', async () => {
      const { body } = await upper.get(`/catalog/product/${alias}`, { key: upper.key1 });
      return body.product.price === 77;
    });
    assert.deepEqual(await imported(), [0, 1, 0]);
  });
