import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { type BreakableServer, breakableServer } from '../../support/servers/breakable-server.ts';

let s: BreakableServer;
before(async () => {
  s = await breakableServer(1_000_000n, ['order.created'], { budgetSeconds: 1 });
});
after(() => s[Symbol.asyncDispose]());

const buy = (idempotency_key: string) => s.call('POST', '/purchase/buy', { product_id: s.product, idempotency_key });

const batch = (quantity: number) =>
  s.call('POST', '/purchase/batch', {
    items: JSON.stringify([{ product_id: s.product, quantity }]),
    idempotency_key: `rest-${quantity}`,
  });

/** What counts: all orders that did not fail, in cents. */
const spent = async (): Promise<number> =>
  Number(
    (
      await s.base.worlds.live.db.one<{ cents: bigint }>(sql`
        select coalesce(sum(sale_price), 0)::bigint as cents from orders where status <> 2`)
    ).cents,
  );

test('a limit is neither exceeded nor leaks room when the server is killed at any step of a purchase', {
  timeout: 600_000,
}, async (t) => {
  assert.equal((await buy('warm'))?.status, 200);
  const price = await spent();
  const steps = await s.countSteps(async () => {
    assert.equal((await buy('counted'))?.status, 200);
  });
  // Room for one purchase per kill, and for three more.
  const ROOM = 3;
  const amount = price * (2 + steps.length + ROOM);
  const limits = JSON.stringify([{ per: 'month', amount, count: null }]);
  await s.base.db.run(sql`update api_keys set limits = ${limits} where partner_id = ${s.partnerId}`);
  const limit = async () => (await s.call('GET', '/account/limits'))?.body.limits[0];
  await eventually('the limit is known', async () => (await limit())?.amount === amount / 100);

  const keys = steps.map((_, i) => `killed-${i + 1}`);
  for (const [i, key] of keys.entries())
    await s.breakAt(i + 1, 'kill', async () => {
      await buy(key);
      assert.ok((await spent()) <= amount);
    });
  // Sent again, each is bought once: by the process that was killed, or now.
  for (const key of keys)
    await eventually(`${key} is bought`, async () => [200, 202].includes((await buy(key))?.status ?? 0));
  assert.equal(await spent(), amount - ROOM * price);
  assert.equal((await limit()).used_amount, (amount - ROOM * price) / 100);

  const tooMany = await batch(ROOM + 1);
  assert.deepEqual([tooMany?.status, tooMany?.body.error], [403, 'limit_exceeded']);
  const rest = await batch(ROOM);
  assert.ok([200, 202].includes(rest?.status ?? 0), JSON.stringify(rest?.body));
  assert.equal(await spent(), amount);
  assert.equal((await buy('one-more'))?.body.error, 'limit_exceeded');
  assert.deepEqual((await proveBooks(s.base.worlds.live.db, () => {})).drift, []);
  t.diagnostic(`killed at ${steps.length} steps`);
});
