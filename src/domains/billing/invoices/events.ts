import { formatCents } from '../../../platform/amounts/cents.ts';
import type { InvoiceValues } from '../../../platform/contract/resources.ts';
import type { InvoiceEvent } from '../../messages/events/events.ts';
import type { InvoiceRow } from './rows.ts';

/** Its amounts as the contract writes them. */
export const invoiceValues = (row: InvoiceRow): InvoiceValues => ({
  ...row,
  net: formatCents(row.net),
  tax: formatCents(row.tax),
  total: formatCents(row.total),
  amountPaid: formatCents(row.amountPaid),
  amountDue: formatCents(row.amountDue),
});

export const invoiceEvent = (event: InvoiceEvent['event'], row: InvoiceRow, n: number, at: Date): InvoiceEvent => ({
  event,
  partnerId: row.partnerId,
  number: row.number,
  n,
  invoice: invoiceValues(row),
  occurredAt: at.getTime(),
});
