import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { run } from '../../../../support/program/operator.ts';
import { signedIn } from '../../../../support/program/panel.ts';
import { batchOf, entry, eventually, stockedApp } from '../../../../support/sales/catalog.ts';
import { exported, mirror } from '../../../../support/sales/catalog-mirror.ts';

const t = await stockedApp([
  batchOf([
    entry({ code: 'best', price: 5, cost: 2 }),
    entry({ code: 'variant', price: 6, cost: 2 }),
    entry({ code: 'small', amount: 500, price: 3 }),
    entry({ code: 'endless', amount: 0, destination: 'JP' }),
    entry({ code: 'wide', destination: 'europe', coverage: ['TR', 'FR', 'DE'] }),
    entry({ code: 'free', price: 0, destination: 'FR' }),
    entry({ code: 'off', destination: 'FR' }),
  ]),
  batchOf([entry({ code: 'other', price: 7 })], { slug: 'borealis' }),
]);
after(() => t[Symbol.asyncDispose]());
await run(t.operator(), `catalog product set ${await t.alias('off')} --on-sale false`);
const sandboxKey = await t.key(t.partner1, 'sandbox');

test('the export has every plan on sale with a price, all variants and small ones, and each row as catalog/product shows it', async () => {
  await mirror(t, t.key1);
  const { body } = await exported(t, t.key1);
  assert.equal(body.count, 6);
  const codes = ['best', 'variant', 'small', 'endless', 'wide', 'other'];
  const aliases = await Promise.all(codes.map((code) => t.alias(code)));
  assert.deepEqual(body.products.map(({ id }: { id: string }) => id).sort(), aliases.sort());
  for (const row of body.products)
    assert.deepEqual(row, (await t.get(`/catalog/product/${row.id}`, { key: t.key1 })).body.product);
  const { products } = (await t.get('/catalog/products?country=TR&all_variants=1&include_small=1', { key: t.key1 }))
    .body;
  for (const row of products)
    assert.ok(body.products.some((one: object) => JSON.stringify(one) === JSON.stringify(row)));
});

test('a refill is not in it', async () => {
  const alias = await t.alias('variant');
  const before = (await exported(t, t.key1)).body;
  await t.base.db.run(sql`update plans set refills = '["best"]' where alias = ${alias}`);
  await eventually(async () => assert.equal((await exported(t, t.key1)).body.count, before.count - 1));
  const { removed } = (await t.get(`/catalog/changes?since=${before.version}`, { key: t.key1 })).body;
  assert.deepEqual(removed, [alias]);
  await t.base.db.run(sql`update plans set refills = null where alias = ${alias}`);
  await eventually(async () => assert.equal((await exported(t, t.key1)).body.count, before.count));
});

async function bytes(key: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') {
  const host = key === sandboxKey ? 'sandbox.test' : 'live.test';
  const answer = await request(`http://127.0.0.1:${t.port}/v3/catalog/export`, {
    method,
    headers: { host, 'x-api-key': key, ...headers },
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    etag: String(answer.headers.etag),
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
}

test('plain, brotli and gzip are the same text, each with an ETag of its own that brings a 304', async () => {
  const plain = await bytes(t.key1, {});
  const brotli = await bytes(t.key1, { 'accept-encoding': 'br, gzip' });
  const gzip = await bytes(t.key1, { 'accept-encoding': 'gzip' });
  assert.deepEqual(
    [plain, brotli, gzip].map(({ headers }) => headers['content-encoding']),
    [undefined, 'br', 'gzip'],
  );
  assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
  assert.deepEqual(gunzipSync(gzip.body), plain.body);
  assert.equal(new Set([plain.etag, brotli.etag, gzip.etag]).size, 3);
  for (const [encoding, { etag, headers }] of Object.entries({ '': plain, br: brotli, gzip })) {
    assert.deepEqual([headers['cache-control'], headers.vary], ['private, no-cache', 'accept-encoding, x-api-key']);
    const again = await bytes(t.key1, { 'accept-encoding': encoding, 'if-none-match': etag });
    assert.deepEqual([again.status, again.body.length, again.etag], [304, 0, etag]);
  }
});

test('HEAD answers as GET without a body, OPTIONS is refused, and both endpoints count in the catalog tier', async () => {
  const [get, head] = [await bytes(t.key1, {}), await bytes(t.key1, {}, 'HEAD')];
  assert.deepEqual([head.status, head.body.length], [200, 0]);
  assert.equal(head.headers['content-length'], String(get.body.length));
  assert.equal(head.etag, get.etag);
  assert.equal(head.headers['x-ratelimit-limit'], '900');
  assert.equal((await t.ask('/v3/catalog/export', { key: t.key1, method: 'OPTIONS' })).status, 405);
  const left = async (path: string) => Number((await t.get(path, { key: t.key1 })).headers['x-ratelimit-remaining']);
  const before = await left('/catalog/countries');
  assert.deepEqual([await left('/catalog/export'), await left('/catalog/changes?since=x')], [before - 1, before - 2]);
});

test('both worlds show the same rows under the same version', async () => {
  const [live, sandbox] = [(await exported(t, t.key1)).body, (await exported(t, sandboxKey)).body];
  assert.deepEqual([live.livemode, sandbox.livemode], [undefined, false]);
  assert.deepEqual([sandbox.version, sandbox.products], [live.version, live.products]);
  const { body } = await t.get(`/catalog/changes?since=${live.version}`, { key: sandboxKey });
  assert.deepEqual([body.complete, body.changed, body.removed], [true, [], []]);
});

test('partners with other prices get their own, and nothing of anybody else', async () => {
  const rich = await t.partner();
  const richKey = await t.key(rich);
  const alias = await t.alias('best');
  await exported(t, richKey);
  await run(t.operator(), `pricing rule add --partner ${rich} --scope product --target ${alias} --price 4`);
  const priceIn = async (key: string) =>
    (await exported(t, key)).body.products.find(({ id }: { id: string }) => id === alias).partner_price;
  await eventually(async () => assert.equal(await priceIn(richKey), 4));
  assert.equal(await priceIn(t.key1), 5);
  const [own, other] = [(await exported(t, t.key1)).body.version, (await exported(t, richKey)).body.version];
  // What a stranger's version could tell is how the stranger's prices differ: it gets what any unknown version gets.
  const told = await t.get(`/catalog/changes?since=${other}`, { key: t.key1 });
  const unknown = await t.get(`/catalog/changes?since=${other.replace(/.{16}$/, '0'.repeat(16))}`, { key: t.key1 });
  assert.deepEqual([told.body.version, told.body.complete, told.body.changed], [own, false, []]);
  assert.equal(told.text, unknown.text);
});

test('a member reads the export in the panel too, compressed or not', async () => {
  const member = await signedIn(t, t.partner1);
  const { status, body } = await member.v3('live', '/catalog/export');
  assert.deepEqual([status, body.count], [200, 6]);
});

test('strangers get what strangers get everywhere', async () => {
  for (const path of ['/catalog/export', '/catalog/changes']) {
    assert.equal((await t.get(path, { host: 'live' })).body.error, 'api_key_required');
    assert.equal((await t.get(path, { key: `esk_live_${'0'.repeat(40)}` })).body.error, 'invalid_api_key');
    assert.equal((await t.post(path, {}, { key: t.key1 })).body.error, 'method_not_allowed');
  }
});
