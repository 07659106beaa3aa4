import { described } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { oneOf, requiredText } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { invoiceRowSchema, invoiceView, NUMBER } from '../invoice/rows.ts';

export const rehearse = endpoint({
  path: '/sandbox/invoice',
  verb: 'POST',
  tier: 'money',
  permission: 'money',
  summary: 'Rehearse what happens to an invoice later (sandbox keys only)',
  about:
    'Sandbox accounts pay in advance, so their invoices are paid as they are issued. `invoice.voided` voids one by a credit note. `invoice.overdue` only sends the event, as if the invoice had been on credit terms and were overdue.',
  isExtension: true,
  needs: (world) => world.tools,
  fields: {
    number: described('The number of an invoice that is not void.', requiredText('invoice_not_found'), {
      example: 'SANDBOX-INV2026-000042',
    }),
    event: described('What happens to it.', oneOf(['invoice.overdue', 'invoice.voided'], 'invalid_event')),
  },
  errors: ['sandbox_only_action', 'invoice_not_found', 'invalid_event'],
  simulated: ['invoice_not_found'],
  reply: Type.Object({ invoice: invoiceRowSchema }),
  async handle({ world, partnerId }, { number, event }) {
    if (event === undefined) throw fail('invalid_event');
    if (!NUMBER.test(number)) throw fail('invoice_not_found');
    const isDone = await world.invoices.rehearse(partnerId, number, event);
    const invoice = isDone ? await world.invoices.find(number, partnerId) : undefined;
    if (!invoice) throw fail('invoice_not_found');
    return { body: { invoice: invoiceView(invoice) } };
  },
});
