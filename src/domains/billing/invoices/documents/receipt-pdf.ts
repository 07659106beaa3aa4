import type { Cents } from '../../../../platform/amounts/cents.ts';
import type { Mode } from '../../../../platform/contract/mode.ts';
import {
  body,
  type DocumentBrand,
  GAP,
  LEADING,
  LEFT,
  longDate,
  money,
  type Party,
  parties,
  RIGHT,
  Sheet,
  strong,
} from './sheet.ts';

/** A card payment that was added to a balance. */
export interface TopupReceipt {
  readonly paymentKey: string;
  readonly amount: Cents;
  readonly currency: string;
  readonly paidAt: Date;
  /** The operator's name alone, as long as their settings have no address. */
  readonly seller: Party;
  readonly payer: Party;
  readonly mode: Mode;
}

const NOT_AN_INVOICE =
  'This is a receipt for a payment, not an invoice: nothing was sold yet, so it shows no VAT. What is bought from the balance is on the invoice of the month.';

export function drawReceipt(receipt: TopupReceipt, brand: DocumentBrand): Promise<Uint8Array> {
  const { paymentKey, amount, currency, paidAt, seller, payer, mode } = receipt;
  const isTest = mode === 'sandbox';
  const sheet = new Sheet({
    title: 'Receipt',
    number: paymentKey,
    issuedAt: paidAt,
    author: seller.name,
    isTest,
    brand,
  });
  const ends = [
    sheet.party('Paid to', parties.from, seller),
    sheet.party('Paid by', parties.to, payer),
    sheet.facts([
      ['Paid', longDate(paidAt)],
      ['Method', 'Card'],
    ]),
  ];
  sheet.y = Math.max(...ends) + GAP;
  sheet.line();
  sheet.y += LEADING + 4;
  sheet.pen.write('Top-up of the balance', LEFT, sheet.y, strong);
  sheet.pen.write(`${money(amount)} ${currency}`, RIGHT, sheet.y, strong, 'right');
  sheet.y += LEADING - 3;
  sheet.line();
  sheet.y += 2 * GAP;
  sheet.paragraph(NOT_AN_INVOICE, body);
  return sheet.finished();
}
