import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { languages } from '../../../../../src/domains/messages/texts/texts.ts';
import { MINUTE } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { run } from '../../../../support/program/operator.ts';
import { refused } from '../../../../support/refusal.ts';
import type { StockedApp } from '../../../../support/sales/catalog.ts';
import { ownEsim, refill, refillShop, shopperIn, withdraw } from '../../../../support/sales/refills.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
  t.clock.freeze();
});
after(() => t[Symbol.asyncDispose]());

const ask = (key: string, iccid: string) => t.get(`/esim/detail/${iccid}`, { key });

for (const mode of ['live', 'sandbox'] as const) {
  const marked = mode === 'live' ? {} : { livemode: false };

  test(`${mode}: the eSIM, its usage, its delivered orders newest first, and the links that install it`, async () => {
    const shopper = await shopperIn(t, mode);
    const esim = await ownEsim(t, shopper, { reference: 'first' });
    await ownEsim(t, shopper);
    const more = (await refill(t, shopper, esim, 'more', { reference: 'second' })).body;
    const { body } = await ask(shopper.key, esim.iccid);
    const { state, profile, capabilities, ...block } = body.esim;
    assert.deepEqual(block, (await t.get(`/order/detail/${esim.orderId}`, { key: shopper.key })).body.esim);
    assert.equal(state, 'not_active');
    assert.deepEqual(profile, { state: 'released', device: null, country: null, covered: null, seen_at: null });
    assert.deepEqual(capabilities, ['suspend', 'replace', 'refill', 'refund']);
    assert.match(block.share_url, new RegExp(`/e/wft_${mode}-${esim.orderId}-0-`));
    assert.deepEqual(body.usage, (await t.get(`/order/usage/${esim.iccid}`, { key: shopper.key })).body.usage);
    const { date } = more.order;
    assert.deepEqual(body.orders, [
      {
        order_id: more.order_id,
        product_type: 'refill',
        product_id: await t.alias('more'),
        product_title: 'Two more',
        sale_price: '12.00',
        status: '1',
        reference: 'second',
        date,
      },
      {
        order_id: esim.orderId,
        product_type: 'esim',
        product_id: await t.alias('tr-1'),
        product_title: 'Türkiye 1 GB',
        sale_price: '10.00',
        status: '1',
        reference: 'first',
        date,
      },
    ]);
    const { steps, ...links } = body.install;
    assert.deepEqual(links, {
      apple_url: `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${block.activationCode}`,
      android_url: `https://esimsetup.android.com/esim_qrcode_provisioning?carddata=${block.activationCode}`,
    });
    assert.deepEqual([steps.lang, steps.iphone.length, steps.android.length], ['en', 4, 4]);
  });

  test(`${mode}: the steps are those of the traveller's page, in each of its languages`, async () => {
    const shopper = await shopperIn(t, mode);
    const { iccid } = await ownEsim(t, shopper);
    for (const [lang, { install }] of Object.entries(languages)) {
      const { steps } = (await ask(shopper.key, `${iccid}?lang=${lang}`)).body.install;
      assert.deepEqual(steps, { lang, iphone: install.iphone.steps, android: install.android.steps });
    }
    assert.equal((await ask(shopper.key, `${iccid}?lang=`)).body.install.steps.lang, 'en');
    for (const query of ['lang=xx', 'lang=EN', 'lang=__proto__', 'lang=en&lang=de', 'lang[]=en'])
      refused(await ask(shopper.key, `${iccid}?${query}`), 'invalid_lang', marked);
  });

  test(`${mode}: not yours and does not exist are the same answer, byte for byte`, async () => {
    const [owner, stranger] = [await shopperIn(t, mode), await shopperIn(t, mode)];
    const esim = await ownEsim(t, owner);
    const [foreign, missing] = [await ask(stranger.key, esim.iccid), await ask(stranger.key, '8900000000000000000')];
    assert.equal(foreign.text, missing.text);
    refused(foreign, 'esim_not_found', marked);
    refused(await ask(owner.key, '%27'), 'esim_not_found', marked);
    refused(await ask(owner.key, '1'.repeat(23)), 'esim_not_found', marked);
    refused(await ask(owner.key, ''), 'iccid_required', marked);
  });

  test(`${mode}: one that was withdrawn is cancelled`, async () => {
    const shopper = await shopperIn(t, mode);
    const esim = await ownEsim(t, shopper);
    await withdraw(t, mode, esim);
    assert.equal((await ask(shopper.key, esim.iccid)).body.esim.state, 'cancelled');
  });
}

test('sandbox: state and usage follow the script', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  for (const sandbox_usage of ['not_active', 'active', 'depleted', 'expired']) {
    const { body } = await ask(shopper.key, (await ownEsim(t, shopper, { sandbox_usage })).iccid);
    assert.deepEqual([body.esim.state, body.usage.status], [sandbox_usage, sandbox_usage]);
  }
});

test('live: a supplier that does not answer leaves the last reading, or null when there is none', async () => {
  const shopper = await shopperIn(t, 'live');
  const [known, unknown] = [await ownEsim(t, shopper), await ownEsim(t, shopper)];
  await run(t.operator(), `usage set ${known.iccid} --used 7`);
  assert.equal((await ask(shopper.key, known.iccid)).body.usage.used_mb, 7);
  t.clock.advance(5 * MINUTE);
  await t.base.db.run(sql`update simulated.orders set refused = true`);
  const { usage, esim } = (await ask(shopper.key, known.iccid)).body;
  assert.deepEqual([usage.used_mb, esim.state], [7, 'active']);
  const never = (await ask(shopper.key, unknown.iccid)).body;
  assert.deepEqual([never.usage, never.esim.state], [null, 'not_active']);
});
