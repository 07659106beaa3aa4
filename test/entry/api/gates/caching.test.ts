import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { type Answer, testApp } from '../../../support/program/app.ts';
import { browser, signedIn } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';
import { sendRaw } from '../../../support/servers/raw.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner();
const key = await t.key(partner, 'sandbox');

const cachingOf = ({ headers }: Answer) => [headers['cache-control'], headers.vary];
const NEVER = ['private, no-store', 'x-api-key'];

test('no cache keeps what a key reads or why it was refused, and a shared one tells keys apart', async () => {
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  await credit(t, partner, '100');
  const { id } = (await buy(t, key, alias)).body;
  const answers = {
    'an order with its activation code': await t.get(`/order/detail/${id}`, { key }),
    'a balance': await t.get('/account/balance', { key }),
    'a purchase': await t.post('/purchase/buy', { product_id: alias }, { key }),
    'no key': await t.get('/account/balance', { host: 'live' }),
    'an unknown key': await t.get('/account/balance', { key: `esk_${'0'.repeat(40)}` }),
    'an unknown endpoint': await t.get('/nothing', { key }),
    'a wrong verb': await t.get('/purchase/buy', { key }),
    'an unknown host': await t.ask('/v3/account/balance', { host: { authority: 'unknown.test' } }),
    'a redirect': await t.ask('/', { host: 'live' }),
    'broken HTTP': await sendRaw(t.port, 'GET /v3/x HTTP/1.1\r\nhost: live.test\r\ncontent-length: x\r\n\r\n'),
  };
  for (const [what, answer] of Object.entries(answers)) assert.deepEqual(cachingOf(answer), NEVER, what);
});

test('catalog answers and the description may be kept by the client itself, which asks whether they changed', async () => {
  const countries = await t.get('/catalog/countries', { key });
  assert.deepEqual(cachingOf(countries), ['private, no-cache', 'accept-encoding, x-api-key']);
  const description = await t.get('/openapi.json', { host: 'live' });
  assert.deepEqual(cachingOf(description), ['private, no-cache', 'accept-encoding']);
  for (const [path, { headers }] of [
    ['/catalog/countries', countries],
    ['/openapi.json', description],
  ] as const) {
    const again = await t.get(path, { key, headers: { 'if-none-match': `W/${headers.etag}` } });
    assert.deepEqual([again.status, again.text], [304, ''], path);
  }
});

test('the description is sent compressed where that is accepted', async () => {
  const plain = await t.get('/openapi.json', { host: 'live' });
  const { headers, body } = await request(`http://127.0.0.1:${t.port}/v3/openapi.json`, {
    headers: { host: 'live.test', 'accept-encoding': 'br' },
  });
  assert.equal(headers['content-encoding'], 'br');
  assert.notEqual(headers.etag, plain.headers.etag);
  assert.equal(brotliDecompressSync(Buffer.from(await body.arrayBuffer())).toString(), plain.text);
});

test('no cache keeps what the panel says to a member, its pages of one payment or eSIM, or health', async () => {
  const member = await signedIn(t, partner);
  for (const answer of [
    await member.get('/api/me'),
    await member.v3('sandbox', '/account/balance'),
    await member.v3('sandbox', '/catalog/countries'),
    await browser(t).get('/api/me'),
    await browser(t).get('/api/nothing'),
  ])
    assert.deepEqual(cachingOf(answer), ['private, no-store', 'cookie']);
  for (const path of ['/healthz', '/readyz', '/metrics', '/pay/nothing', '/qr/nothing.svg', '/nothing.png', '/%ff'])
    assert.equal((await t.get(path, { host: 'panel' })).headers['cache-control'], 'private, no-store', path);
});

test('addresses that are https say so for a year; the others do not', async () => {
  await using secure = await testApp({
    config: {
      liveBaseUrl: new URL('https://live.test:80/v3'),
      panelUrl: new URL('https://panel.test:80'),
    },
  });
  const hsts = async (path: string, host: 'live' | 'sandbox' | 'panel') =>
    (await secure.ask(path, { host })).headers['strict-transport-security'];
  const YEAR = 'max-age=31536000';
  for (const path of ['/v3/account/balance', '/v3/openapi.json', '/', '/v3/nothing'])
    assert.equal(await hsts(path, 'live'), YEAR, path);
  for (const path of ['/healthz', '/api/me', '/nothing.png', '/%ff'])
    assert.equal(await hsts(path, 'panel'), YEAR, path);
  assert.equal(await hsts('/v3/account/balance', 'sandbox'), undefined);
});
