import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import type { InvoiceDocument } from '../../../../../src/domains/billing/invoices/document.ts';
import { invoicePdf, receiptPdf } from '../../../../../src/domains/billing/invoices/documents/drawing.ts';
import type { DocumentBrand } from '../../../../../src/domains/billing/invoices/documents/sheet.ts';
import { toCents } from '../../../../../src/platform/amounts/cents.ts';
import { debianBinary, noProgram } from '../../../../support/debian/debian.ts';
import { documentOf, line, manyLines } from '../../../../support/sales/invoice-documents.ts';

const brand: DocumentBrand = { name: 'Example Travel', color: '#0f766e', logo: undefined };
const noReader = await noProgram('pdftotext');

/** The text as a reader selects it, and how many pages there are. */
async function readerOf(pdf: Uint8Array): Promise<{ text: string; pages: number }> {
  const { path, env } = await debianBinary('pdftotext');
  const folder = await mkdtemp(join(tmpdir(), 'pdf-'));
  try {
    const file = join(folder, 'document.pdf');
    await writeFile(file, pdf);
    const { stdout } = await promisify(execFile)(path, ['-layout', file, '-'], { env: { ...process.env, ...env } });
    return { text: stdout, pages: stdout.split('\f').length - 1 };
  } finally {
    await rm(folder, { recursive: true });
  }
}
const read = async (document: InvoiceDocument) => readerOf(await invoicePdf(document, brand));
const words = (text: string): string => text.replace(/\s+/g, ' ');

const receipt = {
  ...{ paymentKey: 'pay_0123', amount: toCents(5_000n), currency: 'USD', paidAt: new Date('2026-12-01T09:00:00Z') },
  seller: { name: 'Example Travel GmbH', address: ['Hauptstraße 1'], country: 'DE' },
  payer: { name: 'Kite Travel', address: [], country: '' },
  mode: 'live' as const,
};

test('the same document has the same bytes, drawn before or after others, and another has others', async () => {
  const document = documentOf({ name: 'شركة السفر 日本旅行 Ω', lines: manyLines(40) });
  const first = await invoicePdf(document, brand);
  const other = await invoicePdf({ ...document, number: 'INV2026-000044' }, brand);
  const again = await invoicePdf(document, brand);
  assert.ok(Buffer.from(first).equals(again));
  assert.ok(!Buffer.from(first).equals(other));
  assert.ok(Buffer.from(await receiptPdf(receipt, brand)).equals(await receiptPdf(receipt, brand)));
});

test('all of it is text that can be selected: parties, lines and sums', { skip: noReader }, async () => {
  const { text, pages } = await read(documentOf({ lines: [line('France 5 GB, 30 days', 3, 450_050n)] }));
  assert.equal(pages, 1);
  for (const part of [
    'Invoice',
    'INV2026-000042',
    'Hauptstraße & Söhne <Reisen> GmbH',
    'VAT ID DE123456789',
    'Müller & Söhne',
    '75002 Paris',
    '1 December 2026',
    '31 December 2026',
    'November 2026',
    'France 5 GB, 30 days',
    '4,500.50',
    '13,501.50',
    'VAT 19 %',
    'IBAN DE02 1203 0000 0000 2020 51',
    'Page 1 of 1',
  ])
    assert.ok(words(text).includes(part), `${part} in ${text}`);
});

test('names in Arabic, Hebrew, Japanese, Chinese, Greek and Thai are text, too', { skip: noReader }, async () => {
  for (const name of ['日本旅行株式会社', '上海旅游', 'Ελλάδα Ταξίδια', 'Тур Альфа', 'บริษัท ท่องเที่ยว']) {
    const { text } = await read(documentOf({ name }));
    assert.ok(
      text.replace(/\s/g, '').normalize('NFKC').includes(name.replace(/\s/g, '').normalize('NFKC')),
      `${name}: ${text}`,
    );
  }
  // From right to left: a reader may give the letters back in either order, but all of them.
  const letters = (of: string): string => [...of.normalize('NFKC').replace(/[^\p{L}]/gu, '')].sort().join('');
  for (const name of ['شركة السفر', 'חברת נסיעות']) {
    const { text } = await read(documentOf({ name }));
    const found = words(text.normalize('NFKC')).match(
      /[\p{Script=Arabic}\p{Script=Hebrew}][\p{Script=Arabic}\p{Script=Hebrew} ]*/u,
    );
    assert.equal(letters(found?.[0] ?? ''), letters(name), text);
  }
});

test('long documents go on with their head and number on every page, and no line is lost', {
  skip: noReader,
}, async () => {
  const lines = manyLines(100);
  const { text, pages } = await read(documentOf({ lines }));
  assert.equal(pages, 4);
  for (const { description } of lines.filter(({ description: one }) => /^[\x20-\x7e]+$/.test(one)))
    assert.ok(text.includes(description), description);
  const each = text.split('\f').slice(0, pages);
  for (const [i, page] of each.entries()) {
    assert.ok(page.includes(`Page ${i + 1} of ${pages}`));
    assert.ok(page.includes('INV2026-000042'));
    assert.ok(page.includes('Description'));
  }
});

test('what a name does to a line stays on that line: control characters and overlong words', {
  skip: noReader,
}, async () => {
  const name = `\u202egnp.exe\u0000${'W'.repeat(200)}`;
  const { text, pages } = await read(documentOf({ name, lines: [line('x'.repeat(300), 1, 450n)] }));
  assert.equal(pages, 1);
  assert.ok(!text.includes('\u202e'));
  assert.equal(text.match(/W/g)?.length, 200);
});

test('a receipt says that it is no invoice, and shows no tax', { skip: noReader }, async () => {
  const { text } = await readerOf(await receiptPdf(receipt, brand));
  assert.match(words(text), /Receipt .*50\.00 USD/);
  assert.match(words(text), /not an invoice/);
  assert.ok(!text.includes('19 %'));
});

test('a logo is drawn; a file that is no picture leaves the name in its place', { skip: noReader }, async () => {
  const drawn = async (bytes: Buffer) =>
    readerOf(await invoicePdf(documentOf(), { ...brand, logo: { type: 'image/png', bytes } }));
  assert.ok(!(await drawn(png())).text.includes('Example Travel'));
  for (const broken of [Buffer.from('no picture'), png().subarray(0, 60)])
    assert.ok((await drawn(broken)).text.includes('Example Travel'));
});

/** A PNG of one colour. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    // Readers of ours do not check sums.
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const [width, height] = [12, 4];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const rows = Buffer.concat(
    Array.from({ length: height }, () => Buffer.from([0, ...Array(width).fill([200, 0, 0]).flat()])),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...[chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))],
  ]);
}
