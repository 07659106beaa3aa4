import { invoiceStatuses } from '../../../../domains/billing/invoices/invoices.ts';
import { described, said } from '../../../../platform/contract/described.ts';
import { id, oneOf, page, time } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { invoiceRowSchema, invoiceView, statusMeanings } from './rows.ts';

export const invoiceList = endpoint({
  path: '/invoice/list',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'Invoices and credit notes, newest first',
  about:
    'A month with sales has one invoice, issued on the 1st of the next month. To page, send the `id` of the last row as `before_id`.',
  fields: {
    limit: described('How many at most. Larger values are reduced to 100.', page({ default: 20, max: 100 })),
    before_id: described('Only documents with a smaller `id`.', id('invalid_before_id'), { example: 42 }),
    status: described('Only documents in this state.', oneOf(invoiceStatuses, 'invalid_status'), {
      meanings: statusMeanings,
    }),
    from: described('Only documents issued at this time or later.', time('invalid_from')),
    to: described('Only documents issued before this time.', time('invalid_to')),
  },
  reply: Type.Object({
    invoices: Type.Array(invoiceRowSchema, { description: 'The documents, newest first.' }),
    count: said.integer('How many this answer has.'),
    has_more: said.boolean('Whether there are older ones.'),
  }),
  async handle({ world, partnerId }, { limit, before_id, status, from, to }) {
    // One more than is shown tells whether there is a next page.
    const found = await world.invoices.list({ partnerId, limit: limit + 1, beforeId: before_id, status, from, to });
    const invoices = found.slice(0, limit).map(invoiceView);
    return { body: { invoices, count: invoices.length, has_more: found.length > limit } };
  },
});
