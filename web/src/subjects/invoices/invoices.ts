import type { InvoiceDocumentView, InvoiceRowView } from '../../../../src/entry/site/views/money.ts';

export type InvoiceRow = InvoiceRowView;
export type InvoiceDocument = InvoiceDocumentView;
export type Status = InvoiceRowView['status'];

export const statusName: Readonly<Record<Status, string>> = {
  open: 'Open',
  paid: 'Paid',
  overdue: 'Overdue',
  void: 'Void',
};

export const statusChoices = Object.entries(statusName).map(([value, label]) => ({ value, label }));

export const kindName: Readonly<Record<InvoiceRowView['kind'], string>> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
};

/** `2026-12-01T…` as 1 Dec 2026, the day in UTC, as it stands on the document. */
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
export const dayOf = (at: string): string => dayFormat.format(new Date(at));

/** What a document says about its tax. */
export const taxName = ({ tax_category, tax_rate }: Pick<InvoiceDocument, 'tax_category' | 'tax_rate'>): string =>
  ({
    S: `${Number(tax_rate)} % tax, contained in the prices`,
    AE: 'Reverse charge: the buyer owes the tax',
    O: 'Not subject to VAT',
  })[tax_category];
