import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { entry, type StockedApp, stockedApp } from '../../../../support/sales/catalog.ts';

interface Row {
  title: string;
  price: number;
  day: number;
}

const read = async (t: StockedApp, query: string) => (await t.get(`/catalog/products?${query}`, { key: t.key1 })).body;
const titles = async (t: StockedApp, query: string) => (await read(t, query)).products.map((row: Row) => row.title);

test('every parameter is refused with its own code, never ignored', async () => {
  await using t = await stockedApp([]);
  const refused: Record<string, string> = {
    '': 'country_required',
    'country=': 'country_required',
    'country=T': 'invalid_country',
    'country=T%20R': 'invalid_country',
    'country=TR&country=FR': 'invalid_country',
    'country[]=TR': 'invalid_country',
    'country=QQ': 'country_not_found',
    'country=TR&type=world': 'invalid_type',
    'country=TR&include_small=2': 'invalid_include_small',
    'country=TR&all_variants=yes': 'invalid_all_variants',
    'country=TR&usage_metered=2': 'invalid_usage_metered',
    'country=TR&unlimited=true': 'invalid_unlimited',
    'country=TR&network_type=3G': 'invalid_network_type',
    'country=TR&min_data_mb=-1': 'invalid_min_data_mb',
    'country=TR&max_data_mb=10485761': 'invalid_max_data_mb',
    'country=TR&day=0': 'invalid_day',
    'country=TR&min_day=x': 'invalid_min_day',
    'country=TR&max_day=3651': 'invalid_max_day',
    'country=TR&min_price=-0.01': 'invalid_min_price',
    'country=TR&max_price=100000.01': 'invalid_max_price',
    'country=TR&sort=name': 'invalid_sort',
    'country=TR&order=up': 'invalid_order',
    'country=TR&limit=0': 'invalid_limit',
    'country=TR&limit=501': 'invalid_limit',
    'country=TR&offset=1000000': 'invalid_offset',
    'country=TR&sort=day&sort=data': 'invalid_sort',
  };
  for (const [query, code] of Object.entries(refused)) {
    const { status, body } = await t.get(`/catalog/products?${query}`, { key: t.key1 });
    assert.deepEqual([query, status, body.error], [query, code === 'country_not_found' ? 404 : 400, code]);
  }
});

test('without filters: defaults, an empty list of filters, and the destination', async () => {
  await using t = await stockedApp([entry({ title: 'A' })]);
  const { products, ...rest } = await read(t, 'country=TR&type=&sort=');
  assert.equal(products.length, 1);
  assert.deepEqual(rest, {
    result: 'ok',
    code: '200',
    title: 'Successful',
    api_version: 3,
    country_code: 'TR',
    country: {
      country_code: 'TR',
      title: 'Türkiye',
      slug: 'turkiye',
      image: 'http://panel.test/flags/tr.svg',
      region: '',
    },
    include_small: false,
    all_variants: false,
    total: 1,
    matched: 1,
    count: 1,
    truncated: false,
    limit: 500,
    offset: 0,
    sort: 'price',
    order: 'asc',
    filters: [],
  });
});

test('a country or region is found by code or slug in any case; sold without plans is an empty list', async () => {
  await using t = await stockedApp([
    entry({ title: 'Country' }),
    entry({ title: 'Region', destination: 'europe', coverage: ['TR', 'FR'] }),
  ]);
  for (const name of ['TR', 'tr', 'turkiye', 'Turkiye'])
    assert.deepEqual(await titles(t, `country=${name}`), ['Country']);
  for (const name of ['europe', 'EUROPE']) assert.deepEqual(await titles(t, `country=${name}`), ['Region']);
  const region = await read(t, 'country=Europe');
  assert.deepEqual([region.country_code, region.country.region], ['europe', 'europe']);
  const none = await read(t, 'country=NU');
  assert.deepEqual([none.result, none.total, none.products], ['ok', 0, []]);
});

test('type: regional or global on a country gives the wider plans that cover it, before grouping and total', async () => {
  await using t = await stockedApp([
    entry({ title: 'Country' }),
    entry({ title: 'Both', destination: 'europe', coverage: ['TR', 'FR'] }),
    entry({ title: 'France only', destination: 'europe', coverage: ['FR'] }),
    entry({ title: 'World', destination: 'global', coverage: ['TR', 'JP'] }),
  ]);
  assert.deepEqual(await titles(t, 'country=TR&type=country'), ['Country']);
  assert.deepEqual(await titles(t, 'country=TR&type=regional'), ['Both']);
  assert.deepEqual(await titles(t, 'country=TR&type=global'), ['World']);
  assert.deepEqual(await titles(t, 'country=FR&type=global'), []);
  assert.deepEqual(await titles(t, 'country=europe&type=global'), ['World']);
  assert.deepEqual(await titles(t, 'country=europe&type=country'), []);
  assert.deepEqual(await titles(t, 'country=global&type=regional'), []);
  const { filters, total } = await read(t, 'country=TR&type=regional');
  assert.deepEqual([filters, total], [{ type: 'regional' }, 1]);
});

suite('grouping, small packages and filters', () => {
  let t: StockedApp;
  before(async () => {
    t = await stockedApp([
      entry({ title: 'cheap 4G', price: 5, is_usage_metered: true }),
      entry({ title: 'same 5G', price: 6, network_type: '5G' }),
      entry({ title: 'same 4G', price: 6 }),
      entry({ title: 'small', amount: 500, price: 1 }),
      entry({ title: 'unlimited', amount: 0, price: 20 }),
      entry({ title: 'unlimited dear', amount: 0, price: 30, network_type: '5G' }),
    ]);
  });
  after(() => t[Symbol.asyncDispose]());

  test('one winner per group by default; filters run after that choice, across every variant with all_variants', async () => {
    assert.deepEqual(await titles(t, 'country=TR'), ['cheap 4G', 'unlimited']);
    const fast = await read(t, 'country=TR&network_type=5g');
    assert.deepEqual([fast.total, fast.matched, fast.products, fast.filters], [2, 0, [], { network_type: '5G' }]);
    assert.deepEqual(await titles(t, 'country=TR&network_type=5G&all_variants=1'), ['same 5G', 'unlimited dear']);
    assert.equal((await read(t, 'country=TR&all_variants=1')).total, 5);
  });

  test('include_small adds packages under 1 GB, and counts them in total', async () => {
    const { total, include_small, products } = await read(t, 'country=TR&include_small=1');
    assert.deepEqual([total, include_small], [3, true]);
    assert.equal(products[0].title, 'small');
    assert.deepEqual([products[0].data, products[0].price_per_gb], ['500 MB', 2.05]);
  });

  test('usage_metered and unlimited: 1 only those, 0 only others, empty both', async () => {
    assert.deepEqual(await titles(t, 'country=TR&usage_metered=1'), ['cheap 4G']);
    assert.deepEqual(await titles(t, 'country=TR&usage_metered=0'), ['unlimited']);
    assert.deepEqual(await titles(t, 'country=TR&unlimited=1'), ['unlimited']);
    assert.deepEqual(await titles(t, 'country=TR&unlimited=0'), ['cheap 4G']);
    assert.deepEqual(await titles(t, 'country=TR&unlimited='), ['cheap 4G', 'unlimited']);
    assert.deepEqual((await read(t, 'country=TR&unlimited=0')).filters, { unlimited: 0 });
  });

  test('data filters compare the amount, which is 0 for unlimited plans', async () => {
    assert.deepEqual(await titles(t, 'country=TR&min_data_mb=1'), ['cheap 4G']);
    assert.deepEqual(await titles(t, 'country=TR&max_data_mb=100'), ['unlimited']);
    const { filters, matched } = await read(t, 'country=TR&min_data_mb=2&max_data_mb=1');
    assert.deepEqual([filters, matched], [{ min_data_mb: 2, max_data_mb: 1 }, 0]);
  });
});

test('sort and order; plans with no per-GB value last in both directions', async () => {
  await using t = await stockedApp([
    entry({ title: 'b', amount: 2048, day: 30, price: 30 }),
    entry({ title: 'A', amount: 1024, day: 7, price: 10 }),
    entry({ title: 'c', amount: 0, day: 1, price: 20 }),
  ]);
  const order = async (query: string) => (await titles(t, `country=TR&${query}`)).join('');
  assert.equal(await order('sort=price'), 'Acb');
  assert.equal(await order('sort=price&order=desc'), 'bcA');
  assert.equal(await order('sort=price_per_gb'), 'Abc');
  assert.equal(await order('sort=price_per_gb&order=desc'), 'bAc');
  assert.equal(await order('sort=data'), 'cAb');
  assert.equal(await order('sort=day&order=desc'), 'bAc');
  assert.equal(await order('sort=title'), 'Abc');
  assert.equal(await order('sort=title&order=desc'), 'cbA');
});

test('limit, offset, matched, count and truncated', async () => {
  await using t = await stockedApp([1, 2, 3, 4, 5].map((day) => entry({ day, price: day })));
  const window = async (query: string) => {
    const { matched, count, truncated, limit, offset, products } = await read(t, `country=TR&${query}`);
    return { matched, count, truncated, limit, offset, days: products.map((row: Row) => row.day) };
  };
  assert.deepEqual(await window('limit=2'), {
    matched: 5,
    count: 2,
    truncated: true,
    limit: 2,
    offset: 0,
    days: [1, 2],
  });
  assert.deepEqual(await window('limit=2&offset=3'), {
    matched: 5,
    count: 2,
    truncated: false,
    limit: 2,
    offset: 3,
    days: [4, 5],
  });
  assert.deepEqual((await window('offset=999999')).count, 0);
  assert.deepEqual((await window('min_day=2&max_day=4&limit=1&offset=1')).days, [3]);
  assert.deepEqual((await window('day=5')).days, [5]);
});

test('more than 500 plans: 500 rows and truncated', async () => {
  await using t = await stockedApp(Array.from({ length: 501 }, (_, i) => entry({ day: i + 1 })));
  const { matched, count, truncated } = await read(t, 'country=TR');
  assert.deepEqual([matched, count, truncated], [501, 500, true]);
});

test('sandbox_error=country_not_found is simulated before the fields are read', async () => {
  await using t = await stockedApp([]);
  const key = await t.key(t.partner1, 'sandbox');
  const { status, body } = await t.get('/catalog/products?sandbox_error=country_not_found', { key });
  assert.deepEqual([status, body.error, body.livemode], [404, 'country_not_found', false]);
});
