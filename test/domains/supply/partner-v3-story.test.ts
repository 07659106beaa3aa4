import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { run } from '../../support/program/operator.ts';
import { buy } from '../../support/sales/shop.ts';
import { type Lower, openLower } from '../../support/suppliers/downstream.ts';
import { openUpper, UPPER, type Upper } from '../../support/suppliers/upstream.ts';

/*
 * Two installations: the lower one sells what the upper one has. Between them is a road on which answers can be lost, and which can be
 * narrowed to the contract itself.
 */

let upper: Upper;
before(async () => {
  upper = await openUpper();
});
after(() => upper[Symbol.asyncDispose]());

const bought = async () => (await upper.orders()).filter(({ status }) => status !== 2).length;

for (const bare of [true, false])
  suite(bare ? 'a chain, by the contract alone' : 'a chain of two installations', () => {
    let t: Lower;
    before(async () => {
      t = await openLower(upper, { bare });
    });
    after(() => t[Symbol.asyncDispose]());

    test('every plan is imported with their title, our price there as its cost, and their list price', async () => {
      const { plans } = await t.base.db.one<{ plans: number }>(sql`
        select count(*)::int as plans from plans where on_sale and refills is null`);
      assert.deepEqual([plans, t.counts.skipped], [4, 0]);
      const { product } = (await t.get(`/catalog/product/${await t.alias(UPPER.esim)}`, { key: t.key1 })).body;
      assert.deepEqual([product.title, product.country_code, product.price], ['Japan 1 GB', 'JP', 10]);
      const shown = await run(t.operator(), `catalog product show ${await t.alias(UPPER.esim)}`);
      assert.deepEqual([shown.supplier, shown.cost], ['acme', '7.000000']);
      const world = await run(t.operator(), `catalog product show ${await t.alias(UPPER.world)}`);
      assert.equal(world.destination, 'global');
      const [listed] = await run(t.operator(), 'supplier list');
      assert.deepEqual([listed.supplier, listed.kind, listed.configured], ['acme', 'partner_v3', true]);
      assert.equal((await run(t.operator(), 'supplier test --supplier acme')).ok, true);
    });

    test('bought, delivered with its activation data, and its usage read', async () => {
      const before = await bought();
      const { status, body } = await buy(t, t.key1, await t.alias(UPPER.esim));
      assert.deepEqual([status, body.delivery], [200, 'delivered']);
      const { esim, order } = await t.detail(body.id);
      const theirs = (await upper.get(`/order/detail/${order.api_sale_id}`, { key: upper.liveKey })).body;
      assert.deepEqual([esim.activationCode, esim.iccid], [theirs.esim.activationCode, theirs.esim.iccid]);
      assert.equal(await bought(), before + 1);
      const { usage } = (await t.get(`/order/usage/${esim.iccid}`, { key: t.key1 })).body;
      assert.deepEqual([usage.status, usage.total_mb, usage.used_mb], ['not_active', 1024, 0]);
      const charged = await run(t.operator(), 'supplier charges');
      assert.deepEqual(charged, [], 'they charge what the list says');
    });

    test(
      bare
        ? 'nothing is told of the phone, and suspending is not supported'
        : 'the phone and suspending are passed through',
      async () => {
        const { body } = await buy(t, t.key1, await t.alias(UPPER.esim));
        const { iccid } = (await t.detail(body.id)).esim;
        await run(upper.operator(), `usage set ${iccid} --used 300`);
        const { usage } = (await t.get(`/order/usage/${iccid}`, { key: t.key1 })).body;
        assert.deepEqual([usage.status, usage.used_mb], ['active', 300]);
        const shown = (await t.get(`/esim/detail/${iccid}`, { key: t.key1 })).body.esim;
        assert.equal(shown.profile.state, bare ? 'unknown' : 'enabled');
        const theirs = async () => (await upper.get(`/esim/detail/${iccid}`, { key: upper.liveKey })).body.esim.state;
        for (const [change, state] of [
          ['suspend', 'suspended'],
          ['resume', 'active'],
        ] as const) {
          const answer = await t.post(`/esim/${change}`, { iccid }, { key: t.key1 });
          if (bare && change === 'suspend')
            assert.deepEqual([answer.status, answer.body.error], [409, 'not_supported']);
          if (!bare) assert.deepEqual([answer.status, answer.body.esim?.state], [200, state]);
          assert.equal(await theirs(), bare ? 'active' : state);
        }
      },
    );

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

    test('after a lost answer the order is found within the purchase, and there is only one', async () => {
      const before = await bought();
      t.road.meet('break', /buy$/);
      const { status, body } = await buy(t, t.key1, await t.alias(UPPER.esim));
      assert.deepEqual([status, body.delivery], [200, 'delivered']);
      assert.equal(await bought(), before + 1);
    });

    test('no money there: the order waits, an operator is notified, and it arrives under the next key once there is', async () => {
      const was = upper.partnerId;
      const before = await upper.base.worlds.live.db.one<{ cash: string }>(sql`
        select cash::text from wallets where partner_id = ${was}`);
      await upper.base.worlds.live.db.run(sql`update wallets set cash = 0 where partner_id = ${was}`);
      const sold = await bought();
      const { status, body } = await buy(t, t.key1, await t.alias(UPPER.esim));
      assert.deepEqual([status, body.delivery_reason], [202, 'provider_unavailable']);
      assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('insufficient_balance')));
      await upper.base.worlds.live.db.run(
        sql`update wallets set cash = ${before.cash}::bigint where partner_id = ${was}`,
      );
      await t.delivered(body.id);
      assert.equal(await bought(), sold + 1);
      const keys = (await upper.orders()).slice(-2).map((one) => [one.status, one.key.endsWith('.2')]);
      assert.deepEqual(keys, [
        [2, false],
        [1, true],
      ]);
    });

    test('the books of both agree with what was sold', async () => {
      for (const one of [t, upper]) assert.deepEqual((await proveBooks(one.base.worlds.live.db, () => {})).drift, []);
    });
  });

suite('a chain of two installations, beyond the contract', () => {
  let t: Lower;
  before(async () => {
    t = await openLower(upper);
  });
  after(() => t[Symbol.asyncDispose]());

  test('our reference is on their order, and a later import brings only what changed', async () => {
    const { body } = await buy(t, t.key1, await t.alias(UPPER.esim));
    const last = (await upper.orders()).at(-1);
    assert.match(last?.reference ?? '', new RegExp(`^wf-live-${body.id}-\\d+$`));

    await run(upper.operator(), `catalog product set ${await upper.alias(UPPER.europe)} --price 12.00`);
    await run(upper.operator(), `catalog product set ${await upper.alias(UPPER.small)} --on-sale false`);
    t.road.requests.length = 0;
    const counts = await eventually('they tell what changed', async () => {
      const imported = await run(t.operator(), 'catalog import acme');
      return imported.off_sale === 1 && imported;
    });
    assert.equal(t.road.timesCalled(/catalog\/(products|export)/), 0);
    assert.deepEqual([counts.off_sale_plans.map((one: { title: string }) => one.title)], [['A little']]);
    const shown = await run(t.operator(), `catalog product show ${await t.alias(UPPER.europe)}`);
    assert.equal(shown.price, '12.00');
    await run(upper.operator(), `catalog product set ${await upper.alias(UPPER.small)} --on-sale true`);
  });

  test('a markup of ours applies to the whole list at the next import', async () => {
    await run(t.operator(), 'supplier set acme --markup 100');
    const counts = await run(t.operator(), 'catalog import acme');
    assert.ok(counts.plans >= 4);
    assert.equal((await run(t.operator(), `catalog product show ${await t.alias(UPPER.esim)}`)).price, '14.00');
    await run(t.operator(), 'supplier set acme --markup none');
    await run(t.operator(), 'catalog import acme');
  });

  test('a refill is known from the first import after a sale, and adds its data', async () => {
    const { body } = await buy(t, t.key1, await t.alias(UPPER.esim));
    const { iccid } = (await t.detail(body.id)).esim;
    await run(t.operator(), 'catalog import acme');
    const product_id = await t.alias(UPPER.refill);
    const refilled = await eventually('the catalog knows the refill', async () => {
      const answer = await t.post('/purchase/refill', { iccid, product_id }, { key: t.key1 });
      return answer.status === 200 && answer;
    });
    assert.equal(refilled.body.delivery, 'delivered');
    const { usage } = (await t.get(`/order/usage/${iccid}`, { key: t.key1 })).body;
    assert.equal(usage.total_mb, 3072);
  });

  test('an unused eSIM is handed back there, and the whole price goes back here; one in use is for a person', async () => {
    const [unused, used] = [
      await buy(t, t.key1, await t.alias(UPPER.esim)),
      await buy(t, t.key1, await t.alias(UPPER.esim)),
    ];
    const before = await t.balance();
    const refund = (order_id: string) => t.post('/order/refund', { order_id }, { key: t.key1 });
    assert.equal((await refund(unused.body.id)).body.refund.status, 'refunded');
    assert.equal(await t.balance(), before + 10);
    await run(upper.operator(), `usage set ${(await t.detail(used.body.id)).esim.iccid} --used 10`);
    assert.equal((await refund(used.body.id)).body.refund.status, 'requested');
    const { refunds } = await upper.base.worlds.live.db.one<{ refunds: number }>(sql`
      select count(*)::int as refunds from refunds`);
    assert.equal(refunds, 1, 'no refund is requested in vain');
  });
});

test('a test key at the other installation sells eSIMs that are not real, and the log says so', async () => {
  await using t = await openLower(upper, { test: true });
  const { body } = await buy(t, t.key1, await t.alias(UPPER.esim));
  assert.equal(body.delivery, 'delivered');
  assert.match((await t.detail(body.id)).esim.iccid, /^89000/);
  assert.equal((await upper.orders('sandbox')).length, 1);
  assert.ok(t.logged.some((line) => line.includes('the key is a test key')));
});
