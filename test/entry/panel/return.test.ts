import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeReturn } from '../../../web/src/parts/safeReturn.ts';

test('after signing in one comes back to a page of the panel, with its search', () => {
  for (const next of ['/', '/sandbox/orders?page=2', '/live/webhooks/3?status=dead', '/keys'])
    assert.equal(safeReturn(next, '/'), next);
  assert.equal(safeReturn(null, '/'), '/');
});

test('the console leads back to its own pages only', () => {
  for (const next of ['/operator', '/operator?mode=sandbox', '/operator/orders/7?mode=sandbox'])
    assert.equal(safeReturn(next, '/operator'), next);
  for (const next of [null, '/', '/live/orders', '/operators', '/operator/../live', '//other.example/operator'])
    assert.equal(safeReturn(next, '/operator'), '/operator');
});

test('nothing leads to another site, however it is written', () => {
  const here = 'https://panel.example';
  for (const next of [
    'https://other.example/',
    '//other.example',
    '/\\other.example',
    '\\\\other.example',
    '/\t/other.example',
    '/\n\\other.example',
    '\t//other.example',
    '/.//other.example',
    '/x/..//other.example',
    '/%2e//other.example',
    '/./\\other.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://[',
  ]) {
    const back = safeReturn(next, '/');
    assert.match(back, /^\/([^/]|$)/, next);
    assert.equal(new URL(back, here).origin, here, next);
  }
});
