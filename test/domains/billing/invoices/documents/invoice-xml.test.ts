import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InvoiceDocument } from '../../../../../src/domains/billing/invoices/document.ts';
import { invoiceXml } from '../../../../../src/domains/billing/invoices/documents/invoice-xml.ts';
import { documentCases, documentOf, line } from '../../../../support/sales/invoice-documents.ts';

const xmlOf = (document: InvoiceDocument): string => new TextDecoder().decode(invoiceXml(document));
const texts = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);
const cents = (text: string | undefined): bigint => {
  assert.match(text ?? '', /^-?\d+\.\d\d$/);
  return BigInt((text ?? '').replace('.', ''));
};
const plain = (text: string): string =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name] ?? '');

for (const [name, document] of documentCases())
  test(`sums are exact to the cent: ${name}`, () => {
    const xml = xmlOf(document);
    const [head = '', ...lines] = xml.split(/<cac:(?:Invoice|CreditNote)Line>/);
    assert.equal(lines.length, document.lines.length);
    let sum = 0n;
    for (const [i, one] of lines.entries()) {
      const net = cents(texts(one, 'cbc:LineExtensionAmount')[0]);
      const quantity = BigInt(texts(one, 'cbc:(?:Invoiced|Credited)Quantity')[0] ?? '');
      const base = BigInt(texts(one, 'cbc:BaseQuantity')[0] ?? '1');
      const price = cents(texts(one, 'cbc:PriceAmount')[0]);
      assert.ok(price >= 0n, 'a price is never negative');
      assert.equal(quantity * price, net * base, `line ${i + 1}: quantity × price is its net amount`);
      const gross = document.lines[i]?.amount ?? 0n;
      assert.equal(quantity < 0n, gross < 0n);
      sum += net;
    }
    const [net = 0n, tax = 0n, total = 0n] = ['TaxExclusiveAmount', 'TaxAmount', 'TaxInclusiveAmount'].map((field) =>
      cents(texts(head, `cbc:${field}`)[0]),
    );
    assert.equal(sum, net, 'the lines are the net amount');
    assert.equal(net + tax, total);
    assert.deepEqual([net, tax, total], [document.net, document.tax, document.total]);
    assert.equal(cents(texts(head, 'cbc:TaxableAmount')[0]), net, 'the one category is all of it');
    assert.deepEqual(new Set(texts(head, 'cbc:TaxAmount')).size, 1);
    assert.equal(cents(texts(head, 'cbc:PayableAmount')[0]), document.isPrepaid ? 0n : total);
  });

test('names are text whatever is in them: no markup, no entity of their own, nothing XML cannot hold', () => {
  const markup = `]]></cbc:Note><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><cbc:ID>&e;</cbc:ID>`;
  const hostile = `${markup}\u0000\u001f\ufffe\ud800`;
  const xml = xmlOf(documentOf({ name: hostile, address: [hostile], text: hostile, lines: [line(hostile, 1, 1n)] }));
  assert.ok(!/<!|&e;|[\p{Cs}\p{Noncharacter_Code_Point}]|(?!\n)\p{Cc}/u.test(xml));
  assert.deepEqual(texts(xml, 'cbc:RegistrationName').map(plain)[1], markup);
  assert.equal(plain(texts(xml, 'cbc:Name')[0] ?? ''), markup);
  assert.equal(texts(xml, 'cbc:ID').filter((id) => id.includes('INV')).length, 1);
});

test('a document outside the scope of VAT carries no VAT id at all, and is named by a company number', () => {
  const xml = xmlOf(documentOf({ buyer: 'O' }));
  assert.ok(!xml.includes('PartyTaxScheme') && !xml.includes('cbc:Percent'));
  assert.match(xml, /<cbc:CompanyID>HRB 12345 &lt;B&gt;<\/cbc:CompanyID>/);
});
