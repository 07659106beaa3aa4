import { inUsd } from '../../../actions/result.ts';
import type { Invoice, InvoiceRow } from '../../../domains/billing/invoices/invoices.ts';
import type { World } from '../../../worlds/world.ts';
import type { BytesFile } from '../json/action.ts';
import { jsonOf } from '../json/action.ts';

export const invoiceRowView = (row: InvoiceRow) => ({
  ...jsonOf(row, 'id', 'number', 'kind', 'status', 'month', 'issuedAt', 'dueAt', 'credits'),
  ...inUsd(row, 'net', 'tax', 'total', 'amountPaid', 'amountDue'),
});

/** As it was issued, and what was paid of it. */
export const invoiceDocumentView = (invoice: Invoice) => ({
  ...invoiceRowView(invoice),
  ...jsonOf(invoice, 'taxCategory', 'taxRate', 'reason', 'text', 'isPrepaid'),
  seller: jsonOf(invoice.seller, 'name', 'address', 'country', 'vatId', 'id'),
  buyer: jsonOf(invoice.buyer, 'name', 'address', 'country', 'vatId', 'email'),
  lines: invoice.lines.map((line) => ({
    ...jsonOf(line, 'description', 'quantity'),
    ...inUsd(line, 'unitPrice', 'amount'),
  })),
});

export type InvoiceRowView = ReturnType<typeof invoiceRowView>;
export type InvoiceDocumentView = ReturnType<typeof invoiceDocumentView>;

/** The files of an issued document. Their bytes never change. */
export const invoiceFiles = {
  pdf: async ({ invoices }: World, invoice: Invoice): Promise<BytesFile> => ({
    fileName: `${invoice.number}.pdf`,
    type: 'application/pdf',
    bytes: await invoices.pdf(invoice),
  }),
  xml: async ({ invoices }: World, invoice: Invoice): Promise<BytesFile> => ({
    fileName: `${invoice.number}.xml`,
    type: 'application/xml',
    bytes: invoices.xml(invoice),
  }),
} as const;
