import { formatCents } from '../../../platform/amounts/cents.ts';
import type { InvoiceEvent } from '../../messages/events/events.ts';
import type { InvoiceRow } from './rows.ts';

export const invoiceEvent = (
  event: InvoiceEvent['event'],
  { partnerId, ...row }: InvoiceRow,
  n: number,
  at: Date,
): InvoiceEvent => ({
  event,
  partnerId,
  number: row.number,
  n,
  invoice: {
    ...row,
    net: formatCents(row.net),
    tax: formatCents(row.tax),
    total: formatCents(row.total),
    amountPaid: formatCents(row.amountPaid),
    amountDue: formatCents(row.amountDue),
  },
  occurredAt: at.getTime(),
});
