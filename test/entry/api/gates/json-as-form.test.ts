import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import openapi from '../../../../openapi.json' with { type: 'json' };
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { messages } from '../../../../src/platform/contract/messages.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';

const LOOKS_LIKE_JSON = /^Send the fields as a form, .*: the body looks like JSON/;

suite('JSON that is sent as a form, as `curl -d` does', () => {
  let t: TestApp;
  before(async () => {
    t = await testApp();
  });
  after(() => t[Symbol.asyncDispose]());

  /** A new one for each endpoint: some may be called only a few times a minute. */
  const newKey = async () => t.key(await t.partner(), 'sandbox', { permissions: ['read', 'buy', 'money', 'webhooks'] });

  test('the refusal has the same code as an empty form, and its message says that the body looks like JSON', async () => {
    let refused = 0;
    for (const { path } of endpoints.filter(({ verb }) => verb === 'POST')) {
      const key = await newKey();
      const empty = await t.post(path, '', { key });
      if (empty.status !== 400) continue;
      refused += 1;
      for (const sent of ['{"order_id": 1001}', ' \n[{"order_id":1001}]', '%7B%22order_id%22%3A1001%7D']) {
        const { status, body } = await t.post(path, sent, { key });
        assert.deepEqual([status, body.error], [400, empty.body.error], path);
        assert.match(body.message, LOOKS_LIKE_JSON, path);
      }
    }
    assert.ok(refused >= 10, String(refused));
  });

  test('also if it cannot be decoded', async () => {
    const sent = '{"order_id":1001,"reason":"100% sure"}';
    const { body } = await t.post('/order/refund', sent, { key: await newKey() });
    assert.equal(body.error, 'malformed_request');
    assert.match(body.message, LOOKS_LIKE_JSON);
  });

  test('a refusal that has nothing to do with the fields keeps its message, and so does that of a form', async () => {
    const key = await newKey();
    const wrong = await t.post('/order/refund', '{}', { key: `esk_test_${'0'.repeat(40)}` });
    assert.equal(wrong.body.message, messages.invalid_api_key);
    const form = await t.post('/order/refund', 'reason={}', { key });
    assert.equal(form.body.message, messages.order_id_required);
    const wanted = { key, headers: { 'x-sandbox-error': 'order_not_found' } };
    assert.equal((await t.post('/order/refund', '{"order_id":1}', wanted)).body.message, messages.order_not_found);
  });
});

test('the description lists the empty list of filters first, so that generated clients try it before the object', () => {
  const { properties } = openapi.components.schemas.CatalogProductsAnswer.allOf[1] as unknown as {
    properties: { filters: { anyOf: { type: string }[] } };
  };
  assert.deepEqual(
    properties.filters.anyOf.map(({ type }) => type),
    ['array', 'object'],
  );
});
