import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  decimal,
  type Field,
  flag,
  id,
  integer,
  notPlain,
  oneOf,
  oneOfInAnyCase,
  oneOfOrIgnored,
  page,
  patterned,
  type RawValue,
  requiredText,
  time,
} from '../../../src/platform/contract/fields.ts';
import { ICCID } from '../../../src/platform/contract/ids.ts';

/** What a field makes of what was sent: a value, or the code it refuses with. */
const read = <T>(field: Field<T>, sent: readonly RawValue[]): unknown[] =>
  sent.map((raw) => {
    try {
      return field.parse(raw);
    } catch (error) {
      return (error as { code: string }).code;
    }
  });

suite('a field reads itself, or refuses with its own code', () => {
  test('a required text', () => {
    const field = requiredText('product_id_required', { invalid: 'invalid_product' });
    assert.deepEqual(read(field, ['x', undefined, notPlain]), ['x', 'product_id_required', 'invalid_product']);
    assert.deepEqual(read(requiredText('url_required'), [notPlain]), ['url_required']);
  });

  test('a value from a closed set', () => {
    const field = oneOfInAnyCase(['4G', '5G'], 'invalid_network_type');
    assert.deepEqual(read(field, ['4G', '5g', undefined]), ['4G', '5G', undefined]);
    assert.deepEqual(read(field, ['3G', '4G ', notPlain]), Array(3).fill('invalid_network_type'));
    const exact = oneOf(['asc', 'desc'], 'invalid_order', 'asc');
    assert.deepEqual(read(exact, [undefined, 'desc', 'ASC']), ['asc', 'desc', 'invalid_order']);
  });

  test('a value from a closed set where anything else is ignored', () => {
    assert.deepEqual(read(oneOfOrIgnored(['a', 'b']), ['a', 'c', undefined, notPlain]), [
      'a',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('0 or 1', () => {
    const field = flag('invalid_all_variants', false);
    assert.deepEqual(read(field, ['0', '1', undefined]), [false, true, false]);
    assert.deepEqual(read(field, ['2', 'true', '01', ' 1', notPlain]), Array(5).fill('invalid_all_variants'));
  });

  test('an integer inside its range, bounds included', () => {
    const field = integer({ min: 1, max: 500 }, 'invalid_limit', 50);
    assert.deepEqual(read(field, ['1', '500', '007', undefined]), [1, 500, 7, 50]);
    const bad: RawValue[] = ['0', '501', '-1', '+1', '1.0', '1e2', '0x10', '', ' 5', '٣', '9'.repeat(40), notPlain];
    assert.deepEqual(read(field, bad), Array(bad.length).fill('invalid_limit'));
  });

  test('a plain decimal number inside its range, bounds included', () => {
    const field = decimal({ min: 0, max: 100_000 }, 'invalid_min_price');
    assert.deepEqual(read(field, ['0', '100000', '9.99', '100000.00', undefined]), [
      0,
      100_000,
      9.99,
      100_000,
      undefined,
    ]);
    const bad: RawValue[] = ['100000.01', '-0.01', '.5', '5.', '1,5', '1e3', 'NaN', 'Infinity', notPlain];
    assert.deepEqual(read(field, bad), Array(bad.length).fill('invalid_min_price'));
  });

  test('the number of a thing, up to the largest there can be', () => {
    const field = id('invalid_before_id');
    assert.deepEqual(read(field, ['1', '9223372036854775807', undefined]), [1n, 2n ** 63n - 1n, undefined]);
    const bad: RawValue[] = ['0', '-1', '01', '1.0', '1e3', ' 1', 'x', '9223372036854775808', '9'.repeat(40), notPlain];
    assert.deepEqual(read(field, bad), Array(bad.length).fill('invalid_before_id'));
  });

  test('a text of a certain form', () => {
    const field = patterned(ICCID, 'invalid_iccid');
    assert.deepEqual(read(field, ['12345', '1'.repeat(22), undefined]), ['12345', '1'.repeat(22), undefined]);
    const bad: RawValue[] = ['1234', '1'.repeat(23), '12345x', ' 12345', '12345\n', '١٢٣٤٥', notPlain];
    assert.deepEqual(read(field, bad), Array(bad.length).fill('invalid_iccid'));
  });

  test('a time: the contract’s form or ISO 8601, in UTC unless it names a zone', () => {
    const field = time('invalid_from');
    const noon = new Date(Date.UTC(2026, 4, 1, 12));
    const good = ['2026-05-01 12:00:00', '2026-05-01T12:00:00Z', '2026-05-01T14:00:00+02:00', '2026-05-01T12:00'];
    assert.deepEqual(read(field, good), Array(good.length).fill(noon));
    assert.deepEqual(read(field, ['2026-05-01T12:00:00.250Z', '2026-05-01', undefined]), [
      new Date(noon.getTime() + 250),
      new Date(Date.UTC(2026, 4, 1)),
      undefined,
    ]);
    const nonsense: RawValue[] = [
      'x',
      '1761998400',
      '2026-02-30',
      '2026-02-30 00:00:00',
      '2026-13-01',
      '26-05-01',
      '12:00',
    ];
    // A plus sign that was not encoded arrives as a space.
    const odd: RawValue[] = ['2026-05-01T12:00:00 02:00', '2026-05-01 12:00:00Z', '2026-05-01 25:00:00', ' 2026-05-01'];
    const unwritable: RawValue[] = ['0000-01-01', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00', notPlain];
    const bad = [...nonsense, ...odd, ...unwritable];
    assert.deepEqual(read(field, bad), Array(bad.length).fill('invalid_from'));
  });

  test('paging has no error: not an integer of 1 or more falls back, above the maximum is clamped', () => {
    const field = page({ default: 10, max: 100 });
    const sent: RawValue[] = ['1', '100', '101', '9'.repeat(400), '0', '-1', '1.5', 'x', undefined, notPlain];
    assert.deepEqual(read(field, sent), [1, 100, 100, 100, 10, 10, 10, 10, 10, 10]);
  });
});
