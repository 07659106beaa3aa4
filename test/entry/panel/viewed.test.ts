import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, onlyThese, onlyTheseColumns } from '../../../src/entry/panel/viewed.ts';

const shown = (value: unknown, fields: string) => onlyThese(value, fieldsOf(fields));

test('only the fields that are named are shown; the others keep their place and are blank', () => {
  const order = { id: 7, payload: '{"code":"x"}', headers: [['a', 'b']], nested: { secret: 1 }, at: null };
  assert.deepEqual(shown(order, 'id,at'), { id: 7, payload: '', headers: [], nested: null, at: null });
});

test('what is in an object or a list is named, too', () => {
  const page = { orders: [{ id: 1, key: { id: 2, text: 'esk' } }], more: true };
  assert.deepEqual(shown(page, 'orders(id, key(id)), more'), {
    orders: [{ id: 1, key: { id: 2, text: '' } }],
    more: true,
  });
  assert.deepEqual(shown(page, 'orders(),more'), { orders: [{ id: null, key: null }], more: true });
});

test('a name alone shows values and lists of values, never an object that came in their place', () => {
  assert.deepEqual(shown({ a: [1, 'x'], b: { code: 'x' }, c: [{ code: 'x' }] }, 'a,b,c'), {
    a: [1, 'x'],
    b: null,
    c: [null],
  });
  assert.deepEqual(shown({ a: 'x' }, 'a(b)'), { a: '' }, 'nor a value where an object was named');
});

test('an asterisk stands for names that are data, with their values only', () => {
  assert.deepEqual(shown({ statuses: { 200: 3, 404: { x: 1 } } }, 'statuses(*)'), { statuses: { 200: 3, 404: null } });
});

test('of a file only the columns that are named have values', async () => {
  async function* rows() {
    yield ['1', 'x', '10:00', 'LPA:1$x'];
  }
  const header = ['id', 'code', 'made_local (Europe/Berlin)', 'more'];
  const file = onlyTheseColumns({ name: 'orders', header, rows: rows() }, fieldsOf('id,made_local'));
  assert.deepEqual(file.header, header);
  assert.deepEqual(await Array.fromAsync(file.rows), [['1', null, '10:00', null]]);
});
