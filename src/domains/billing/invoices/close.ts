import { type Cents, formatCents, toCents } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { COUNT_LIMIT, counted } from '../../../platform/db/alerts.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { InvoiceSettings } from '../../../platform/settings/invoices.ts';
import { buyerOf } from './details.ts';
import type { InvoiceLine, Look } from './document.ts';
import {
  type AsIssued,
  type Draft,
  type InvoiceRow,
  invoiceEvent,
  invoiceOfMonth,
  issueDocuments,
  linesOf,
  listInvoices,
  type Style,
} from './rows.ts';
import { type Closing, dateOf, type Month, type Sold, salesOf } from './sales-of-month.ts';
import { type SettleParts, settleInvoices } from './settle.ts';
import { taxOf } from './tax.ts';

/** A month cannot be closed until these settings are there. Nothing was written. */
export class SellerIncomplete extends Error {
  readonly missing: readonly string[];

  constructor(missing: readonly string[]) {
    super(`${missing.join(' and ')} must be set first`);
    this.missing = missing;
  }
}

/** What a world decides about its invoices. */
export interface InvoiceTerms {
  /** Before `INVOICE_PREFIX`. */
  readonly numberPrefix: string;
  /** How long after its end a month is closed: what was bought in its last moment is in the ledger by then. */
  readonly graceMs: number;
  /** No clock ever goes back. */
  readonly areInTime: boolean;
}

export interface CloseParts extends SettleParts {
  readonly terms: InvoiceTerms;
  readonly settings: InvoiceSettings;
  readonly look: Look;
}

/**
 * Closes a month of a partner's: its invoice, and the credit notes that have come due with it, in one transaction. Returns the numbers
 * of the documents, which may be none; undefined: it is closed already, or there is nothing to close. A month that is closed, but whose invoice was voided, gets a new one.
 *
 * The partner's account is locked, not the wallet: purchases go on meanwhile, and belong to the next closing. Locks are taken in the
 * order wallet, account, counter of the year.
 */
export async function closeMonth(
  tx: Tx,
  parts: CloseParts,
  partnerId: number,
  month: Month,
  at: Date,
): Promise<readonly string[] | undefined> {
  const account = await tx.maybe<{ isBeforeStart: boolean; isArchived: boolean }>(sql`
    select ${dateOf(month)}::date < (select month from invoice_start) as "isBeforeStart", exists (
      select from archives where ${dateOf(month)}::date < (until at time zone 'UTC')::date) as "isArchived"
    from invoice_accounts where partner_id = ${partnerId} for update`);
  // The account was reset meanwhile.
  if (!account) return undefined;
  const known = await findClosing(tx, partnerId, month);
  if (known && (await invoiceOfMonth(tx, partnerId, month))?.status !== 'void') return undefined;
  if (account.isArchived)
    throw new Refused('month_archived', `the books of ${month} are archived, so it can have no new invoice`);
  const closing = known ?? (await newClosing(tx, partnerId, month));
  const sold = await salesOf(tx, partnerId, closing, parts.terms);
  if (sold.length === 0) return undefined;
  if (!known) await keepClosing(tx, partnerId, closing, at);
  const of = { partnerId, month, at };
  const invoiced = sold.filter(({ kind }) => kind === 'sale' || kind === 'refund');
  const invoice = invoiced.length > 0 ? [await invoiceDraft(tx, parts, of, invoiced)] : [];
  const invoiceNumbers = await issueDocuments(tx, styleOf(parts), invoice);
  const credited = known ? [] : sold.filter(({ kind }) => kind === 'credit');
  const notes: Draft[] = [];
  for (const [creditedMonth, ofOne] of Map.groupBy(credited, (line) => line.creditedMonth as Month))
    notes.push(await creditDraft(tx, parts, of, creditedMonth, ofOne));
  const numbers = [...invoiceNumbers, ...(await issueDocuments(tx, styleOf(parts), notes))];
  const onTerms = [...invoice, ...notes].some((draft) => draft.onTerms > 0n);
  // The debt there was when invoices began counts these orders already.
  if (account.isBeforeStart && onTerms) await addToOpening(tx, partnerId, invoice, notes);
  await announce(tx, parts, partnerId, numbers, at);
  if (onTerms) await settleInvoices(tx, parts, partnerId, at, { wallet: 'not locked' });
  return numbers;
}

interface Issued {
  readonly partnerId: number;
  readonly month: Month;
  readonly at: Date;
}

async function invoiceDraft(
  tx: Tx,
  parts: CloseParts,
  { partnerId, month, at }: Issued,
  sold: readonly Sold[],
): Promise<Draft> {
  const { seller, text } = parts.settings;
  if (!seller) throw new SellerIncomplete(['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_COUNTRY']);
  const { buyer, netDays } = await buyerOf(tx, partnerId);
  const tax = taxOf(seller, buyer);
  if ('missing' in tax) throw new SellerIncomplete(tax.missing);
  const lines = sold.map((one) => lineOf(one, one.kind === 'refund' ? -1 : 1));
  const onTerms = toCents(sold.reduce((sum, one) => sum + (one.kind === 'refund' ? -one.onTerms : one.onTerms), 0n));
  const today = Math.floor(at.getTime() / DAY) * DAY;
  const dueAt = onTerms > 0n ? new Date(today + netDays * DAY) : null;
  const { taxRate: _, ...shown } = seller;
  return { kind: 'invoice', partnerId, month, issuedAt: at, dueAt, seller: shown, buyer, tax, lines, onTerms, text };
}

/** Refunds of orders on an earlier invoice. Seller, buyer and tax are that invoice's. */
async function creditDraft(
  tx: Tx,
  { settings }: CloseParts,
  { partnerId, month, at }: Issued,
  creditedMonth: Month,
  refunds: readonly Sold[],
): Promise<Draft> {
  const credited = await invoiceOfMonth(tx, partnerId, creditedMonth);
  if (!credited) throw new Error(`partner ${partnerId} has no invoice of ${creditedMonth}`);
  const { seller, buyer, taxCategory: category, taxRate: rate } = credited;
  return {
    ...{ kind: 'credit_note', partnerId, month, issuedAt: at, dueAt: null, seller, buyer, tax: { category, rate } },
    lines: refunds.map((one) => lineOf(one, 1)),
    onTerms: toCents(refunds.reduce((sum, one) => sum + one.onTerms, 0n)),
    credits: credited.id,
    reason: 'Refunds',
    text: settings.text,
  };
}

function lineOf({ kind, title, unitPrice, quantity }: Sold, sign: 1 | -1): InvoiceLine {
  const signed = sign * quantity;
  const description = kind === 'sale' ? title : `Refund: ${title}`;
  return { description, quantity: signed, unitPrice, amount: toCents(unitPrice * BigInt(signed)) };
}

/** Voids an invoice whole, by a credit note over all of it. No money moves. Returns the number of the credit note. */
export async function voidInvoice(
  tx: Tx,
  parts: CloseParts,
  { partnerId, number, reason }: { readonly partnerId: number; readonly number: string; readonly reason: string },
  at: Date,
  { wallet }: { readonly wallet: 'locked' | 'not locked' },
): Promise<string> {
  await tx.maybe(sql`select partner_id from invoice_accounts where partner_id = ${partnerId} for update`);
  const found = await tx.maybe<AsIssued & { kind: InvoiceRow['kind']; month: Month }>(sql`
    select i.id, i.kind, s.status, to_char(i.month, 'YYYY-MM') as month, i.seller, i.buyer, i.tax_category as "taxCategory",
      i.tax_rate as "taxRate"
    from invoices i join invoice_states s on s.invoice_id = i.id where i.number = ${number} and i.partner_id = ${partnerId}`);
  if (!found) throw new Refused('invoice_not_found');
  if (found.kind === 'credit_note') throw new Refused('not_an_invoice', `${number} is a credit note`);
  if (found.status === 'void') throw new Refused('invoice_void', `${number} is void already`);
  const { id, month, seller, buyer, taxCategory: category, taxRate: rate } = found;
  await tx.run(sql`
    update invoice_states set status = 'void', standing_month = null, next_at = null where invoice_id = ${id}`);
  const [note = ''] = await issueDocuments(tx, styleOf(parts), [
    {
      ...{ kind: 'credit_note', partnerId, month, issuedAt: at, dueAt: null, seller, buyer, tax: { category, rate } },
      lines: await linesOf(tx, id),
      ...{ onTerms: toCents(0n), credits: id, voids: true, reason, text: parts.settings.text },
    },
  ]);
  await announce(tx, parts, partnerId, [note], at);
  const [row] = await listInvoices(tx, { partnerId, ids: [id], limit: 1 });
  if (row) await parts.webhooks.publish(tx, [invoiceEvent('invoice.voided', row, 1, at)]);
  await settleInvoices(tx, parts, partnerId, at, { wallet });
  return note;
}

const styleOf = ({ terms, settings, look }: CloseParts): Style => ({
  prefix: `${terms.numberPrefix}${settings.prefix}`,
  look,
});

/** The events of documents that were just issued, and their mail. */
async function announce(
  tx: Tx,
  parts: CloseParts,
  partnerId: number,
  numbers: readonly string[],
  at: Date,
): Promise<void> {
  if (numbers.length === 0) return;
  const rows = (await listInvoices(tx, { partnerId, numbers, limit: numbers.length })).toReversed();
  await parts.webhooks.publish(
    tx,
    rows.flatMap((row) => {
      const issued = invoiceEvent('invoice.issued', row, 1, at);
      const isPaid = row.kind === 'invoice' && row.status === 'paid';
      return isPaid ? [issued, invoiceEvent('invoice.paid', row, 1, at)] : [issued];
    }),
  );
  for (const row of rows) await mailDocument(tx, parts, row, at, 'issued');
}

/** To the billing address, or else to that of the account. `about`: the same about the same is mailed once an hour. */
export async function mailDocument(
  tx: Tx,
  { notices }: CloseParts,
  { partnerId, number, kind, month, total, dueAt, credits }: InvoiceRow,
  at: Date,
  about: string,
): Promise<void> {
  if (!notices) return;
  const { mailTo: to } = await buyerOf(tx, partnerId);
  const due = dueAt?.toISOString().slice(0, 10) ?? '';
  const facts = { number, kind, month, to, amount: formatCents(total), due, credits: credits ?? '', about };
  await notices.noticeFor(tx, partnerId, 'invoice_issued', facts, at.getTime());
}

const addToOpening = (
  tx: Tx,
  partnerId: number,
  invoices: readonly Draft[],
  notes: readonly Draft[],
): Promise<number> => {
  const sum = (drafts: readonly Draft[]): Cents => toCents(drafts.reduce((all, { onTerms }) => all + onTerms, 0n));
  return tx.run(sql`
    update invoice_accounts set opening = opening + ${sum(invoices)}::bigint - ${sum(notes)}::bigint where partner_id = ${partnerId}`);
};

const findClosing = (tx: Tx, partnerId: number, month: Month): Promise<Closing | undefined> =>
  tx.maybe(sql`
    select id, to_char(month, 'YYYY-MM') as month, wallet_from as "walletFrom", wallet_to as "walletTo", debt_from as "debtFrom",
      debt_to as "debtTo"
    from invoice_closings where partner_id = ${partnerId} and month = ${dateOf(month)}::date`);

/** It ends with the last lines there are, and begins where the closing before it ended. */
const newClosing = async (tx: Tx, partnerId: number, month: Month): Promise<Closing> => ({
  month,
  ...(await tx.one<Omit<Closing, 'month'>>(sql`
    select coalesce(last.wallet_to, 0::bigint) as "walletFrom", coalesce(last.debt_to, 0::bigint) as "debtFrom",
      wallet_lines as "walletTo", debt_lines as "debtTo"
    from wallets left join lateral (
      select wallet_to, debt_to from invoice_closings where partner_id = ${partnerId} order by id desc limit 1
    ) last on true where wallets.partner_id = ${partnerId}`)),
});

const keepClosing = (tx: Tx, partnerId: number, closing: Closing, at: Date): Promise<number> =>
  tx.run(sql`
    insert into invoice_closings (partner_id, month, wallet_from, wallet_to, debt_from, debt_to, closed_at)
    values (${partnerId}, ${dateOf(closing.month)}::date, ${closing.walletFrom}, ${closing.walletTo}, ${closing.debtFrom},
      ${closing.debtTo}, ${at})`);

/** Partners whose months cannot be closed: the seller settings are missing, or the one that their tax needs. */
export const invoiceAlerts = ({ hasSeller }: { readonly hasSeller: boolean }): Sql =>
  hasSeller
    ? sql`
        select 'waiting_invoices'::text as kind, count(*)::float8 as count, null::timestamptz as since, ''::text as of,
          coalesce(string_agg(distinct waiting.waits_for, ', '), '') as about
        from (select waits_for from invoice_accounts where due_at is not null and waits_for <> '' limit ${COUNT_LIMIT}) as waiting
        having count(*) > 0`
    : counted(
        'missing_seller',
        sql`
          select null::timestamptz as since from wallets where wallet_lines + debt_lines > 0 and exists (
            select from movements where movements.partner_id = wallets.partner_id and movements.book in ('wallet', 'debt')
              and movements.type in ('purchase', 'charge'))`,
      );
