import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { number, requireInvoice } from './rows.ts';

/** A document as a file of this type. */
export const fileEndpoint = (type: 'pdf' | 'xml', summary: string, about: string) =>
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
