import {
  type BillingDetails,
  type Invoice,
  type InvoiceRow,
  invoiceStatuses,
  invoiceValues,
  MONTH,
  readBillingDetails,
  setBillingDetails,
} from '../../domains/billing/invoices/invoices.ts';
import { requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import { formatCents } from '../../platform/amounts/cents.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { invoiceBody } from '../../platform/contract/resources.ts';
import { enterSchema } from '../../platform/db/search-path.ts';
import { action, type OperatorContext } from '../action.ts';
import type { Actor } from '../actor.ts';
import { choice, field, integer, required, text, time } from '../fields.ts';
import { mode } from '../sales/refund.ts';
import { changeWallet } from './wallet.ts';

const number = required(text('NUMBER', 'the document, e.g. INV2026-000042'));
const partner = integer('PARTNER_ID', 'whose');
const month = field('MONTH', 'a calendar month in UTC that is over', 'a month like 2026-11', (given) =>
  MONTH.test(given) ? given : undefined,
);

const shownInvoice = (row: InvoiceRow) => ({
  partner_id: row.partnerId,
  ...invoiceBody(invoiceValues(row)),
});

const detailed = (invoice: Invoice) => ({
  ...shownInvoice(invoice),
  tax_category: invoice.taxCategory,
  tax_rate: invoice.taxRate,
  seller: invoice.seller,
  buyer: invoice.buyer,
  lines: invoice.lines.map((line) => ({
    description: line.description,
    quantity: line.quantity,
    unit_price: formatCents(line.unitPrice),
    amount: formatCents(line.amount),
  })),
  reason: invoice.reason,
  text: invoice.text,
});

async function requireInvoice({ worlds }: OperatorContext, given: string, schema: Mode): Promise<Invoice> {
  const found = await worlds[schema].invoices.find(given);
  if (!found) throw new Refused('invoice_not_found');
  return found;
}

export const invoiceActions = [
  action({
    name: 'invoice list',
    console: 'shown',
    summary: 'List invoices and credit notes, newest first',
    options: {
      partner: integer('PARTNER_ID', 'only of this partner'),
      status: choice(invoiceStatuses, 'only those in this state'),
      from: time('issued then or later'),
      to: time('issued before then'),
      mode,
      limit: integer('N', 'at most this many; 50 by default'),
    },
    async run({ worlds }, { partner: partnerId, status, from, to, mode: schema = 'live', limit = 50 }) {
      return (await worlds[schema].invoices.list({ partnerId, status, from, to, limit })).map(shownInvoice);
    },
  }),
  action({
    name: 'invoice show',
    console: 'shown',
    summary: 'Show an invoice or a credit note as it was issued, and what was paid of it',
    args: { number },
    options: { mode },
    run: async (context, { number: given, mode: schema = 'live' }) =>
      detailed(await requireInvoice(context, given, schema)),
  }),
  action({
    name: 'invoice issue',
    console: { may: 'money' },
    summary: 'Issue the invoice of a month that is over, as the job does on the 1st, or again after it was voided',
    options: { partner: required(partner), month: required(month), mode },
    run: (context, { partner: partnerId, month: wanted, mode: schema = 'live' }) =>
      change(context, 'invoice issue', async (tx) => {
        await requireOpenPartner(tx, partnerId);
        await enterSchema(tx, schema);
        const numbers = await context.worlds[schema].invoices.issue(tx, { partnerId, month: wanted });
        const after = { month: wanted, numbers };
        return { target: `partner ${partnerId}`, partnerId, after, result: { partner_id: partnerId, ...after } };
      }),
  }),
  action({
    name: 'invoice credit',
    console: { may: 'money', fresh: true },
    summary: 'Void an invoice whole, by a credit note; no money moves, and the month can be issued again',
    args: { number },
    options: { reason: required(text('TEXT', 'why; it stands on the credit note')), mode },
    async run(context, { number: given, reason, mode: schema = 'live' }) {
      const { partnerId } = await requireInvoice(context, given, schema);
      const entry = {
        what: 'invoice credit',
        target: `invoice ${given}`,
        partnerId,
        details: { reason },
        ofOrder: true,
      } as const;
      const { credit_note } = await changeWallet(context, { ...entry, mode: schema }, async (tx) => ({
        credit_note: await context.worlds[schema].invoices.credit(tx, { partnerId, number: given, reason }),
      }));
      return { number: given, status: 'void', credit_note };
    },
  }),
  action({
    name: 'invoice send',
    console: { may: 'money' },
    summary: 'Mail a document again, to the billing address of its partner or else to that of the account',
    args: { number },
    async run(context, { number: given }) {
      const { partnerId } = await requireInvoice(context, given, 'live');
      if (!context.mail.isOn) throw new Refused('mail_off');
      return change(context, 'invoice send', async (tx) => {
        await enterSchema(tx, 'live');
        await context.worlds.live.invoices.send(tx, given);
        return { target: `invoice ${given}`, partnerId, result: { number: given, sent: true } };
      });
    },
  }),
];

export const shownBillingDetails = ({ legalName, address, country, vatId, email, netDays }: BillingDetails) => ({
  legal_name: legalName,
  billing_address: address,
  billing_country: country,
  vat_id: vatId,
  billing_email: email,
  net_days: netDays,
});

/** Whom a partner's invoices are made out to, given by its members. When they are due is the operator's to say. */
export const setOwnBillingDetails = (
  actor: Actor,
  partnerId: number,
  details: Omit<BillingDetails, 'netDays'>,
): Promise<ReturnType<typeof shownBillingDetails>> =>
  amend(
    actor,
    'partner set',
    `partner ${partnerId}`,
    async (tx) => shownBillingDetails(await readBillingDetails(tx, partnerId)),
    async (tx) => {
      await requireOpenPartner(tx, partnerId);
      await setBillingDetails(tx, partnerId, details);
    },
  );
