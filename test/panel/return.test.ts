import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeReturn } from '../../web/src/panel/paths.ts';

test('after signing in one comes back to a page of the panel, with its search', () => {
  for (const next of ['/', '/sandbox/orders?page=2', '/live/webhooks/3?status=dead', '/keys'])
    assert.equal(safeReturn(next), next);
  assert.equal(safeReturn(null), '/');
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
    const back = safeReturn(next);
    assert.match(back, /^\/([^/]|$)/, next);
    assert.equal(new URL(back, here).origin, here, next);
  }
});
