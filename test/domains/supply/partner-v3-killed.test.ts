import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testFolder } from '../../support/database/folder.ts';
import { eventually } from '../../support/eventually.ts';
import { run } from '../../support/program/operator.ts';
import { buy } from '../../support/sales/shop.ts';
import { openLower } from '../../support/suppliers/downstream.ts';
import { upperServer } from '../../support/suppliers/upper-server.ts';
import { openUpper, UPPER } from '../../support/suppliers/upstream.ts';

test('a service that is killed in the middle of a purchase: the order waits, is found when it is back, and is one', async () => {
  await using upper = await openUpper();
  await using folder = await testFolder(0o700);
  const launch = upperServer(upper, folder.path);
  let server = await launch();
  try {
    const { live, sandbox, legacy, panel } = server.urls;
    await using t = await openLower(upper, { url: new URL(live) });
    // Their supplier does not answer, so that the purchase is under way for a while.
    const product = await upper.alias(UPPER.esim);
    await run(upper.operator(), `supplier simulate ${product} --behaviour timeout`);
    const buying = buy(t, t.key1, await t.alias(UPPER.esim));
    await eventually('they have the order', async () => (await upper.orders()).length === 1);
    await server.end('SIGKILL');
    const { status, body } = await buying;
    assert.deepEqual([status, body.delivery], [202, 'deferred']);

    await run(upper.operator(), `supplier simulate ${product} --behaviour deliver`);
    server = await launch({
      SANDBOX_BASE_URL: sandbox,
      LIVE_BASE_URL: live,
      LEGACY_BASE_URL: legacy,
      PANEL_URL: panel,
    });
    await upper.passDelay();
    await t.delivered(body.id);
    assert.deepEqual(
      (await upper.orders()).map((one) => one.status),
      [1],
    );
    const { charges } = await t.base.worlds.live.db.one<{ charges: number }>(sql`
      select count(*)::int as charges from movements where type = 'purchase'`);
    assert.equal(charges, 1);
  } finally {
    await server.end('SIGKILL');
  }
});
