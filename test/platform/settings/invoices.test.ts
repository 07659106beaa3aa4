import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, settingsOf } from '../../../src/platform/settings/environment.ts';
import { readInvoiceSettings } from '../../../src/platform/settings/invoices.ts';

const seller = { SELLER_NAME: 'Example GmbH', SELLER_ADDRESS: 'Street 1| 10115 Berlin |', SELLER_COUNTRY: 'DE' };
const read = (env: NodeJS.ProcessEnv) => readInvoiceSettings(env, settingsOf(env));

test('without a seller nothing is issued; name, address and country are needed together', () => {
  assert.equal(read({}).seller, undefined);
  assert.deepEqual(read(seller).seller, {
    ...{ name: 'Example GmbH', address: ['Street 1', '10115 Berlin'], country: 'DE' },
    ...{ vatId: '', id: '', taxRate: undefined },
  });
  for (const name of ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_COUNTRY'])
    assert.throws(() => read({ ...seller, [name]: '' }), new RegExp(`${name} is not`));
  assert.throws(() => read({ SELLER_VAT_ID: 'DE123456789' }), ConfigError);
});

test('a value that would make a wrong document is refused, and says which setting it is', () => {
  for (const [name, values] of [
    ['SELLER_COUNTRY', ['de', 'DEU', 'D1']],
    ['SELLER_TAX_RATE', ['0', '0.00', '100', '-1', '19 %', '5.555']],
    ['INVOICE_PREFIX', ['a b', 'ü', 'x'.repeat(21)]],
    ['INVOICE_TEXT', ['two\nlines', 'x'.repeat(1_001)]],
    ['OVERDUE_SUSPEND_DAYS', ['0', '-1', '1.5', '366', 'x']],
  ] as const)
    for (const value of values) assert.throws(() => read({ ...seller, [name]: value }), new RegExp(name), value);
});

test('what people type is brought into one form', () => {
  const given = read({
    ...seller,
    SELLER_VAT_ID: 'de 123.456-789',
    SELLER_TAX_RATE: '5.5',
    INVOICE_TEXT: '"Thank you."',
  });
  assert.deepEqual([given.seller?.vatId, given.seller?.taxRate, given.text], ['DE123456789', '5.50', 'Thank you.']);
  assert.deepEqual([given.prefix, given.suspendDays, given.minOverdue], ['INV', undefined, 1000n]);
});
