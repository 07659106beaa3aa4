import { type Cents, formatCents } from '../../../../platform/amounts/cents.ts';
import type { Buyer, InvoiceDocument, Seller } from '../document.ts';
import { netLines } from '../tax.ts';
import {
  BOTTOM,
  body,
  type DocumentBrand,
  dimmed,
  GAP,
  LEADING,
  LEFT,
  label,
  longDate,
  longMonth,
  money,
  parties,
  plainRate,
  RIGHT,
  Sheet,
  strong,
} from './sheet.ts';

const titles = { invoice: 'Invoice', credit_note: 'Credit note' } as const;
const taxNotes = {
  S: '',
  AE: 'Reverse charge: the recipient is liable for the VAT (Article 196 of Directive 2006/112/EC).',
  O: 'Not subject to VAT.',
} as const;

/** Draws the whole document in one go: for thousands of lines this takes seconds, so `drawing.ts` does it beside the main thread. */
export function drawInvoice(document: InvoiceDocument, brand: DocumentBrand): Promise<Uint8Array> {
  const { kind, number, issuedAt, seller, mode, reason, text } = document;
  const title = titles[kind];
  const sheet = new Sheet({ title, number, issuedAt, author: seller.name, isTest: mode === 'sandbox', brand });
  drawParties(sheet, document);
  if (reason !== '') {
    sheet.paragraph(`Reason: ${reason}`, body);
    sheet.y += 2 * GAP;
  }
  drawLines(sheet, document);
  drawTotals(sheet, document);
  sheet.y += GAP;
  for (const note of notesOf(document)) sheet.paragraph(note, body);
  if (text !== '') {
    const height = text.split('\n').flatMap((line) => sheet.pen.wrap(line, RIGHT - LEFT, dimmed)).length * LEADING;
    // At the foot of the page, if it fits below what is there.
    sheet.y = Math.max(sheet.y + GAP, BOTTOM - height);
    sheet.paragraph(text, dimmed);
  }
  return sheet.finished();
}

function drawParties(sheet: Sheet, document: InvoiceDocument): void {
  const { seller, buyer, taxCategory } = document;
  const withVatId = taxCategory !== 'O';
  const company = seller.id === '' ? [] : [`Company number ${seller.id}`];
  const ends = [
    sheet.party('From', parties.from, seller, [...vatLine(seller, withVatId), ...company]),
    sheet.party(document.kind === 'invoice' ? 'Bill to' : 'Credit to', parties.to, buyer, [
      ...vatLine(buyer, withVatId),
      ...(buyer.email === '' ? [] : [buyer.email]),
    ]),
    sheet.facts(factsOf(document)),
  ];
  sheet.y = Math.max(...ends) + GAP;
}

const vatLine = ({ vatId }: Seller | Buyer, isShown: boolean): string[] =>
  isShown && vatId !== '' ? [`VAT ID ${vatId}`] : [];

function factsOf({ issuedAt, month, dueAt, isPrepaid, credits, kind }: InvoiceDocument): [string, string][] {
  const due: [string, string][] = dueAt ? [['Due', longDate(dueAt)]] : [];
  return [
    ['Issued', longDate(issuedAt)],
    ['Period', longMonth(month)],
    ...due,
    ...(isPrepaid && kind === 'invoice' ? [['Paid', longDate(issuedAt)] as [string, string]] : []),
    ...(credits === null ? [] : [['Credits', credits] as [string, string]]),
  ];
}

interface Column {
  readonly title: string;
  /** The right edge of its numbers. */
  readonly right: number;
}

/** Unit prices and amounts contain the tax; with tax, each line shows its net amount, too. */
function columnsOf({ taxCategory, currency }: InvoiceDocument): readonly Column[] {
  const amount = { title: `Amount, ${currency}`, right: RIGHT };
  const quantity = { title: 'Quantity', right: RIGHT - 212 };
  if (taxCategory !== 'S')
    return [{ ...quantity, right: RIGHT - 142 }, { title: 'Unit price', right: RIGHT - 72 }, amount];
  return [quantity, { title: 'Unit price', right: RIGHT - 142 }, { title: 'Net', right: RIGHT - 72 }, amount];
}

function drawLines(sheet: Sheet, document: InvoiceDocument): void {
  const columns = columnsOf(document);
  const nets = document.taxCategory === 'S' ? netLines(document) : undefined;
  const width = (columns[0]?.right ?? 0) - LEFT - 56;
  const drawHead = () => {
    sheet.pen.write('Description', LEFT, sheet.y, label);
    for (const { title, right } of columns) sheet.pen.write(title, right, sheet.y, label, 'right');
    sheet.y += 7;
    sheet.line();
  };
  sheet.room(4 * LEADING);
  drawHead();
  for (const [i, { description, quantity, unitPrice, amount }] of document.lines.entries()) {
    const lines = sheet.pen.wrap(description, width, body);
    const height = Math.max(1, lines.length) * LEADING + 7;
    if (sheet.room(height)) drawHead();
    const y = sheet.y + LEADING;
    const count = Math.abs(quantity) * (amount < 0n ? -1 : 1);
    const net = nets?.[i];
    const numbers = [
      count.toLocaleString('en').replace('-', '−'),
      money(unitPrice),
      ...(net === undefined ? [] : [money(net)]),
    ];
    sheet.block(lines, LEFT, y, body);
    for (const [at, text] of [...numbers, money(amount)].entries())
      sheet.pen.write(text, columns[at]?.right ?? RIGHT, y, body, 'right');
    sheet.y += height;
    sheet.line();
  }
}

function drawTotals(sheet: Sheet, document: InvoiceDocument): void {
  const { net, tax, total, taxCategory, taxRate, isPrepaid, kind, currency } = document;
  const due = isPrepaid ? 0n : total;
  const withTax: (readonly [string, bigint])[] =
    taxCategory === 'O'
      ? []
      : [
          ['Net', net],
          [taxCategory === 'AE' ? 'VAT, reverse charge' : `VAT ${plainRate(taxRate)} %`, tax],
        ];
  const rows: (readonly [string, bigint])[] = [
    ...withTax,
    [`Total, ${currency}`, total],
    ...(isPrepaid ? [[kind === 'invoice' ? 'Paid from balance' : 'Refunded to balance', -total] as const] : []),
    ...(kind === 'invoice' ? [['Amount due', due] as const] : []),
  ];
  sheet.room(rows.length * (LEADING + 4) + GAP);
  sheet.y += GAP + 4;
  for (const [name, amount] of rows) {
    const style = name.startsWith('Total') || name === 'Amount due' ? strong : body;
    sheet.pen.write(name, RIGHT - 190, sheet.y, style);
    sheet.pen.write(money(amount as Cents), RIGHT, sheet.y, style, 'right');
    sheet.y += LEADING + 4;
  }
}

function notesOf({ taxCategory, isPrepaid, kind, credits, taxRate, total }: InvoiceDocument): string[] {
  const notes: string[] = [taxNotes[taxCategory]];
  if (taxCategory === 'S') notes.push(`Unit prices and amounts contain ${plainRate(taxRate)} % VAT.`);
  if (isPrepaid && kind === 'invoice') notes.push('Paid from balance: nothing is due.');
  if (credits !== null)
    notes.push(
      isPrepaid
        ? `${formatCents(total)} USD of invoice ${credits} have been refunded to the balance.`
        : `Invoice ${credits} is reduced by ${formatCents(total)} USD.`,
    );
  return notes.filter((note) => note !== '');
}
