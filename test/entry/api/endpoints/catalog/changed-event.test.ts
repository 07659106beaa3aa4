import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY, MINUTE } from '../../../../../src/platform/clock.ts';
import type { Mode } from '../../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../../support/eventually.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { catalogKnows, pausedSubscription } from '../../../../support/sales/shop.ts';

const MODES: readonly Mode[] = ['live', 'sandbox'];
let t: TestApp;
let product: string;
before(async () => {
  t = await testApp();
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
});
after(() => t[Symbol.asyncDispose]());

/** The events a partner got, the first one first. */
async function events(partnerId: number, mode: Mode) {
  await t.work();
  const { webhooks, db } = t.base.worlds[mode];
  const rows = await db.query<{ id: bigint }>(
    sql`select id from webhook_deliveries where partner_id = ${partnerId} order by id`,
  );
  const read = rows.map(async ({ id }) => JSON.parse((await webhooks.delivery(partnerId, id))?.payload ?? '{}'));
  return Promise.all(read);
}

const priceSet = async (partnerId: number, key: string, usd: string) => {
  await run(t.operator(), `pricing rule add --scope product --target ${product} --partner ${partnerId} --price ${usd}`);
  await eventually('the price is known', async () => {
    const { body } = await t.get(`/purchase/quote?product_id=${product}`, { key });
    return body.partner_price === Number(usd);
  });
};

for (const mode of MODES) {
  test(`${mode}: a new price is reported with counts and both versions, at most once in five minutes, and only to who names it`, async () => {
    t.clock.freeze();
    const [partnerId, other] = [await t.partner(), await t.partner()];
    const key = await t.key(partnerId, mode);
    const { version } = (await t.get('/catalog/export', { key })).body;
    await pausedSubscription(t, partnerId, 'catalog.changed', mode);
    await pausedSubscription(t, other, undefined, mode);
    assert.deepEqual(await events(partnerId, mode), [], 'the catalog of its subscription is the first one told');
    await priceSet(partnerId, key, '9.00');
    const [first, ...more] = await events(partnerId, mode);
    assert.deepEqual(more, []);
    const { event, event_id, since, changed, removed, prices_up, prices_down } = first;
    assert.deepEqual([event, changed, removed, prices_up, prices_down], ['catalog.changed', 1, 0, 0, 1]);
    assert.equal(event_id, `${mode === 'sandbox' ? 'sbx_' : ''}catalog.changed:${partnerId}:1`);
    assert.equal(since, version);
    const { body } = await t.get(`/catalog/changes?since=${since}`, { key });
    assert.deepEqual([body.version, body.changed.length], [first.version, 1]);

    await priceSet(partnerId, key, '9.50');
    t.clock.advance(5 * MINUTE - 1);
    assert.equal((await events(partnerId, mode)).length, 1, 'not within five minutes');
    t.clock.advance(1);
    const second = (await events(partnerId, mode))[1];
    assert.deepEqual([second.since, second.prices_up, second.prices_down], [first.version, 1, 0]);
    t.clock.advance(DAY);
    assert.equal((await events(partnerId, mode)).length, 2, 'nothing changed since');
    assert.deepEqual(await events(other, mode), []);
  });
}

test('a change right after subscribing is reported, also one of the catalog, and a plan that is taken off sale is removed', async () => {
  t.clock.freeze();
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  await pausedSubscription(t, partnerId, 'catalog.changed');
  const gone = (await testPlan(t, { price: 12 })).alias;
  await catalogKnows(t, gone);
  const [added] = await events(partnerId, 'sandbox');
  assert.deepEqual([added.changed, added.removed, added.prices_up, added.prices_down], [1, 0, 0, 0]);
  await run(t.operator(), `catalog product set ${gone} --on-sale false`);
  await eventually('it is off sale', async () => {
    const { body } = await t.get(`/purchase/quote?product_id=${gone}`, { key });
    return body.blocked_by === 'product_not_found';
  });
  // The five minutes are those of the test clock.
  await run(t.operator(), `sandbox clock advance --partner ${partnerId} --by 5m`);
  // A plan is refused from the database before the catalog in memory has followed.
  await eventually('the change is reported', async () => (await events(partnerId, 'sandbox')).length === 2);
  const [, second] = await events(partnerId, 'sandbox');
  assert.deepEqual([second.changed, second.removed], [0, 1]);
});
