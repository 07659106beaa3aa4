import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { eventually } from '../../support/eventually.ts';
import { testApp } from '../../support/program/app.ts';

const html = { accept: 'text/html' };
const t = await testApp({ demo: true });
after(() => t[Symbol.asyncDispose]());
const get = (path: string) => t.get(path, { host: 'panel', headers: html });
const key = await t.key(await t.partner());
const products = async (query: string) =>
  (await t.get(`/catalog/products?${query}`, { key })).body.products as {
    id: string;
    price: number;
    day: number;
    data: string;
    networks: string[];
  }[];
const rowsOf = (text: string) => [...text.matchAll(/<tr><td>(.*?)<\/tr>/g)].map(([row]) => row);

suite('a destination', () => {
  test('shows the plans that the API lists for it, small ones too, at their list prices, cheapest first', async () => {
    const { status, text } = await get('/destinations/japan');
    assert.equal(status, 200);
    const offered = await products('country=JP&include_small=1&limit=100&sort=price');
    const rows = rowsOf(text);
    assert.ok(rows.length > 5);
    assert.deepEqual(
      rows.map((row) => /<code>(esc_\w+)<\/code>/.exec(row)?.[1]).sort(),
      offered.map(({ id }) => id).sort(),
    );
    for (const { id, price, data } of offered) {
      const row = rows.find((one) => one.includes(id)) ?? '';
      assert.ok(row.includes(`>${price.toFixed(2)}<`) && row.includes(`<td>${data}</td>`), row);
    }
    const prices = rows.map((row) => Number(/class="amount">([\d.]+)</.exec(row)?.[1]));
    assert.deepEqual(
      prices,
      prices.toSorted((a, b) => a - b),
    );
  });

  test('has a title, a description and an address of its own for search engines', async () => {
    const { text } = await get('/destinations/japan');
    assert.match(text, /<title>eSIM for Japan · /);
    assert.match(text, /<meta name="description" content="\d+ travel eSIM plans for Japan from \d+\.\d\d USD/);
    assert.match(text, /rel="canonical" href="[^"]+\/destinations\/japan"/);
    assert.match((await get('/sitemap.xml')).text, /\/destinations\/japan</);
  });

  test('names the regions that include it, with links', async () => {
    assert.match(
      (await get('/destinations/japan')).text,
      /Regions that include Japan<\/h2>.*href="\/destinations\/[a-z-]+"/,
    );
  });

  test('that is not sold, in another spelling, or not one at all is not found', async () => {
    for (const path of [
      '/destinations/atlantis',
      '/destinations/Japan',
      '/destinations/JP',
      '/destinations/',
      '/destinations/japan/1',
    ])
      assert.equal((await get(path)).status, 404, path);
  });

  test('leaves the list with its last plan, and comes back with it', async () => {
    const setSale = (onSale: boolean) =>
      t.base.db
        .query(sql`update plans set on_sale = ${onSale} where destination = 'JP'`)
        .then(() => t.base.db.query(sql`select pg_notify('wayfare_catalog', '')`));
    await setSale(false);
    await eventually('Japan leaves', async () => (await get('/destinations/japan')).status === 404);
    assert.doesNotMatch((await get('/destinations')).text, /href="\/destinations\/japan"/);
    await setSale(true);
    await eventually('Japan is back', async () => (await get('/destinations/japan')).status === 200);
  });
});

suite('the search', () => {
  const search = async (q: string) => (await get(`/destinations?q=${encodeURIComponent(q)}`)).text;

  test('answers a name with its lowest price, its number of plans and its networks', async () => {
    const offered = await products('country=JP&include_small=1&limit=100&sort=price');
    const lowest = Math.min(...offered.map(({ price }) => price)).toFixed(2);
    const text = await search('japan');
    assert.match(
      text,
      new RegExp(`/destinations/japan">Japan</a><p>from <b>${lowest} USD</b> · ${offered.length} plans · \\w+`),
    );
    assert.match(text, /noindex/);
  });

  test('finds by the beginnings of words and by code, and says so when nothing is found', async () => {
    assert.match(await search('unit king'), /\/destinations\/united-kingdom"/);
    assert.match(await search('jp'), /\/destinations\/japan"/);
    const many = await search('s');
    const rows = many.match(/href="\/destinations\/[^"]+"/g)?.length;
    assert.equal(/role="status">(\d+) destinations/.exec(many)?.[1], String(rows), 'all that are counted are listed');
    assert.match(await search('atlantis'), /No destination is called “atlantis”/);
  });

  test('repeats what was asked as text, never as markup, and only so much of it', async () => {
    assert.doesNotMatch(await search('"><script>alert(1)</script>'), /<script>alert/);
    assert.ok((await search('x'.repeat(5_000))).length < 20_000);
  });
});

test('the samples of the reference buy a plan that exists', async () => {
  const offered = await products('country=JP&include_small=1&limit=100');
  const { text } = await get('/docs/api/purchase_buy');
  const named = new Set(/class="samples">.*?<\/fieldset>/s.exec(text)?.[0].match(/esc_\w+/g));
  assert.equal(named.size, 1);
  assert.ok(offered.some(({ id }) => named.has(id)));
});

test('each sample that buys has an idempotency key of its own, so that all can be run', async () => {
  const keys = await Promise.all(
    ['buy', 'batch', 'refill'].map(async (name) => {
      const { text } = await get(`/docs/api/purchase_${name}`);
      return /idempotency_key=([\w-]+)/.exec(text)?.[1];
    }),
  );
  assert.deepEqual(keys, ['buy-4711', 'batch-4711', 'refill-4711']);
});

test('the front page counts what is sold, and its sample buys a plan that exists', async () => {
  const { text } = await get('/');
  const [, alias = ''] = /product_id=(esc_\w+)/.exec(text) ?? [];
  assert.ok(
    (await products('country=JP&include_small=1&limit=100')).some(({ id }) => id === alias),
    alias,
  );
  const [, destinations] = /Destinations<\/dt><dd>(\d+)</.exec(text) ?? [];
  const linked = new Set((await get('/destinations')).text.match(/href="\/destinations\/[^"]+"/g));
  assert.equal(Number(destinations), linked.size);
});

test('with PUBLIC_PRICES=off no public page shows a price', async () => {
  const { site } = readConfig({ PUBLIC_PRICES: 'off' });
  await using closed = await testApp({ demo: true, config: { site } });
  for (const path of ['/', '/destinations', '/destinations?q=japan', '/destinations/japan']) {
    const { status, text } = await closed.get(path, { host: 'panel', headers: html });
    assert.equal(status, 200, path);
    assert.doesNotMatch(text, /USD|class="amount"|List price/, path);
  }
});

test('an empty catalog has no search, no picture and no numbers, and its list says so', async () => {
  await using empty = await testApp();
  const at = async (path: string) => (await empty.get(path, { host: 'panel', headers: html })).text;
  assert.doesNotMatch(await at('/'), /class="find"|class="picture"|class="sizes"/);
  assert.match(await at('/destinations'), /0 destinations/);
});
