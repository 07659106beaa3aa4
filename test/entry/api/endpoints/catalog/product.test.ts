import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { run } from '../../../../support/program/operator.ts';
import { entry, eventually, stockedApp } from '../../../../support/sales/catalog.ts';

test('catalog/product: every field of the contract, and what is good to know before selling', async () => {
  await using t = await stockedApp([
    entry({
      code: 'eu',
      destination: 'europe',
      title: 'Europe Unlimited 7 days',
      amount: 0,
      network_type: '5G',
      coverage: ['TR', 'FR', 'XK'],
      fup_kind: 'daily_throttle',
      fup_daily_mb: 1024,
      fup_speed_kbps: 512,
      fair_use_text: '1 GB per day.',
      voice: 60,
      install_window_days: 90,
      operator: {
        title: 'Europe Mobile',
        networks: ['Orange', 'Vodafone'],
        activation_policy: 'installation',
        rechargeability: true,
        is_kyc_verify: true,
        apn_type: 'manual',
        apn_value: 'web',
      },
    }),
  ]);
  const id = await t.alias('eu');
  const { status, body } = await t.get(`/catalog/product/${id}`, { key: t.key1 });
  assert.equal(status, 200);
  assert.deepEqual(body.product, {
    id,
    title: 'Europe Unlimited 7 days',
    country_code: 'europe',
    country_title: 'Europe',
    country_image: 'http://panel.test/flags/europe.svg',
    region: 'regional',
    continent: 'Europe',
    data: 'Unlimited',
    amount: 0,
    day: 7,
    is_unlimited: true,
    price: 10,
    sale_price: 10,
    price_per_gb: null,
    operator_title: 'Europe Mobile',
    network_type: '5G',
    coverage_codes: ['FR', 'TR', 'XK'],
    coverage_names_en: ['France', 'Türkiye', 'Kosovo'],
    fup_kind: 'daily_throttle',
    fup_daily_mb: 1024,
    fup_speed_kbps: 512,
    fair_use_text: '1 GB per day.',
    is_usage_metered: 0,
    partner_price: 10,
    partner_discount: '0.00',
    partner_margin_share_pct: '0.00',
    source: 'none',
    networks: ['Orange', 'Vodafone'],
    activation_policy: 'installation',
    refillable: true,
    kyc_required: true,
    apn: { type: 'manual', value: 'web' },
    voice_minutes: 60,
    sms: 0,
    install_window_days: 90,
  });
});

test('a variant hidden by grouping is readable', async () => {
  await using t = await stockedApp([entry({ code: 'cheap', price: 5 }), entry({ code: 'dear', price: 9 })]);
  const list = await t.get('/catalog/products?country=TR', { key: t.key1 });
  assert.equal(list.body.total, 1);
  const hidden = await t.get(`/catalog/product/${await t.alias('dear')}`, { key: t.key1 });
  assert.deepEqual([hidden.status, hidden.body.product.price], [200, 9]);
});

const t = await stockedApp([entry({ code: 'one' })]);
after(() => t[Symbol.asyncDispose]());

test('product ids: none 400, raw internal id 404, unknown alias 404, any other shape 400', async () => {
  const { internal_id } = await run(t.operator(), `catalog product show ${await t.alias('one')}`);
  const answer = async (path: string) => {
    const { status, body } = await t.get(path, { key: t.key1 });
    return `${status} ${body.error}`;
  };
  assert.equal(await answer('/catalog/product'), '400 product_id_required');
  assert.equal(await answer('/catalog/product/'), '400 product_id_required');
  assert.equal(await answer(`/catalog/product/${internal_id}`), '404 product_not_found');
  assert.equal(await answer('/catalog/product/esc_0123456789abcdef'), '404 product_not_found');
  assert.equal(await answer('/catalog/product/ESC_0123456789abcdef'), '400 invalid_product');
  assert.equal(await answer('/catalog/product/esc_0123456789abcdeg'), '400 invalid_product');
  assert.equal(await answer('/catalog/product/x'), '400 invalid_product');
});

test('a raw internal id and an unknown alias get byte-equal answers', async () => {
  const raw = await t.get('/catalog/product/1', { key: t.key1 });
  const unknown = await t.get('/catalog/product/esc_ffffffffffffffff', { key: t.key1 });
  assert.equal(raw.text, unknown.text);
});

test('a product no longer on sale: 404 product_not_found, and it comes back', async () => {
  const id = await t.alias('one');
  const read = () => t.get(`/catalog/product/${id}`, { key: t.key1 });
  await run(t.operator(), `catalog product set ${id} --on-sale false`);
  await eventually(async () => assert.equal((await read()).body.error, 'product_not_found'));
  await run(t.operator(), `catalog product set ${id} --on-sale true`);
  await eventually(async () => assert.equal((await read()).status, 200));
});

test('a product without a sellable price is not listed', async () => {
  await using t = await stockedApp([entry({ price: 0 }), entry({ price: 3 })]);
  const { body } = await t.get('/catalog/products?country=TR&all_variants=1', { key: t.key1 });
  assert.deepEqual(
    body.products.map((row: { price: number }) => row.price),
    [3],
  );
});

test('sandbox_error=product_not_found is simulated', async () => {
  const key = await t.key(t.partner1, 'sandbox');
  const { status, body } = await t.get(`/catalog/product/${await t.alias('one')}?sandbox_error=product_not_found`, {
    key,
  });
  assert.deepEqual([status, body.error, body.sandbox_simulated], [404, 'product_not_found', true]);
});
