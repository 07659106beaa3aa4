import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVatIdOf, splitTax, taxOf } from '../../../../src/domains/billing/invoices/tax.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';

const seller = (country: string, more: { vatId?: string; id?: string; taxRate?: string } = {}) => ({
  country,
  vatId: 'SELLER-VAT',
  id: 'SELLER-ID',
  taxRate: '19.00',
  ...more,
});

for (const [name, from, country, vatId, expected] of [
  ['no details: as at home', 'DE', '', '', 'S 19.00'],
  ['no country but a VAT id: as at home', 'DE', '', 'FR12345678901', 'S 19.00'],
  ['same country in the EU, company', 'DE', 'DE', 'DE123456789', 'S 19.00'],
  ['same country outside the EU', 'CH', 'CH', '', 'S 19.00'],
  ['another country of the EU, no VAT id', 'DE', 'FR', '', 'S 19.00'],
  ['another country of the EU, VAT id of a wrong form', 'DE', 'FR', 'FR123', 'S 19.00'],
  ['another country of the EU, VAT id of a third country', 'DE', 'FR', 'ATU12345678', 'S 19.00'],
  ['another country of the EU, company', 'DE', 'FR', 'FR12345678901', 'AE 0.00'],
  ['another country of the EU, VAT id with blanks and small letters', 'DE', 'AT', 'atu 1234 5678', 'AE 0.00'],
  ['Greece, EL', 'DE', 'GR', 'EL123456789', 'AE 0.00'],
  ['Greece, GR is not its prefix', 'DE', 'GR', 'GR123456789', 'S 19.00'],
  ['a Greek seller', 'GR', 'DE', 'DE123456789', 'AE 0.00'],
  ['buyer outside the EU', 'DE', 'US', '', 'O 0.00'],
  ['buyer outside the EU with a VAT id', 'DE', 'GB', 'GB123456789', 'O 0.00'],
  ['Northern Ireland is outside for services', 'DE', 'GB', 'XI123456789', 'O 0.00'],
  ['seller outside the EU, buyer inside', 'US', 'DE', 'DE123456789', 'O 0.00'],
  ['both outside the EU, abroad', 'US', 'CA', '', 'O 0.00'],
] as const)
  test(`${name}: ${expected}`, () => {
    const tax = taxOf(seller(from), { country, vatId });
    assert.ok('category' in tax);
    assert.equal(`${tax.category} ${tax.rate}`, expected);
  });

for (const [name, given, country, vatId, missing] of [
  ['S needs a VAT id and a rate', { vatId: '', taxRate: undefined }, 'DE', '', ['SELLER_VAT_ID', 'SELLER_TAX_RATE']],
  ['AE needs a VAT id', { vatId: '' }, 'FR', 'FR12345678901', ['SELLER_VAT_ID']],
  ['O needs a company number, and no VAT id', { vatId: '', id: '' }, 'US', '', ['SELLER_ID']],
] as const)
  test(name, () => {
    assert.deepEqual(taxOf({ ...seller('DE'), ...given }, { country, vatId }), { missing });
  });

test('the form of a VAT id is that of its country', () => {
  assert.ok(isVatIdOf('NL', 'NL123456789B01'));
  assert.ok(isVatIdOf('IE', 'IE1234567WA'));
  assert.ok(isVatIdOf('ES', 'ESX1234567X'));
  assert.ok(!isVatIdOf('DE', 'DE12345678'));
  assert.ok(!isVatIdOf('US', 'DE123456789'));
  assert.ok(!isVatIdOf('toString', 'DE123456789'));
});

test('tax is contained in the total and rounded half up once', () => {
  for (const [total, rate, tax] of [
    [11900n, '19.00', 1900n],
    [1n, '19.00', 0n],
    [3n, '20.00', 1n],
    [2299n, '19.00', 367n],
    [0n, '19.00', 0n],
    [10_000n, '0.00', 0n],
    [99_999_999_999n, '25.50', 20_318_725_099n],
  ] as const) {
    const split = splitTax(toCents(total), rate);
    assert.equal(split.tax, tax, `${total} at ${rate}`);
    assert.equal(split.net + split.tax, total);
  }
});
