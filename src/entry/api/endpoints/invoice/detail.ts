import type { Invoice } from '../../../../domains/billing/invoices/invoices.ts';
import { formatCents } from '../../../../platform/amounts/cents.ts';
import { named, said, usdText, vocabulary } from '../../../../platform/contract/described.ts';
import { plainly } from '../../../../platform/contract/json.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { invoiceFields, invoiceView, number, requireInvoice } from './rows.ts';

const party = {
  name: said.text('The name.'),
  address: Type.Array(Type.String(), { description: 'The lines of the address.' }),
  country: said.text('ISO code of the country; may be empty.', 'DE'),
  vat_id: said.text('The VAT id; may be empty.'),
};

export const invoiceDetail = endpoint({
  path: '/invoice/detail',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'One invoice or credit note, with its lines',
  about:
    'As it was issued, except for what was paid since. A document that is not yours is answered like one that does not exist.',
  param: number,
  errors: ['invoice_not_found'],
  reply: Type.Object({
    invoice: named('InvoiceDetail', 'An invoice or a credit note as it was issued.', {
      ...invoiceFields,
      lines: Type.Array(
        named('InvoiceLine', 'One plan at one price.', {
          description: said.text('The plan; refunds say so.', 'France 5 GB'),
          quantity: said.integer('How many; below zero for refunds on an invoice.', 2),
          unit_price: usdText('What one cost, tax included,'),
          amount: usdText('What the line comes to, tax included,'),
          tax_category: vocabulary<Invoice['taxCategory']>('How it is taxed (UNTDID 5305).', {
            S: "With the seller's rate, contained in the price.",
            AE: 'Reverse charge: the buyer owes the tax.',
            O: 'Not subject to VAT.',
          }),
          tax_rate: said.text('Percent, two decimals.', '19.00'),
        }),
        { description: 'Sales first, then refunds.' },
      ),
      seller: Type.Object(
        { ...party, id: said.text('A company number; may be empty.') },
        { description: 'Who issued it.' },
      ),
      buyer: Type.Object(
        { ...party, email: said.text('The billing address; may be empty.') },
        { description: 'Whom it is made out to.' },
      ),
      reason: said.text('Why a credit note was issued; empty on an invoice.'),
    }),
  }),
  async handle(context, _input, { param }) {
    const invoice = await requireInvoice(context, param);
    const { seller, buyer, lines, taxCategory, taxRate, reason } = invoice;
    return {
      body: {
        invoice: {
          ...invoiceView(invoice),
          lines: lines.map(({ description, quantity, unitPrice, amount }) => ({
            ...{ description, quantity },
            unit_price: formatCents(unitPrice),
            amount: formatCents(amount),
            tax_category: taxCategory,
            tax_rate: taxRate,
          })),
          seller: plainly(seller, 'name', 'address', 'country', 'vatId', 'id'),
          buyer: plainly(buyer, 'name', 'address', 'country', 'vatId', 'email'),
          reason,
        },
      },
    };
  },
});
