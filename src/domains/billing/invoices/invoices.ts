/*
 * Invoices, one per partner and calendar month (UTC) with sales, and credit notes.
 *
 *     the ledger ──► closing ──► invoice ──► open ──► overdue ──► paid      on credit terms
 *                       │           ├──────► paid                          from the balance
 *                       │           └──────► void                          by a credit note over all of it
 *                       └──────► credit notes                              refunds of orders on earlier invoices
 *
 * A document is derived from the ledger, never beside it (sales-of-month.ts), written once under the next number of its year (rows.ts)
 * and never changed. What becomes of it is in `invoice_states`, and follows from what lowered the debt (settle.ts).
 *
 * A job closes months. A partner's account in `invoice_accounts` says up to which month it was looked through; it is behind when the
 * partner's time is in a later month. Each month is one transaction that locks that account (close.ts): killed before it commits,
 * nothing happened; killed after it, the account has moved on. The proof of the ledger holds all of it against the movements
 * (proof.ts).
 */

import { ZERO } from '../../../platform/amounts/cents.ts';
import { type Clock, DAY, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../platform/db/query/account-time.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import { bound, type Readers } from '../../../platform/db/replicas.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { InvoiceSettings } from '../../../platform/settings/invoices.ts';
import type { Notices } from '../../messages/mail/mail.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { lockWallets, walletTx } from '../../money/ledger/ledger.ts';
import {
  type CloseParts,
  closeMonth,
  type InvoiceTerms,
  mailDocument,
  SellerIncomplete,
  voidInvoice,
} from './close.ts';
import { type CardReceipt, receiptOf } from './details.ts';
import type { Look } from './document.ts';
import { invoicePdf, receiptPdf } from './documents/drawing.ts';
import { invoiceXml } from './documents/invoice-xml.ts';
import {
  findInvoice,
  type Invoice,
  type InvoiceFilter,
  type InvoiceRow,
  invoiceEvent,
  listInvoices,
  sumByAge,
} from './rows.ts';
import { dateOf, type Month, monthAfter, monthOf } from './sales-of-month.ts';
import { settleInvoices, settlingTypes } from './settle.ts';

export { invoiceAlerts } from './close.ts';
export {
  type BillingDetails,
  buyerOf,
  type CardReceipt,
  missingDetails,
  netDays,
  readBillingDetails,
  receiptName,
  setBillingDetails,
} from './details.ts';
export { archivedInvoices, invoicePass } from './proof.ts';
export {
  type AgeSum,
  ages,
  dueDatesOf,
  forgetInvoices,
  type Invoice,
  type InvoiceRow,
  invoiceStatuses,
  invoiceValues,
  numbersIn,
} from './rows.ts';
export { MONTH } from './sales-of-month.ts';
export { taxTable } from './tax.ts';

/** The invoices of one world. */
export type Invoices = ReturnType<typeof createInvoices>;

export interface InvoiceWorldTerms extends InvoiceTerms {
  /** Months are closed when they are read, too, for a partner who has just moved its clock. */
  readonly closesBeforeRead: boolean;
}

interface InvoiceWorld extends Readers {
  readonly schema: Mode;
  readonly webhooks: Pick<Webhooks, 'publish'>;
  readonly invoiceTerms: InvoiceWorldTerms;
  /** Undefined where nothing is mailed. */
  readonly notices?: Notices;
}

interface InvoiceOptions {
  readonly clock: Clock;
  readonly invoicing: InvoiceSettings;
  /** How documents look that are issued from now on. */
  readonly look: Look;
}

const PARTNERS_AT_ONCE = 100;
const LANES = 2;
/** A month that waits for a setting is tried again after this. */
const RETRY_MS = 1 * MINUTE;
/** Nothing is looked at again later than this; a time further ahead was written while a clock was wrong. */
const FURTHEST_MS = 2 * DAY;

export function createInvoices(world: InvoiceWorld, { clock, invoicing: settings, look }: InvoiceOptions) {
  const { db, reads, schema: mode, webhooks, notices, invoiceTerms: terms } = world;
  const parts: CloseParts = {
    ...{ terms, settings, look, webhooks, notices },
    overdue: { suspendDays: settings.suspendDays, minOverdue: settings.minOverdue },
  };
  let isFirstLook = true;

  /** The partner's time, less what a month waits after its end. */
  const lateTime = (partnerId: ReturnType<typeof sql>) =>
    sql`(${new Date(clock.now() - terms.graceMs)}::timestamptz + ${aheadOfRealTime(partnerId)})`;

  const timeOf = async (tx: Tx, partnerId: number): Promise<Date> => {
    const { at } = await tx.one<{ at: Date }>(sql`
      select ${new Date(clock.now())}::timestamptz + ${aheadOfRealTime(sql`${partnerId}::int`)} as at`);
    return at;
  };

  /** Closes the first month of a partner's that is over. False: none is, or somebody else is closing one. */
  const closeNext = (partnerId: number, { isPatient }: { readonly isPatient: boolean }): Promise<boolean> =>
    db.tx(async (tx) => {
      await openAccount(tx, partnerId);
      const account = await tx.maybe<{ month: Month; current: Month; at: Date }>(sql`
        select to_char(month, 'YYYY-MM') as month, to_char(${lateTime(sql`invoice_accounts.partner_id`)} at time zone 'UTC', 'YYYY-MM') as current,
          ${new Date(clock.now())}::timestamptz + ${aheadOfRealTime(sql`invoice_accounts.partner_id`)} as at
        from invoice_accounts where partner_id = ${partnerId} for update ${isPatient ? nothing : sql`skip locked`}`);
      if (!account || account.month === account.current) return false;
      const { month, current, at } = account;
      // Later than now: it was looked through by a clock that was ahead, or that was reset.
      const isOver = month < current;
      if (isOver) await closeMonth(tx, parts, partnerId, month, at);
      await tx.run(sql`
        update invoice_accounts set month = ${dateOf(isOver ? monthAfter(month) : current)}::date, due_at = null, waits_for = ''
        where partner_id = ${partnerId}`);
      return true;
    });

  async function closeAllOf(partnerId: number, how: { readonly isPatient: boolean }): Promise<boolean> {
    try {
      let hasClosed = false;
      while (await closeNext(partnerId, how)) hasClosed = true;
      return hasClosed;
    } catch (error) {
      if (!(error instanceof SellerIncomplete)) throw error;
      await db.tx(async (tx) => {
        // Again: what was done before the setting was missed is undone.
        await openAccount(tx, partnerId);
        await tx.run(sql`
          update invoice_accounts set due_at = ${new Date(clock.now() + RETRY_MS)}, waits_for = ${error.missing.join(', ')}
          where partner_id = ${partnerId}`);
      });
      return false;
    }
  }

  async function beforeRead(partnerId: number | undefined): Promise<void> {
    if (terms.closesBeforeRead && settings.seller && partnerId !== undefined)
      await closeAllOf(partnerId, { isPatient: true });
  }

  return {
    async list(filter: InvoiceFilter): Promise<InvoiceRow[]> {
      await beforeRead(filter.partnerId);
      return listInvoices(reads, filter);
    },

    /** With `partnerId`, another partner's is not found. */
    async find(number: string, partnerId?: number): Promise<Invoice | undefined> {
      await beforeRead(partnerId);
      return findInvoice(reads, { number, partnerId, mode });
    },

    ...bound(reads, { sumByAge }),

    /** Closes a month that is over, or issues again what was voided. On the owner's connection, in this world's schema. */
    async issue(
      tx: Tx,
      { partnerId, month }: { readonly partnerId: number; readonly month: Month },
    ): Promise<readonly string[]> {
      if (!settings.seller) throw new Refused('seller_not_set');
      await openAccount(tx, partnerId);
      const at = await timeOf(tx, partnerId);
      if (month >= monthOf(at.getTime() - terms.graceMs))
        throw new Refused('month_not_over', `${month} is not over yet`);
      try {
        const numbers = await closeMonth(tx, parts, partnerId, month, at);
        if (numbers) return numbers;
      } catch (error) {
        throw error instanceof SellerIncomplete ? new Refused('seller_not_set', error.message) : error;
      }
      const [issued] = await listInvoices(tx, { partnerId, month, limit: 1 });
      throw issued
        ? new Refused('invoice_issued', `the invoice of ${month} is ${issued.number}`)
        : new Refused('nothing_to_invoice', `partner ${partnerId} has no sales in ${month}`);
    },

    /** The files of a document. The same document has the same bytes. */
    pdf: (invoice: Invoice): Promise<Uint8Array> => invoicePdf(invoice, invoice.look),
    xml: (invoice: Invoice): Uint8Array => invoiceXml(invoice),
    /** The receipt for a top-up by card, which is no invoice. */
    receiptPdf: async (payment: CardReceipt): Promise<Uint8Array> =>
      receiptPdf(await receiptOf(reads, payment, { mode, seller: settings.seller, name: look.name }), look),

    /** Sends the event of an invoice that is play, and voids it if that is what it says. False: the partner has no such invoice that stands. */
    async rehearse(partnerId: number, number: string, event: 'invoice.overdue' | 'invoice.voided'): Promise<boolean> {
      const found = await findInvoice(db, { number, partnerId, mode });
      if (found?.kind !== 'invoice' || found.status === 'void') return false;
      const voided = { partnerId, number, reason: 'Rehearsal' };
      const done = db.tx(async (tx) => {
        const at = await timeOf(tx, partnerId);
        if (event === 'invoice.voided') {
          await voidInvoice(tx, parts, voided, at, { wallet: 'not locked' });
          return true;
        }
        const late = { ...found, status: 'overdue', dueAt: at, amountPaid: ZERO, amountDue: found.total } as const;
        await webhooks.publish(tx, [invoiceEvent(event, late, await countRehearsal(tx, found.id), at)]);
        return true;
      });
      // Of two that void it at once, the second finds it void once it has the lock.
      return done.catch((error) => {
        if (error instanceof Refused && error.code === 'invoice_void') return false;
        throw error;
      });
    },

    /** Voids an invoice whole; the caller has locked the wallet. Returns the number of its credit note. */
    credit: async (tx: Tx, wanted: Parameters<typeof voidInvoice>[2]): Promise<string> =>
      voidInvoice(tx, parts, wanted, await timeOf(tx, wanted.partnerId), { wallet: 'locked' }),

    /** Mails a document again. */
    async send(tx: Tx, number: string): Promise<void> {
      const found = await findInvoice(tx, { number, mode });
      if (!found) throw new Refused('invoice_not_found');
      await mailDocument(tx, parts, found, new Date(clock.now()), String(clock.now()));
    },

    /** Brings a partner's invoices in line with its debt; the caller has locked the wallet. */
    settle: (tx: Tx, partnerId: number): Promise<void> =>
      settleInvoices(tx, parts, partnerId, new Date(clock.now()), { wallet: 'locked' }),

    /** Closes the months of some partners; returns of how many. */
    async closeDue(): Promise<number> {
      if (!settings.seller) return 0;
      const due = await db.query<{ partnerId: number }>(sql`
        select wallets.partner_id as "partnerId" from wallets left join invoice_accounts account on account.partner_id = wallets.partner_id
        where wallets.wallet_lines + wallets.debt_lines > 0 and (account.due_at is null or account.due_at <= ${new Date(clock.now())})
          and account.month is distinct from date_trunc('month', ${lateTime(sql`wallets.partner_id`)} at time zone 'UTC')::date
        limit ${PARTNERS_AT_ONCE}`);
      const left = due.map(({ partnerId }) => partnerId);
      let closed = 0;
      const lane = async () => {
        for (let partnerId = left.shift(); partnerId !== undefined; partnerId = left.shift())
          if (await closeAllOf(partnerId, { isPatient: false })) closed += 1;
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      return closed;
    },

    /** Settles the invoices of some partners; returns of how many. */
    async settleDue(): Promise<number> {
      const now = new Date(clock.now());
      const isDue = isFirstLook
        ? sql`true`
        : sql`(state.next_at <= ${now} or state.next_at > ${new Date(clock.now() + FURTHEST_MS)}::timestamptz or exists (
            select from movements join invoice_accounts account on account.partner_id = state.partner_id
            where movements.partner_id = state.partner_id and movements.book = 'debt'
              and movements.type = any(${settlingTypes}::text[]) and movements.line > account.debt_lines))`;
      const due = await db.query<{ partnerId: number }>(sql`
        select distinct state.partner_id as "partnerId" from invoice_states state where state.next_at is not null and ${isDue}
        ${isFirstLook ? nothing : sql`limit ${PARTNERS_AT_ONCE}`}`);
      isFirstLook = false;
      for (const { partnerId } of due)
        await walletTx(db, partnerId, async (tx) => {
          await lockWallets(tx, [partnerId]);
          await settleInvoices(tx, parts, partnerId, now, { wallet: 'locked' });
        });
      return due.length;
    },
  };
}

/**
 * Makes the account of a partner, once: it begins with the month of its first line, or with the month in which invoices began. The debt
 * there was then is on no invoice, so the payments that follow settle it first.
 */
const openAccount = (tx: Tx, partnerId: number): Promise<number> =>
  tx.run(sql`
    insert into invoice_accounts (partner_id, month, opening, opening_line, debt_lines)
    select ${partnerId}, greatest(start.month, began.month), -coalesce(before.balance_after, 0), coalesce(before.line, 0),
      coalesce(before.line, 0)
    from invoice_start start cross join (
      select date_trunc('month', min(at) at time zone 'UTC')::date as month from movements
      where partner_id = ${partnerId} and book in ('wallet', 'debt') and line = 1
    ) began left join lateral (
      select line, balance_after from movements
      where partner_id = ${partnerId} and book = 'debt' and start.month > began.month and at < start.month::timestamp at time zone 'UTC'
      order by line desc limit 1
    ) before on true
    where not exists (select from invoice_accounts where partner_id = ${partnerId}) and began.month is not null
    on conflict do nothing`);

/** Numbers the event of an invoice that is not overdue. */
async function countRehearsal(tx: Tx, invoiceId: bigint): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    update invoice_states set overdue_events = overdue_events + 1 where invoice_id = ${invoiceId} returning overdue_events as n`);
  return n;
}

interface JobWorld {
  readonly schema: Mode;
  readonly invoices: Pick<Invoices, 'closeDue' | 'settleDue'>;
}

/** Closes months and settles invoices. */
export const invoicesJob = ({ invoices, schema }: JobWorld): Job => ({
  name: `invoices ${schema}`,
  everyMs: 5 * SECOND,
  run: async () => (await invoices.closeDue()) + (await invoices.settleDue()),
});
