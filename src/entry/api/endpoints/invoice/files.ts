import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { number, requireInvoice } from './detail.ts';

const fileEndpoint = (type: 'pdf' | 'xml', summary: string, about: string) =>
  endpoint({
    path: `/invoice/${type}`,
    verb: 'GET',
    tier: 'read',
    isExtension: true,
    summary,
    about: `${about} Its bytes never change.`,
    param: number,
    fileType: `application/${type}`,
    errors: ['invoice_not_found'],
    reply: Type.Object({}),
    async handle(context, _input, { param }) {
      const invoice = await requireInvoice(context, param);
      return { file: { name: `${invoice.number}.${type}`, bytes: await context.world.invoices[type](invoice) } };
    },
  });

export const invoicePdf = fileEndpoint(
  'pdf',
  'An invoice or credit note as a PDF',
  'The answer is the file, not JSON.',
);
export const invoiceXml = fileEndpoint(
  'xml',
  'An invoice or credit note as XML for accounting software',
  'The answer is the file, not JSON: UBL 2.1, as EN 16931 wants it.',
);
