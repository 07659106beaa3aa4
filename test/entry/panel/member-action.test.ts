import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fields, onlyThese, onlyTheseColumns } from '../../../src/entry/panel/member-action.ts';

test('only the fields that are named are visible; the others keep their place and are blank', () => {
  const order = { id: 7, payload: '{"code":"x"}', headers: [['a', 'b']], nested: { secret: 1 }, at: null };
  assert.deepEqual(onlyThese(order, fields('id', 'at')), { id: 7, payload: '', headers: [], nested: null, at: null });
  assert.deepEqual(onlyThese({ toString: 'x' }, {}), { toString: '' }, 'nor what every object inherits');
});

test('the fields of an object or a list are named, too', () => {
  const page = { orders: [{ id: 1, key: { id: 2, text: 'esk' } }], more: true };
  assert.deepEqual(onlyThese(page, { orders: { id: true, key: { id: true } }, more: true }), {
    orders: [{ id: 1, key: { id: 2, text: '' } }],
    more: true,
  });
  assert.deepEqual(onlyThese(page, { orders: {}, more: true }), { orders: [{ id: null, key: null }], more: true });
});

test('a name alone is for values and lists of values, never for an object that came in their place', () => {
  assert.deepEqual(onlyThese({ a: [1, 'x'], b: { code: 'x' }, c: [{ code: 'x' }] }, fields('a', 'b', 'c')), {
    a: [1, 'x'],
    b: null,
    c: [null],
  });
  assert.deepEqual(onlyThese({ a: 'x' }, { a: { b: true } }), { a: '' }, 'nor a value where an object was named');
});

test('where names are data, only their values are visible', () => {
  assert.deepEqual(onlyThese({ statuses: { 200: 3, 404: { x: 1 } } }, { statuses: 'values' }), {
    statuses: { 200: 3, 404: null },
  });
});

test('of a file only the columns that are named have values', async () => {
  async function* rows() {
    yield ['1', 'x', '10:00', 'LPA:1$x'];
  }
  const header = ['id', 'code', 'made_local (Europe/Berlin)', 'more'];
  const file = onlyTheseColumns({ name: 'orders', header, rows: rows() }, fields('id', 'made_local'));
  assert.deepEqual(file.header, header);
  assert.deepEqual(await Array.fromAsync(file.rows), [['1', null, '10:00', null]]);
});
