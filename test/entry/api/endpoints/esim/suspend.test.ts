import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Supplier, SwitchAnswer } from '../../../../../src/domains/supply/port/port.ts';
import { DAY } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { refused, sandbox } from '../../../../support/refusal.ts';
import type { StockedApp } from '../../../../support/sales/catalog.ts';
import {
  type OwnedEsim,
  ownEsim,
  refill,
  refillShop,
  type Shopper,
  shopperIn,
  withdraw,
} from '../../../../support/sales/refills.ts';
import { bodies, eventIds, subscribePaused } from '../../../../support/servers/queued-events.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
  t.clock.freeze();
});
after(() => t[Symbol.asyncDispose]());

const worlds = ['live', 'sandbox'] as const;
const EVENTS = 'esim.suspended,esim.resumed';
const suspend = ({ key }: Shopper, { iccid }: { iccid: string }) => t.post('/esim/suspend', { iccid }, { key });
const resume = ({ key }: Shopper, { iccid }: { iccid: string }) => t.post('/esim/resume', { iccid }, { key });
const detail = async ({ key }: Shopper, { iccid }: OwnedEsim) => (await t.get(`/esim/detail/${iccid}`, { key })).body;
const iccidsIn = async ({ key }: Shopper, state: string): Promise<string[]> =>
  (await t.get(`/esim/list?state=${state}`, { key })).body.esims.map(({ iccid }: OwnedEsim) => iccid);

/** What the supplier answers from now on, and how often it was asked. */
async function supplierAnswers(answer: () => Promise<SwitchAnswer>) {
  const supplier: { -readonly [K in 'suspend' | 'resume']?: Supplier[K] } =
    await t.base.worlds.live.suppliers.of('aurora');
  const { suspend: off, resume: on } = supplier;
  const asked: string[] = [];
  supplier.suspend = async () => {
    asked.push('suspend');
    return answer();
  };
  supplier.resume = async () => {
    asked.push('resume');
    return answer();
  };
  return {
    asked,
    [Symbol.dispose]() {
      Object.assign(supplier, { suspend: off, resume: on });
    },
  };
}

for (const mode of worlds)
  suite(mode, () => {
    test('suspending and resuming answer the eSIM, however often, and send one event per real change', async () => {
      const shopper = await shopperIn(t, mode);
      await subscribePaused(t, shopper.partnerId, mode, EVENTS);
      const esim = await ownEsim(t, shopper, { reference: 'trip 9' });
      const first = await suspend(shopper, esim);
      assert.equal(first.status, 200, first.text);
      assert.equal(first.body.esim.state, 'suspended');
      assert.match(first.body.message, /data and days run on/i);
      const { esims } = (await t.get('/esim/list', { key: shopper.key })).body;
      const { share_url, ...row } = esims[0];
      assert.deepEqual(first.body.esim, row);
      for (let round = 0; round < 3; round++) assert.deepEqual((await suspend(shopper, esim)).body, first.body);
      assert.equal((await detail(shopper, esim)).esim.state, 'suspended');
      const back = await resume(shopper, esim);
      assert.deepEqual([back.status, back.body.esim.state], [200, 'not_active']);
      assert.deepEqual((await resume(shopper, esim)).body, back.body);
      await suspend(shopper, esim);
      const prefix = mode === 'sandbox' ? 'sbx_' : '';
      assert.deepEqual(await eventIds(t, shopper.partnerId, mode), [
        `${prefix}esim.suspended:${esim.iccid}:1`,
        `${prefix}esim.resumed:${esim.iccid}:1`,
        `${prefix}esim.suspended:${esim.iccid}:2`,
      ]);
      const [body] = await bodies(t, shopper.partnerId, mode);
      assert.deepEqual(
        [body.iccid, body.order_id, body.reference, Object.keys(body.profile)],
        [esim.iccid, esim.orderId, 'trip 9', ['state', 'device', 'country', 'covered', 'seen_at']],
      );
    });

    test('resuming what was never suspended is 200, leaves nothing behind and sends nothing', async () => {
      const shopper = await shopperIn(t, mode);
      await subscribePaused(t, shopper.partnerId, mode, EVENTS);
      const esim = await ownEsim(t, shopper);
      const answer = await resume(shopper, esim);
      assert.deepEqual([answer.status, answer.body.esim.state], [200, 'not_active']);
      assert.deepEqual(await eventIds(t, shopper.partnerId, mode), []);
      const kept = await t.base.worlds[mode].db.query(sql`select from esim_profiles where order_id = ${esim.orderId}`);
      assert.equal(kept.length, 0);
    });

    test('twenty at once switch it once, and all get the same answer', async () => {
      const shopper = await shopperIn(t, mode);
      await subscribePaused(t, shopper.partnerId, mode, EVENTS);
      const esim = await ownEsim(t, shopper);
      const answers = await Promise.all(Array.from({ length: 20 }, () => suspend(shopper, esim)));
      assert.deepEqual(
        [...new Set(answers.map(({ status, body }) => `${status} ${body.esim?.state}`))],
        ['200 suspended'],
      );
      assert.equal((await eventIds(t, shopper.partnerId, mode)).length, 1);
    });

    test('refused: without an ICCID, unknown or not yours (byte for byte the same), cancelled', async () => {
      const [shopper, other] = [await shopperIn(t, mode), await shopperIn(t, mode)];
      const extra = mode === 'sandbox' ? sandbox : {};
      const foreign = await ownEsim(t, other);
      const cancelled = await ownEsim(t, shopper);
      await withdraw(t, mode, cancelled);
      for (const ask of [suspend, resume]) {
        refused(await ask(shopper, { iccid: '' }), 'iccid_required', extra);
        const unknown = await ask(shopper, { iccid: '8999999999999999999' });
        refused(unknown, 'esim_not_found', extra);
        for (const iccid of [foreign.iccid, 'nonsense', '1'.repeat(40)])
          assert.equal((await ask(shopper, { iccid })).text, unknown.text);
        refused(await ask(shopper, cancelled), 'esim_not_active', extra);
      }
      assert.equal((await detail(other, foreign)).esim.state, 'not_active');
    });

    test('a key that may only read is refused, and so is a caller without a key', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      const key = await t.key(shopper.partnerId, mode, { permissions: ['read'] });
      const extra = mode === 'sandbox' ? sandbox : {};
      for (const path of ['/esim/suspend', '/esim/resume']) {
        refused(await t.post(path, { iccid: esim.iccid }, { key }), 'key_not_permitted', {
          permission: 'money',
          ...extra,
        });
        assert.equal((await t.post(path, { iccid: esim.iccid }, {})).body.error, 'api_key_required');
      }
      assert.equal((await detail(shopper, esim)).esim.state, 'not_active');
    });

    test('the filter finds exactly what the rows show, whichever state it was suspended in', async () => {
      const shopper = await shopperIn(t, mode);
      const [a, b, c] = [await ownEsim(t, shopper), await ownEsim(t, shopper), await ownEsim(t, shopper)];
      await suspend(shopper, a);
      await suspend(shopper, c);
      assert.deepEqual(await iccidsIn(shopper, 'suspended'), [c.iccid, a.iccid]);
      assert.deepEqual(await iccidsIn(shopper, 'not_active'), [b.iccid]);
      const page = (await t.get(`/esim/list?state=suspended&limit=1`, { key: shopper.key })).body;
      assert.equal(page.has_more, true);
      const rest = (await t.get(`/esim/list?state=suspended&before_id=${c.orderId}`, { key: shopper.key })).body;
      assert.deepEqual([rest.esims.length, rest.has_more], [1, false]);
      await resume(shopper, c);
      assert.deepEqual(await iccidsIn(shopper, 'suspended'), [a.iccid]);
    });

    test('a suspended eSIM can be refilled and stays suspended; returned, it is cancelled', async () => {
      const shopper = await shopperIn(t, mode);
      const [refilled, returned] = [await ownEsim(t, shopper), await ownEsim(t, shopper)];
      await suspend(shopper, refilled);
      await suspend(shopper, returned);
      assert.equal((await refill(t, shopper, refilled)).status, 200);
      const now = await detail(shopper, refilled);
      assert.deepEqual([now.esim.state, now.orders.length], ['suspended', 2]);
      const { body } = await t.post('/order/refund', { order_id: String(returned.orderId) }, { key: shopper.key });
      assert.equal(body.refund.status, 'refunded');
      assert.equal((await detail(shopper, returned)).esim.state, 'cancelled');
      assert.deepEqual(await iccidsIn(shopper, 'suspended'), [refilled.iccid]);
      assert.deepEqual(await iccidsIn(shopper, 'cancelled'), [returned.iccid]);
    });
  });

suite('sandbox', () => {
  test('days run on: a suspended eSIM expires, and is then neither suspended nor resumed', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const esim = await ownEsim(t, shopper, { sandbox_usage: 'active' });
    await suspend(shopper, esim);
    assert.deepEqual(await iccidsIn(shopper, 'active'), []);
    await t.post('/sandbox/clock', { advance: String((40 * DAY) / 1000) }, { key: shopper.key });
    assert.equal((await detail(shopper, esim)).esim.state, 'expired');
    assert.deepEqual(await iccidsIn(shopper, 'suspended'), []);
    assert.deepEqual(await iccidsIn(shopper, 'expired'), [esim.iccid]);
    for (const ask of [suspend, resume]) refused(await ask(shopper, esim), 'esim_not_active', sandbox);
  });

  test('each of its codes can be simulated, and nothing happens', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const esim = await ownEsim(t, shopper);
    for (const path of ['/esim/suspend', '/esim/resume'])
      for (const code of ['iccid_required', 'esim_not_found', 'esim_not_active', 'not_supported'] as const)
        refused(await t.post(path, { iccid: esim.iccid, sandbox_error: code }, { key: shopper.key }), code, {
          ...sandbox,
          sandbox_simulated: true,
        });
    assert.equal((await detail(shopper, esim)).esim.state, 'not_active');
  });

  test('a reset forgets it', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    await suspend(shopper, await ownEsim(t, shopper));
    await t.post('/account/sandboxReset', {}, { key: shopper.key });
    const kept = await t.base.worlds.sandbox.db.query(sql`
      select from esim_profiles where partner_id = ${shopper.partnerId}`);
    assert.equal(kept.length, 0);
    assert.deepEqual(await iccidsIn(shopper, 'suspended'), []);
  });
});

suite('the supplier', () => {
  test('that refuses: not_supported, and nothing changed', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    using supplier = await supplierAnswers(async () => ({ outcome: 'refused', reason: 'not this one' }));
    refused(await suspend(shopper, esim), 'not_supported');
    assert.equal((await detail(shopper, esim)).esim.state, 'not_active');
    refused(await suspend(shopper, esim), 'not_supported');
    assert.deepEqual(supplier.asked, ['suspend', 'suspend']);
  });

  test('that cannot: not_supported, and the capabilities say so', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    assert.deepEqual((await detail(shopper, esim)).esim.capabilities, ['suspend', 'replace', 'refill', 'refund']);
    using _restored = await supplierAnswers(async () => ({ outcome: 'done' }));
    const supplier = await t.base.worlds.live.suppliers.of('aurora');
    Object.assign(supplier, { suspend: undefined, resume: undefined });
    for (const ask of [suspend, resume]) refused(await ask(shopper, esim), 'not_supported');
    assert.deepEqual((await detail(shopper, esim)).esim.capabilities, ['replace', 'refill', 'refund']);
  });

  test('that does not answer: service_unavailable; the next request asks it again, whichever way it wants it', async () => {
    const shopper = await shopperIn(t, 'live');
    await subscribePaused(t, shopper.partnerId, 'live', EVENTS);
    const esim = await ownEsim(t, shopper);
    let answer: SwitchAnswer = { outcome: 'unavailable', reason: 'no answer' };
    using supplier = await supplierAnswers(async () => answer);
    refused(await suspend(shopper, esim), 'service_unavailable');
    assert.equal((await detail(shopper, esim)).esim.state, 'not_active');
    answer = { outcome: 'done' };
    // It may have been suspended, so resuming it asks the supplier, too.
    assert.equal((await resume(shopper, esim)).body.esim.state, 'not_active');
    assert.equal((await resume(shopper, esim)).status, 200);
    assert.deepEqual(supplier.asked, ['suspend', 'resume']);
    assert.equal((await suspend(shopper, esim)).body.esim.state, 'suspended');
    assert.deepEqual(supplier.asked, ['suspend', 'resume', 'suspend']);
    assert.deepEqual(await eventIds(t, shopper.partnerId, 'live'), [`esim.suspended:${esim.iccid}:1`]);
  });

  test('is asked by one request at a time: suspending and resuming at once end as one of the two, here and there', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    let atOnce = 0;
    let most = 0;
    using supplier = await supplierAnswers(async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((done) => setTimeout(done, 20));
      atOnce--;
      return { outcome: 'done' };
    });
    await Promise.all([suspend, resume, suspend, resume].map((ask) => ask(shopper, esim)));
    assert.equal(most, 1);
    const state = (await detail(shopper, esim)).esim.state;
    assert.equal(state, supplier.asked.at(-1) === 'suspend' ? 'suspended' : 'not_active');
  });

  test('and its calls are in the log of the order', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    await suspend(shopper, esim);
    await resume(shopper, esim);
    const { supplierLog } = t.base.worlds.live;
    await supplierLog.flush();
    const calls = await supplierLog.ofOrder(BigInt(esim.orderId));
    assert.deepEqual(
      calls.slice(-2).map(({ operation, outcome }) => `${operation} ${outcome}`),
      ['suspend done', 'resume done'],
    );
  });
});
