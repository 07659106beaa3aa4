import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { number, requireInvoice } from './detail.ts';

export const invoicePdf = endpoint({
  path: '/invoice/pdf',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'An invoice or credit note as a PDF',
  about: 'The answer is the file, not JSON. Its bytes never change.',
  param: number,
  fileType: 'application/pdf',
  errors: ['invoice_not_found'],
  reply: Type.Object({}),
  async handle(context, _input, { param }) {
    const invoice = await requireInvoice(context, param);
    return { file: { name: `${invoice.number}.pdf`, bytes: await context.world.invoices.pdf(invoice) } };
  },
});
