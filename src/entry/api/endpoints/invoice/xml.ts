import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { number, requireInvoice } from './detail.ts';

export const invoiceXml = endpoint({
  path: '/invoice/xml',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'An invoice or credit note as XML for accounting software',
  about: 'The answer is the file, not JSON: UBL 2.1, as EN 16931 wants it. Its bytes never change.',
  param: number,
  fileType: 'application/xml',
  errors: ['invoice_not_found'],
  reply: Type.Object({}),
  async handle(context, _input, { param }) {
    const invoice = await requireInvoice(context, param);
    return { file: { name: `${invoice.number}.xml`, bytes: await context.world.invoices.xml(invoice) } };
  },
});
