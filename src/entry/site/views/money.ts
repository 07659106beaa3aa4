import { inUsd } from '../../../actions/action.ts';
import type { Invoice, InvoiceRow } from '../../../domains/billing/invoices/invoices.ts';
import type { Book, BookLine, Line, Period, PeriodSum } from '../../../domains/money/books/books.ts';
import type { Partner } from '../../../domains/partners/accounts/accounts.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { World } from '../../../worlds/world.ts';
import { type BytesFile, iso, jsonOf } from '../json/action.ts';
import { monthOf, monthRange } from '../json/filters.ts';

/** Lines shown on a monthly statement, per book. The rest is in the CSV. */
const MAX_LINES = 500;
const MAX_MONTHS = 240;
const books: readonly Book[] = ['wallet', 'debt'];

export async function monthsOf({ books }: World, partnerId: number, now: number): Promise<string[]> {
  const since = await books.since(partnerId);
  return since ? monthsFrom(since, new Date(now)) : [];
}

export async function statementOf(
  world: World,
  { partnerId: id, name, billingMode }: Pick<Partner, 'partnerId' | 'name' | 'billingMode'>,
  month: string,
  now: number,
) {
  const range = monthRange(month);
  if (!range || range.from.getTime() > now) throw new Refused('not_found', 'there is no statement of this month');
  const kept = await Promise.all(books.map((book) => bookOf(world, id, book, range)));
  // A book that was never used says nothing, except the one that pays for purchases.
  const pays = billingMode === 'postpaid' ? 'debt' : 'wallet';
  return {
    month,
    from: iso(range.from),
    to: iso(range.to),
    /** The month is not over. */
    is_running: range.to.getTime() > now,
    made_at: iso(new Date(now)),
    partner: { id, name },
    books: kept.filter(({ book, is_used }) => is_used || book === pays),
  };
}

async function bookOf({ books }: World, partnerId: number, book: Book, range: { from: Date; to: Date }) {
  const period = await books.period(partnerId, book, range.from, range.to);
  requireUnarchived(period.archivedUntil);
  const [sums, lines] = await Promise.all([
    books.sums(partnerId, book, period),
    books.linesOf(partnerId, book, period, MAX_LINES),
  ]);
  return bookView(book, period, sums, lines);
}

/** A part of a period would look like all of it. */
export function requireUnarchived(archivedUntil: Date | null): void {
  if (archivedUntil)
    throw new Refused(
      'month_archived',
      `everything before ${archivedUntil.toISOString().slice(0, 10)} is archived: choose a later time, or ask the operator for the archive`,
    );
}

const bookView = (book: Book, period: Period, sums: readonly PeriodSum[], lines: readonly BookLine[]) => ({
  book,
  is_used: period.end > 1n,
  ...inUsd(period, 'opening', 'closing'),
  groups: sums.map(({ type, isIncrease, count, amount }) => ({
    type,
    is_increase: isIncrease,
    count,
    amount: formatCents(amount),
  })),
  lines: lines.map(lineView),
  /** Lines of the month that are not shown here. */
  more: Number(period.end - period.first) - lines.length,
});

export const lineView = (line: Line<string>) => ({
  ...jsonOf(line, 'id', 'at', 'type', 'orderId', 'note'),
  ...inUsd(line, 'amount', 'balanceAfter'),
});

/** Newest first, up to the running month. */
function monthsFrom(since: Date, now: Date): string[] {
  const [first, months] = [monthOf(since), [] as string[]];
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  while (monthOf(at) >= first && months.length < MAX_MONTHS) {
    months.push(monthOf(at));
    at.setUTCMonth(at.getUTCMonth() - 1);
  }
  return months;
}

export type StatementLine = ReturnType<typeof lineView>;
export type StatementBook = ReturnType<typeof bookView>;
export type MonthlyStatement = Awaited<ReturnType<typeof statementOf>>;

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
