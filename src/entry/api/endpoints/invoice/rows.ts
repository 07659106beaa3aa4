import { type Invoice, type InvoiceRow, invoiceValues } from '../../../../domains/billing/invoices/invoices.ts';
import { named, nullable, said, usdText, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { type InvoiceValues, invoiceBody } from '../../../../platform/contract/resources.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import type { Context } from '../../endpoint.ts';

export const statusMeanings: Readonly<Record<InvoiceValues['status'], string>> = {
  open: 'It is to be paid by its due date.',
  paid: 'Nothing is left to pay: it was paid, or taken from the balance as the orders were placed. Also every credit note.',
  overdue: 'Its due date has passed.',
  void: 'A credit note over all of it was issued. Nothing is to be paid.',
};

export const invoiceFields = {
  id: said.integer('Its place in the list: send it as `before_id` for the next page.', 42),
  number: said.text('The number of the document.', 'INV2026-000042'),
  kind: vocabulary<InvoiceValues['kind']>('What it is.', {
    invoice: 'An invoice: the sales of a month.',
    credit_note: 'A credit note: it takes an earlier invoice back, in part or whole.',
  }),
  status: vocabulary('What has become of it.', statusMeanings),
  month: said.text('The calendar month (UTC) that was closed.', '2026-11'),
  issued_at: utcTime('When it was issued.'),
  due_at: nullable(utcTime('By when it is to be paid; null if it was paid from the balance.')),
  net: usdText('Without tax,'),
  tax: usdText('The tax, contained in the prices,'),
  total: usdText('All of it,'),
  amount_paid: usdText('What was paid of it,'),
  amount_due: usdText('What is left to pay,'),
  currency: Type.Literal('USD', { description: 'The currency of all amounts.' }),
  credits: nullable(said.text('Of a credit note: the number of the invoice it belongs to.', 'INV2026-000041')),
};

export const invoiceRowSchema = named('Invoice', 'An invoice or a credit note.', invoiceFields);

export const invoiceView = (row: InvoiceRow) => invoiceBody(invoiceValues(row));

export const number = {
  name: 'number',
  missing: 'invoice_not_found',
  schema: said.text('The number of the document.', 'INV2026-000042'),
} as const;

/** What a number can be made of: anything else is answered as not found, without a query. */
export const NUMBER = /^[A-Za-z0-9-]{1,100}$/;

/** A number that is not the account's is answered like one that does not exist. */
export async function requireInvoice({ world, partnerId }: Context, param: string): Promise<Invoice> {
  const found = NUMBER.test(param) ? await world.invoices.find(param, partnerId) : undefined;
  if (!found) throw fail('invoice_not_found');
  return found;
}
