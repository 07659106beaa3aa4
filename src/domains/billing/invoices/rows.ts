import { type Cents, formatCents, toCents } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import type { InvoiceValues } from '../../../platform/contract/resources.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { InvoiceEvent } from '../../messages/events/events.ts';
import {
  type InvoiceDocument,
  type InvoiceLine,
  keepLook,
  type Look,
  lookColumns,
  lookOf,
  type StoredLook,
} from './document.ts';
import { dateOf, type Month } from './sales-of-month.ts';
import { splitTax, type Tax } from './tax.ts';

export const invoiceStatuses = ['open', 'paid', 'overdue', 'void'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** A document in a list. */
export interface InvoiceRow extends Omit<InvoiceValues, Amounts>, Readonly<Record<Amounts, Cents>> {
  readonly partnerId: number;
}

type Amounts = 'net' | 'tax' | 'total' | 'amountPaid' | 'amountDue';

/** A document as it was issued, with what has become of it. */
export interface Invoice extends InvoiceRow, Omit<InvoiceDocument, keyof InvoiceRow> {
  readonly look: Look;
}

export interface InvoiceFilter {
  readonly partnerId?: number | undefined;
  readonly status?: InvoiceStatus | undefined;
  readonly month?: Month | undefined;
  readonly from?: Date | undefined;
  /** Issued before this. */
  readonly to?: Date | undefined;
  readonly beforeId?: bigint | undefined;
  readonly ids?: readonly bigint[] | undefined;
  readonly numbers?: readonly string[] | undefined;
  /** Part of the number, in any case. */
  readonly text?: string | undefined;
  /** Only what is yet to be paid, and is due then. */
  readonly unpaidDue?: DueDates | undefined;
  readonly limit: number;
}

const isPaidOff = sql`i.kind = 'credit_note' or s.status = 'paid'`;
const columns = sql`i.id, i.partner_id as "partnerId", i.number, i.kind, s.status, to_char(i.month, 'YYYY-MM') as month,
  i.issued_at as "issuedAt", i.due_at as "dueAt", i.net, i.tax, i.total,
  case when ${isPaidOff} then i.total else i.total - i.on_terms + s.settled end as "amountPaid",
  case when ${isPaidOff} or s.status = 'void' then 0 else i.on_terms - s.settled end::bigint as "amountDue",
  (select credited.number from invoices credited where credited.id = i.credits) as credits`;
const source = sql`invoices i join invoice_states s on s.invoice_id = i.id`;

/** Newest first. */
export const listInvoices = (db: Queryable, filter: InvoiceFilter): Promise<InvoiceRow[]> => {
  const { partnerId, status, month, from, to, beforeId, ids, numbers, text, unpaidDue } = filter;
  return db.query(sql`
    select ${columns} from ${source} where true
      ${partnerId === undefined ? nothing : sql`and i.partner_id = ${partnerId}`}
      ${status === undefined ? nothing : sql`and s.status = ${status}`}
      ${month === undefined ? nothing : sql`and i.month = ${dateOf(month)}::date`}
      ${from === undefined ? nothing : sql`and i.issued_at >= ${from}`}
      ${to === undefined ? nothing : sql`and i.issued_at < ${to}`}
      ${ids === undefined ? nothing : sql`and i.id = any(${ids}::bigint[])`}
      ${numbers === undefined ? nothing : sql`and i.number = any(${numbers}::text[])`}
      ${text === undefined || text === '' ? nothing : sql`and strpos(lower(i.number), ${text.toLowerCase()}) > 0`}
      ${unpaidDue === undefined ? nothing : isUnpaidDue(unpaidDue)}
      ${beforeId === undefined ? nothing : sql`and i.id < ${beforeId}`}
    order by i.id desc limit ${filter.limit}`);
};

const isUnpaidDue = ({ from, before }: DueDates): Sql => sql`and s.status in ('open', 'overdue')
  ${from === undefined ? nothing : sql`and i.due_at >= ${from}`} ${before === undefined ? nothing : sql`and i.due_at < ${before}`}`;

interface StoredDocument
  extends InvoiceRow,
    StoredLook,
    Pick<InvoiceDocument, 'seller' | 'buyer' | 'taxCategory' | 'taxRate' | 'reason' | 'text'> {
  readonly onTerms: Cents;
}

/** `partnerId`: another partner's document does not exist. */
export async function findInvoice(
  db: Queryable,
  { number, partnerId, mode }: Pick<Invoice, 'number' | 'mode'> & Pick<InvoiceFilter, 'partnerId'>,
): Promise<Invoice | undefined> {
  const row = await db.maybe<StoredDocument>(sql`
    select ${columns}, i.seller, i.buyer, i.tax_category as "taxCategory", i.tax_rate as "taxRate", i.on_terms as "onTerms",
      i.reason, i.text, ${lookColumns}
    from ${source} join invoice_looks look on look.id = i.look_id where i.number = ${number} ${partnerId === undefined ? nothing : sql`and i.partner_id = ${partnerId}`}`);
  if (!row) return undefined;
  const { onTerms, lookName, color, logoType, logo, ...document } = row;
  const look = lookOf({ lookName, color, logoType, logo });
  const lines = await linesOf(db, row.id);
  return { ...document, look, lines, currency: 'USD', isPrepaid: row.kind === 'invoice' && onTerms === 0n, mode };
}

export const linesOf = (db: Queryable, id: bigint): Promise<InvoiceLine[]> =>
  db.query(sql`
    select description, quantity, unit_price as "unitPrice", amount from invoice_lines where invoice_id = ${id} order by line`);

/** What is needed to issue a document. */
export interface Draft
  extends Pick<InvoiceDocument, 'kind' | 'issuedAt' | 'dueAt' | 'seller' | 'buyer' | 'lines' | 'text'> {
  readonly partnerId: number;
  readonly month: Month;
  readonly tax: Tax;
  readonly onTerms: Cents;
  /** Of a credit note. */
  readonly credits?: bigint;
  readonly voids?: boolean;
  readonly reason?: string;
}

/** How documents are numbered, and how they look. */
export interface Style {
  readonly prefix: string;
  readonly look: Look;
}

const sumOf = (lines: readonly InvoiceLine[]): Cents => toCents(lines.reduce((sum, { amount }) => sum + amount, 0n));

/**
 * Writes documents under the next numbers of the year, and returns the numbers. The year's counter is locked from here to the commit, so
 * it comes as late as possible: a number is never given twice, and one that was taken is used.
 */
export async function issueDocuments(tx: Tx, { prefix, look }: Style, drafts: readonly Draft[]): Promise<string[]> {
  if (drafts.length === 0) return [];
  const lookId = await keepLook(tx, look);
  const numbers: string[] = [];
  for (const draft of drafts) {
    const { partnerId, kind, issuedAt, dueAt, tax, lines, onTerms, credits, voids = false, reason = '', text } = draft;
    const year = issuedAt.getUTCFullYear();
    const total = sumOf(lines);
    const { net, tax: taxed } = splitTax(total, tax.rate);
    const isPaid = kind === 'credit_note' || onTerms === 0n;
    const { number } = await tx.one<{ number: string }>(sql`
      with taken as (
        insert into invoice_numbers as kept (year, last) values (${year}, 1)
        on conflict (year) do update set last = kept.last + 1 returning last
      ), issued as (
        insert into invoices (partner_id, number, year, sequence, kind, month, issued_at, due_at, seller, buyer, tax_category, tax_rate,
          net, tax, total, on_terms, credits, voids, reason, text, look_id)
        select ${partnerId}, ${`${prefix}${year}-`} || lpad(last::text, greatest(6, length(last::text)), '0'), ${year}, last, ${kind},
          ${dateOf(draft.month)}::date, ${issuedAt}, ${dueAt}, ${JSON.stringify(draft.seller)}::jsonb,
          ${JSON.stringify(draft.buyer)}::jsonb, ${tax.category}, ${tax.rate}::numeric, ${net}, ${taxed}, ${total}, ${onTerms},
          ${credits ?? null}::bigint, ${voids}, ${reason}, ${text}, ${lookId}
        from taken returning id, number
      ), listed as (
        insert into invoice_lines (invoice_id, line, description, quantity, unit_price, amount)
        select issued.id, line.n, line.description, line.quantity, line.unit_price, line.amount
        from issued cross join unnest(
          ${lines.map(({ description }) => description)}::text[], ${lines.map(({ quantity }) => quantity)}::int[],
          ${lines.map(({ unitPrice }) => unitPrice)}::bigint[], ${lines.map(({ amount }) => amount)}::bigint[]
        ) with ordinality as line (description, quantity, unit_price, amount, n)
      ), stands as (
        insert into invoice_states (invoice_id, partner_id, standing_month, status, paid_events, next_at)
        select id, ${partnerId}, ${kind === 'invoice' ? dateOf(draft.month) : null}::date, ${isPaid ? 'paid' : 'open'},
          ${isPaid && kind === 'invoice' ? 1 : 0}, ${isPaid ? null : issuedAt}::timestamptz
        from issued
      )
      select number from issued`);
    numbers.push(number);
  }
  return numbers;
}

/** What a credit note takes over from the document it is about. */
export interface AsIssued extends Pick<InvoiceDocument, 'seller' | 'buyer' | 'taxCategory' | 'taxRate'> {
  readonly id: bigint;
  readonly status: InvoiceStatus;
}

/** The invoice of a month that documents about it belong to: the one that stands, or else the last one that was voided. */
export const invoiceOfMonth = (tx: Tx, partnerId: number, month: Month): Promise<AsIssued | undefined> =>
  tx.maybe(sql`
    select i.id, s.status, i.seller, i.buyer, i.tax_category as "taxCategory", i.tax_rate as "taxRate" from ${source}
    where i.partner_id = ${partnerId} and i.kind = 'invoice' and i.month = ${dateOf(month)}::date order by i.id desc limit 1`);

/** Only where documents are play: the other role has no right to. The caller has locked the wallet. */
export async function forgetInvoices(tx: Tx, partnerId: number): Promise<void> {
  // First, so that a closing that has begun is waited for.
  await tx.maybe(sql`select partner_id from invoice_accounts where partner_id = ${partnerId} for update`);
  const mine: Sql = sql`partner_id = ${partnerId}`;
  await tx.run(sql`delete from invoice_states where ${mine}`);
  await tx.run(sql`delete from invoice_lines using invoices where invoice_id = invoices.id and invoices.${mine}`);
  await tx.run(sql`
    with gone as (delete from invoices where ${mine} returning year)
    update invoice_numbers set forgotten = forgotten + counted.documents
    from (select year, count(*)::int as documents from gone group by year) counted where invoice_numbers.year = counted.year`);
  await tx.run(sql`delete from invoice_closings where ${mine}`);
  await tx.run(sql`delete from invoice_accounts where ${mine}`);
}

const NUMBER = /^[A-Z0-9-]{1,40}\d{4}-\d{6,12}$/i;

/** The numbers of documents that a text may be: prefixes keep their case, and people type small letters. None: it has another form. */
export const numbersIn = (text: string): string[] =>
  NUMBER.test(text) ? [...new Set([text, text.toUpperCase()])] : [];

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

/** How late what is not paid is: not due yet, or so many days and more after the due date. */
export const ages = ['not_due', '0', '30', '60', '90'] as const;
type Age = (typeof ages)[number];

/** The due dates of an age, in whole days in UTC. On the day it is due, an invoice is not late; a day after it, it is of age 0. */
interface DueDates {
  readonly from: Date | undefined;
  readonly before: Date | undefined;
}

export function dueDatesOf(age: Age, now: number): DueDates {
  const today = Math.floor(now / DAY) * DAY;
  const next = ages[ages.indexOf(age) + 1];
  return {
    from: next === undefined ? undefined : lateBy(today, Number(next)),
    before: age === 'not_due' ? undefined : lateBy(today, Number(age)),
  };
}

/** What was due before this is late by so many days, and by one day at least. */
const lateBy = (today: number, days: number): Date => new Date(today - Math.max(days - 1, 0) * DAY);

export interface AgeSum {
  readonly age: Age;
  readonly count: number;
  readonly due: Cents;
}

/** What all partners, or one, have yet to pay, by how late it is. */
export async function sumByAge(db: Queryable, now: number, partnerId?: number): Promise<AgeSum[]> {
  const bounds = ages.map((age) => dueDatesOf(age, now));
  const rows = await db.query<{ n: number; count: number; due: Cents }>(sql`
    select age.n::int as n, count(*)::int as count, sum(i.on_terms - s.settled)::bigint as due
    from invoice_states s join invoices i on i.id = s.invoice_id
    join unnest(
      ${bounds.map(({ from }) => from ?? null)}::timestamptz[], ${bounds.map(({ before }) => before ?? null)}::timestamptz[]
    ) with ordinality as age (due_from, due_before, n)
      on (age.due_from is null or i.due_at >= age.due_from) and (age.due_before is null or i.due_at < age.due_before)
    where s.status in ('open', 'overdue') ${partnerId === undefined ? nothing : sql`and i.partner_id = ${partnerId}`} group by age.n`);
  return ages.map((age, i) => {
    const row = rows.find(({ n }) => n === i + 1);
    return { age, count: row?.count ?? 0, due: toCents(row?.due ?? 0n) };
  });
}
