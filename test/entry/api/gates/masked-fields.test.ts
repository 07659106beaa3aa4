import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { apiForm } from '../../../../src/entry/api/gates/api-request.ts';
import { maskedFields, maskedPath } from '../../../../src/entry/api/gates/masked-fields.ts';
import { Router } from '../../../../src/entry/api/gates/route.ts';
import { Form } from '../../../../src/platform/http/form.ts';

const SECRET = 'deadbeefcafe0123';
const router = new Router(endpoints);
const NOTHING = new Form('');

/** Every way a secret of ours or of a client can be written into a text. */
const secretTexts = [
  `esk_${SECRET}${SECRET}00000000`,
  `esk_test_${SECRET}${SECRET}00000000`,
  `whsec_${SECRET}${SECRET}`,
  `sk_live_${SECRET}`,
  `LPA:1$smdp.example$${SECRET}`,
  `https://user:${SECRET}@hooks.example/in`,
  `https://${SECRET}@hooks.example/in`,
  `https://hooks.example/in?token=${SECRET}`,
  `https://hooks.example/in#${SECRET}`,
  `see https://u:${SECRET}@a.example/x?y=${SECRET} and HTTPS://b.example?z=${SECRET}`,
];
/** Fields that are secret whatever is in them. */
const secretFields = ['payment_key'];
const fieldsOf = (route: ReturnType<Router['find']>, query: string, body: string, wantedError?: string) =>
  maskedFields({ route, query: apiForm(query), body: apiForm(body), wantedError });
const encoded = (name: string, value: string) => new URLSearchParams([[name, value]]).toString();

test('no declared field of any endpoint lets a secret into the log, in whatever form it is written', () => {
  let tried = 0;
  for (const endpoint of endpoints) {
    const route = router.find(endpoint.path);
    for (const name of [...Object.keys(endpoint.fields), 'sandbox_error'])
      for (const text of secretTexts)
        for (const sent of [encoded(name, text), encoded(name, `${text} `)]) {
          const shown = JSON.stringify([fieldsOf(route, sent, ''), fieldsOf(route, '', sent)]);
          assert.ok(!shown.includes(SECRET), `${endpoint.path} ${sent}: ${shown}`);
          tried++;
        }
    if (!endpoint.param) continue;
    for (const text of secretTexts) {
      const shown = JSON.stringify(fieldsOf({ ...route, param: text }, '', ''));
      assert.ok(!shown.includes(SECRET), `${endpoint.path} ${shown}`);
    }
  }
  assert.ok(tried > 500);
});

test('a field that is named like a secret is never kept, an idempotency key is', () => {
  const named = new Set(endpoints.flatMap(({ fields }) => Object.keys(fields)));
  for (const name of secretFields) {
    assert.ok(named.has(name));
    const route = router.find(endpoints.find(({ fields }) => name in fields)?.path ?? '');
    assert.deepEqual(fieldsOf(route, '', `${name}=${SECRET}`), [{ in: 'body', name, value: '', note: 'hidden' }]);
  }
  const route = router.find('/purchase/buy');
  assert.deepEqual(fieldsOf(route, '', 'idempotency_key=cart-7&product_id=esc_1'), [
    { in: 'body', name: 'idempotency_key', value: 'cart-7' },
    { in: 'body', name: 'product_id', value: 'esc_1' },
  ]);
});

test('of what the endpoint does not declare only a plain name is kept, and of an unknown endpoint no value at all', () => {
  for (const path of ['/purchase/buy', '/nothing/here'])
    for (const name of [
      'client_secret',
      'password',
      'api_key',
      'card_number',
      'constructor',
      '__proto__',
      'toString',
    ]) {
      const [shown] = fieldsOf(router.find(path), '', `${name}=${SECRET}`);
      const kept = name.startsWith('_') ? '…' : name;
      assert.deepEqual(shown, { in: 'body', name: kept, value: '', note: 'undeclared' });
    }
  const strange = [`{"secret":"${SECRET}"}`, `esk_${SECRET}`, `${SECRET}${SECRET}`, `x ${SECRET}`];
  for (const name of strange) {
    const shown = JSON.stringify(fieldsOf(router.find('/purchase/buy'), encodeURIComponent(name), ''));
    assert.ok(!shown.includes(SECRET), shown);
  }
});

test('paths that lead nowhere keep the two names the router reads', () => {
  assert.equal(maskedPath('/orders/list'), '/orders/list');
  assert.equal(maskedPath('/orders'), '/orders');
  assert.equal(maskedPath(`/orders/get/${SECRET}/more`), '/orders/get/…');
  assert.equal(maskedPath(`/${SECRET}${SECRET}/LPA:1$x$y`), '/…/…');
  assert.equal(maskedPath(`/orders/esk_${SECRET}`), '/orders/esk_[redacted]');
  assert.equal(maskedPath(''), '/');
});

test('where it was sent, what could not be read, and what was cut', () => {
  const route = { ...router.find('/purchase/buy'), param: '' };
  assert.deepEqual(fieldsOf(route, 'product_id=esc_1', 'reference=a&reference=b', 'rate_limited'), [
    { in: 'header', name: 'X-Sandbox-Error', value: 'rate_limited' },
    { in: 'query', name: 'product_id', value: 'esc_1', note: 'misplaced' },
    { in: 'body', name: 'reference', value: '', note: 'unreadable' },
  ]);
  const detail = { ...router.find('/order/detail'), param: '1042' };
  assert.deepEqual(fieldsOf(detail, '', ''), [{ in: 'path', name: 'id', value: '1042' }]);
  const [long] = fieldsOf(route, '', encoded('reference', `ä${'x'.repeat(5000)}`));
  assert.deepEqual([long?.value.length, long?.note], [200, 'shortened']);
  const many = fieldsOf(route, Array.from({ length: 500 }, (_, i) => `f${i}=1`).join('&'), '');
  assert.ok(JSON.stringify(many).length < 4_000);
  assert.deepEqual(many.at(-1), { in: 'query', name: '…', value: '', note: 'shortened' });
  assert.deepEqual(maskedFields({ route, query: NOTHING, body: undefined, wantedError: undefined }), [
    { in: 'body', name: '…', value: '', note: 'shortened' },
  ]);
});

test('a URL keeps scheme, host and path, and says what was taken out', () => {
  const route = router.find('/webhook/probe');
  const shown = (url: string) => fieldsOf(route, '', encoded('url', url))[0]?.value;
  assert.equal(shown('https://hooks.example/in/42'), 'https://hooks.example/in/42');
  assert.equal(shown('https://a:b@hooks.example/in?c=d#e'), 'https://…@hooks.example/in?…#…');
  for (const none of ['no url at all', 'ftp://u:p@a.example/', 'mailto:a@b.example']) assert.equal(shown(none), '…');
});
