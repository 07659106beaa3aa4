import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testFolder } from '../../support/database/folder.ts';
import { eventually } from '../../support/eventually.ts';
import { airaloKey, type Credentials } from '../../support/program/airalo-client.ts';
import { run } from '../../support/program/operator.ts';
import { buy } from '../../support/sales/shop.ts';
import { type Lower, openLower } from '../../support/suppliers/downstream.ts';
import { upperServer } from '../../support/suppliers/upper-server.ts';
import { openUpper, UPPER, type Upper } from '../../support/suppliers/upstream.ts';

/*
 * Two installations that speak Airalo's protocol: the lower one buys with our adapter for Airalo, the upper one sells through its door for
 * Airalo's clients. Between them is a road on which answers can be lost.
 */

async function chained() {
  const upper = await openUpper({ airaloDoor: true, requestMs: 6 * SECOND });
  return { upper, airalo: await airaloKey(upper, upper.partnerId, 'live') };
}

suite('a chain of two installations through Airalo’s protocol', () => {
  let upper: Upper;
  let airalo: Credentials;
  let t: Lower;
  before(async () => {
    ({ upper, airalo } = await chained());
    t = await openLower(upper, { airalo });
  });
  after(async () => {
    for (const { base } of [t, upper]) assert.deepEqual((await proveBooks(base.worlds.live.db, () => {})).drift, []);
    await t[Symbol.asyncDispose]();
    await upper[Symbol.asyncDispose]();
  });
  const bought = async () => (await upper.orders()).filter(({ status }) => status !== 2).length;

  test('every plan is imported, with our price there as its cost, and refills fit the eSIMs that they fit there', async () => {
    const { plans } = await t.base.db.one<{ plans: number }>(sql`
      select count(*)::int as plans from plans where on_sale and refills is null`);
    assert.equal(plans, 4);
    const { product } = (await t.get(`/catalog/product/${await t.alias(UPPER.esim)}`, { key: t.key1 })).body;
    assert.deepEqual([product.country_code, product.amount, product.day, product.price], ['JP', 1024, 7, 10]);
    const shown = await run(t.operator(), `catalog product show ${await t.alias(UPPER.esim)}`);
    assert.deepEqual([shown.supplier, shown.cost], ['airalo', '7.000000']);
    const world = await run(t.operator(), `catalog product show ${await t.alias(UPPER.world)}`);
    assert.equal(world.destination, 'global');
    const { refills } = await t.base.db.one<{ refills: string[] }>(sql`
      select refills from plans where supplier_plan = ${await upper.alias(UPPER.refill)}`);
    assert.deepEqual(refills, [await upper.alias(UPPER.esim)]);
  });

  test('bought, delivered with its activation data, and its usage read', async () => {
    const before = await bought();
    const { status, body } = await buy(t, t.key1, await t.alias(UPPER.esim));
    assert.deepEqual([status, body.delivery], [200, 'delivered'], JSON.stringify(body));
    const { esim, order } = await t.detail(body.id);
    const theirs = (await upper.get(`/order/detail/${order.api_sale_id}`, { key: upper.liveKey })).body;
    assert.deepEqual([esim.activationCode, esim.iccid], [theirs.esim.activationCode, theirs.esim.iccid]);
    assert.equal(await bought(), before + 1);
    const { usage } = (await t.get(`/order/usage/${esim.iccid}`, { key: t.key1 })).body;
    assert.deepEqual([usage.status, usage.total_mb, usage.used_mb], ['not_active', 1024, 0]);
    assert.deepEqual(await run(t.operator(), 'supplier charges'), [], 'they charge what the list says');
  });

  test('deferred there is deferred here, and delivered when it is delivered there', async () => {
    await upper.behave('delay');
    const { status, body } = await buy(t, t.key1, await t.alias(UPPER.esim));
    assert.deepEqual([status, body.delivery_reason], [202, 'awaiting_profile']);
    await upper.passDelay();
    await t.delivered(body.id);
    await upper.behave('deliver');
  });

  test('failed there is failed here, and refunded', async () => {
    const before = await t.balance();
    await upper.behave('refuse');
    const { body } = await buy(t, t.key1, await t.alias(UPPER.esim));
    assert.deepEqual([body.delivery, body.delivery_reason], ['failed', 'provider_rejected']);
    assert.equal(await t.balance(), before);
    await upper.behave('deliver');
  });

  test('after a lost answer the order is found by its description, and there is only one', async () => {
    const before = await bought();
    t.road.meet('break', /orders$/);
    const { body } = await buy(t, t.key1, await t.alias(UPPER.esim));
    assert.equal(body.delivery, 'delivered');
    assert.equal(await bought(), before + 1);
  });
});

test('a server that is killed in the middle of an order: it waits, is found when the server is back, and is one', async () => {
  const { upper, airalo } = await chained();
  await using _upper = upper;
  await using folder = await testFolder(0o700);
  const launch = upperServer(upper, folder.path, { AIRALO_DOOR: 'on' });
  let server = await launch();
  try {
    const { live, sandbox, legacy, panel } = server.urls;
    await using t = await openLower(upper, { url: new URL(live), airalo });
    // Their supplier does not answer, so that the order is under way for a while.
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
    t.clock.advance(5 * MINUTE);
    await t.delivered(body.id);
    assert.deepEqual(
      (await upper.orders()).map((one) => one.status),
      [1],
    );
  } finally {
    await server.end('SIGKILL');
  }
});
