import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type Answer, type BreakableServer, breakableServer } from '../../support/servers/breakable-server.ts';
import { csvOf, importText, newItems, stockPlans } from '../../support/suppliers/stock-shop.ts';

/** A purchase from stock is killed at every step from its payment on; up to there it takes the steps of any other. */
let s: BreakableServer;
let product: string;

before(async () => {
  s = await breakableServer(1_000_000n, ['order.delivered'], { budgetSeconds: 1 });
  product = await stockPlans(s.base);
});
after(() => s[Symbol.asyncDispose]());

const buy = (idempotency_key: string) => s.call('POST', '/purchase/buy', { product_id: product, idempotency_key });

async function untilDelivered(key: string): Promise<Answer> {
  for (let tries = 0; tries < 240; tries++) {
    const answer = await buy(key);
    if (answer?.status === 200 && answer.body.delivery === 'delivered') return answer;
    await sleep(500);
  }
  throw new Error(`${key} never came to an end`);
}

test('a purchase from stock killed at any step is delivered once, and no item is lost or sold twice', {
  timeout: 600_000,
}, async (t) => {
  const operator = () => ({ ...s.base, who: 'test', confinedTo: undefined, progress() {} });
  const add = (count: number) => importText({ operator }, csvOf(newItems(count)));
  await add(2);
  await untilDelivered('warm');
  const steps = await s.countSteps(async () => {
    assert.equal((await buy('counted'))?.body.delivery, 'delivered');
  });
  const commit = 1 + steps.findIndex((label) => label.startsWith('before commit'));
  assert.ok(commit > 0 && steps.some((label) => label.startsWith('after update stock_items')), steps.join(' | '));
  const keys = Array.from({ length: steps.length - commit + 1 }, (_, i) => `killed-${commit + i}`);
  await add(keys.length);
  for (const [i, key] of keys.entries()) await s.breakAt(commit + i, 'kill', async () => void (await buy(key)));
  for (const key of keys) await untilDelivered(key);
  const sums = await s.base.worlds.live.db.one(sql`
    select (select count(*)::int from orders where delivery = 'delivered') as delivered, (select count(*)::int from orders) as orders,
      (select count(distinct iccid)::int from orders) as iccids, (select count(*)::int from stock_items where state = 'sold') as sold,
      (select count(*)::int from stock_items where state = 'available') as left`);
  const sales = keys.length + 2;
  assert.deepEqual(sums, { delivered: sales, orders: sales, iccids: sales, sold: sales, left: 0 });
  t.diagnostic(`${keys.length} purchases killed, at ${steps.slice(commit - 1).join(' | ')}`);
});
