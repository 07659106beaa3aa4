import type { InvoiceDocument, InvoiceLine } from '../../../src/domains/billing/invoices/document.ts';
import { splitTax, type Tax, taxOf } from '../../../src/domains/billing/invoices/tax.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';

/*
 * Documents of every kind we issue, for whoever judges what we make of them: the rules of EN 16931, our own sums, and readers of PDFs.
 */

const seller = {
  name: 'Hauptstraße & Söhne <Reisen> GmbH',
  address: ['Hauptstraße 1', '10115 Berlin'],
  country: 'DE',
  vatId: 'DE123456789',
  id: 'HRB 12345 <B>',
};

const buyers = {
  S: { country: 'DE', vatId: '' },
  AE: { country: 'FR', vatId: 'FR 12.345678901' },
  O: { country: 'US', vatId: '' },
  /** Nothing is known but the account's name. */
  nothing: { country: '', vatId: '' },
} as const;

interface Wanted {
  readonly buyer?: keyof typeof buyers;
  readonly kind?: InvoiceDocument['kind'];
  readonly rate?: string;
  readonly lines?: readonly InvoiceLine[];
  readonly isPrepaid?: boolean;
  readonly name?: string;
  readonly address?: readonly string[];
  readonly mode?: InvoiceDocument['mode'];
  readonly text?: string;
}

export const line = (description: string, quantity: number, unitPrice: bigint): InvoiceLine => ({
  ...{ description, quantity, unitPrice: toCents(unitPrice) },
  amount: toCents(unitPrice * BigInt(quantity)),
});

export function documentOf(wanted: Wanted = {}): InvoiceDocument {
  const { buyer: who = 'S', kind = 'invoice', rate = '19.00', isPrepaid = false, mode = 'live' } = wanted;
  const { lines = [line('France 5 GB, 30 days', 2, 450n)], text = 'IBAN DE02 1203 0000 0000 2020 51' } = wanted;
  const address =
    wanted.address ?? (who === 'nothing' ? [] : ['Rue de la Paix 1', '2e étage', 'Bât. C', '75002 Paris']);
  const { name = 'Müller & Söhne' } = wanted;
  const buyer = { ...buyers[who], name, address, email: who === 'nothing' ? '' : 'bills@example.com' };
  const tax = taxOf({ ...seller, taxRate: rate }, buyer) as Tax;
  const total = toCents(lines.reduce((sum, { amount }) => sum + amount, 0n));
  const isNote = kind === 'credit_note';
  return {
    ...{ number: isNote ? 'INV2026-000043' : 'INV2026-000042', kind, month: '2026-11', mode, currency: 'USD', text },
    ...{ issuedAt: new Date('2026-12-01T00:06:00Z'), seller, buyer, lines, total, isPrepaid },
    dueAt: isNote || isPrepaid ? null : new Date('2026-12-31T00:00:00Z'),
    ...{ taxCategory: tax.category, taxRate: tax.rate, ...splitTax(total, tax.rate) },
    ...{ credits: isNote ? 'INV2026-000042' : null, reason: isNote ? 'Refunds & <more>' : '' },
  };
}

const COUNTRIES = ['France', 'España', 'Österreich', 'Ísland', '日本', 'مصر'];
/** Lines that differ in plan, price and number. */
export const manyLines = (count: number): InvoiceLine[] =>
  Array.from({ length: count }, (_, i) =>
    line(`${COUNTRIES[i % COUNTRIES.length]} ${1 + (i % 20)} GB, ${i}`, 1 + (i % 7), BigInt(1 + ((i * 37) % 4_999))),
  );

const refunds = [
  line('France 5 GB', 3, 450n),
  line('Refund: France 5 GB', -1, 450n),
  line('Refund: France 5 GB', -2, 33n),
];
/** Every share of tax in these is a fraction of a cent. */
const bad = [line('a', 3, 1n), line('b', 7, 33n), line('c', 1, 99n), line('d', 13, 7n), line('Refund: d', -3, 7n)];
const hostile = `"><script>alert('x')</script> & <b/> ]]> \u0000\u0007\ufffe =HYPERLINK("http://x") \ud83d\ude80 äöüß`;

/** What is issued, by a name that says what is special about it. */
export function documentCases(): readonly (readonly [name: string, document: InvoiceDocument])[] {
  const cases: (readonly [string, Wanted])[] = [
    ['details are missing', { buyer: 'nothing' }],
    ['in the sandbox', { mode: 'sandbox', isPrepaid: true }],
    ['without a text', { text: '' }],
    ['a name of markup', { name: hostile, address: [hostile], text: hostile, lines: [line(hostile, 1, 450n)] }],
    ['all of it was refunded', { lines: [line('a', 1, 450n), line('Refund: a', -1, 450n)], isPrepaid: true }],
    ['a rate of two decimals', { rate: '8.55', lines: bad }],
    ['large amounts', { lines: [line('a', 999_999, 99_999n), line('b', 1, 1n)] }],
    ['one cent', { lines: [line('a', 1, 1n)] }],
  ];
  for (const buyer of ['S', 'AE', 'O'] as const) {
    for (const kind of ['invoice', 'credit_note'] as const)
      for (const isPrepaid of [true, false])
        cases.push([`${buyer}, ${kind}, ${isPrepaid ? 'prepaid' : 'on terms'}`, { buyer, kind, isPrepaid }]);
    cases.push([`${buyer}, with refunds`, { buyer, lines: refunds }]);
    for (const kind of ['invoice', 'credit_note'] as const)
      cases.push([
        `${buyer}, ${kind}, rounds badly`,
        { buyer, kind, lines: kind === 'invoice' ? bad : bad.slice(0, 4) },
      ]);
    for (const count of [1, 50, 3_000]) cases.push([`${buyer}, ${count} lines`, { buyer, lines: manyLines(count) }]);
  }
  return cases.map(([name, wanted]) => [name, documentOf(wanted)] as const);
}
