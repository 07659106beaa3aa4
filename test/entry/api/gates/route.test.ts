import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { Router, tierOf } from '../../../../src/entry/api/gates/route.ts';
import { testApp } from '../../../support/program/app.ts';
import { rateHeaders, refused, sandbox } from '../../../support/refusal.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const key = await t.key(await t.partner(), 'sandbox');

test('paths: one trailing slash is ignored, anything more is not', () => {
  const router = new Router(endpoints);
  const problem = (path: string) => router.find(path).problem;
  for (const path of [
    '',
    '/',
    '//',
    '/nothing',
    '/nothing/here',
    '//account/balance',
    '/ACCOUNT/balance',
    '/__proto__/x',
  ]) {
    assert.equal(problem(path), 'unknown_endpoint', path);
  }
  for (const path of [
    '/account',
    '/account/',
    '/account//',
    '/account/Balance',
    '/account/balance/1',
    '/account/balance//',
    '/account/constructor',
    '/catalog/product/a/b',
    '/catalog/product/a//',
  ]) {
    assert.equal(problem(path), 'unknown_method', path);
  }
  for (const { path, param } of endpoints) {
    if (path.endsWith('}')) continue;
    for (const written of [path, `${path}/`, ...(param ? [`${path}/a`, `${path}/a/`] : [])]) {
      const route = router.find(written);
      assert.deepEqual(
        [route.endpoint?.path, route.param],
        [path, /\/a\/?$/.test(written) && param ? 'a' : ''],
        written,
      );
    }
  }
});

test('with something behind it, a path can be another endpoint', () => {
  const router = new Router(endpoints);
  const found = (path: string) => [router.find(path).endpoint?.verb, router.find(path).param];
  for (const path of ['/purchase/batch', '/purchase/batch/']) assert.deepEqual(found(path), ['POST', ''], path);
  for (const path of ['/purchase/batch/a', '/purchase/batch/a/']) assert.deepEqual(found(path), ['GET', 'a'], path);
  assert.equal(router.find('/purchase/batch/a/b').problem, 'unknown_method');
  assert.equal(router.find('/purchase/batch/a').pattern, '/purchase/batch/{id}');
});

test('a path that names no endpoint uses the read tier', () => {
  const router = new Router(endpoints);
  assert.deepEqual(
    ['/nothing', '/account/nothing', '/catalog'].map((path) => tierOf(router.find(path))),
    ['read', 'read', 'read'],
  );
  assert.equal(tierOf(router.find('/catalog/countries')), 'catalog');
});

test('the base path alone is no endpoint, and a path that only begins like it is no API path', async () => {
  for (const path of ['/v3', '/v3/', '/v3?x=1'])
    refused(await t.ask(path, { key, host: 'sandbox' }), 'unknown_endpoint', sandbox);
  assert.equal((await t.ask('/v3x/account/balance', { key, host: 'sandbox' })).status, 301);
  refused(await t.ask('/', { key, host: 'legacy' }), 'unknown_endpoint', sandbox);
});

test('the path parameter is decoded once, and a plus sign in it is a plus sign', async () => {
  assert.equal((await t.get('/catalog/product/%31%32', { key })).body.error, 'product_not_found');
  assert.equal((await t.get('/catalog/product/esc%2B1', { key })).body.error, 'invalid_product');
  assert.equal((await t.get('/catalog/product/1+2', { key })).body.error, 'invalid_product');
  assert.equal((await t.get('/catalog/product', { key })).body.error, 'product_id_required');
  assert.equal((await t.get('/catalog/product/', { key })).body.error, 'product_id_required');
});

test('a NUL in the path is no plain string: the answer of that endpoint, like any id it does not know', async () => {
  const code = async (path: string) => (await t.get(path, { key })).body.error;
  assert.equal(await code('/catalog/product/%00'), 'invalid_product');
  assert.equal(await code('/order/detail/1%00'), 'order_not_found');
  assert.equal(await code('/order/usage/%00'), 'usage_not_available');
});

test('405 names the right verb in `allow` and Allow, for every endpoint and every other verb, OPTIONS included', async () => {
  for (const { path, verb } of endpoints) {
    const wrong = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => method !== verb);
    for (const method of verb === 'POST' ? [...wrong, 'HEAD'] : wrong) {
      const answer = await t.get(path, { key, method });
      assert.equal(answer.headers.allow, verb);
      if (method === 'HEAD') assert.equal(answer.status, 405);
      else refused(answer, 'method_not_allowed', { ...sandbox, allow: verb });
    }
  }
});

test('off the API paths: GET and HEAD are sent to the website, anything else is 404, whatever key is sent', async () => {
  for (const host of ['sandbox', 'live'] as const) {
    for (const path of ['/', '/docs', '/v2/account/balance', '/?api_key=x', '/%ff']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await t.ask(path, { host, method, key });
        assert.deepEqual([answer.status, answer.headers.location, answer.text], [301, 'https://www.wayfare.test/', '']);
        assert.equal(answer.headers['x-ratelimit-limit'], undefined);
      }
      for (const method of ['POST', 'PUT', 'OPTIONS']) {
        const answer = await t.ask(path, { host, method, key });
        refused(answer, 'unknown_endpoint', host === 'sandbox' ? sandbox : {});
        assert.equal(rateHeaders(answer).limit, 360);
      }
    }
  }
});

test('openapi.json is public on every host, whatever key is sent, and carries no rate-limit headers', async () => {
  const wrongKey = await t.key(await t.partner());
  for (const host of ['sandbox', 'live', 'legacy'] as const) {
    for (const sent of [undefined, key, wrongKey, 'nonsense']) {
      const answer = await t.get('/openapi.json?api_key=x', { host, ...(sent === undefined ? {} : { key: sent }) });
      assert.deepEqual([answer.status, answer.body.openapi, answer.body.info.version], [200, '3.1.0', '3.0.0']);
      assert.deepEqual(
        answer.body.servers.map(({ url }: { url: string }) => url),
        ['http://sandbox.test/v3', 'http://live.test/v3', 'http://legacy.test'],
      );
      assert.equal(answer.headers['x-ratelimit-limit'], undefined);
      assert.equal(answer.headers.link, '<http://panel.test/>; rel="service-doc"', 'where the panel is');
    }
  }
  refused(await t.get('/openapi.json', { host: 'sandbox', method: 'POST', key }), 'unknown_endpoint', sandbox);
});
