import {
  type AgeSum,
  ages,
  dueDatesOf,
  type Invoice,
  invoiceStatuses,
  readBillingDetails,
  taxTable,
} from '../../../domains/billing/invoices/invoices.ts';
import { partnerNames } from '../../../domains/partners/accounts/accounts.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import type { World } from '../../../worlds/world.ts';
import { jsonOf, requireMode } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { invoiceDocumentView, invoiceFiles, invoiceRowView } from '../../site/views/money.ts';
import { type OperatorCall, operatorBytes, operatorRead } from '../action.ts';
import { partnerView } from '../orders/order-view.ts';
import { requirePartner } from '../orders/orders.ts';

const PER_PAGE = 25;
const MAX_TEXT = 60;
/** Longer than any number is. */
const MAX_NUMBER = 100;

/** Invoices and credit notes of all partners. Changes are commands (`invoice credit`, `invoice send`, `wallet payment`). */
export const invoiceActions = ({ config, mail }: Base) => [
  operatorRead('/operator/api/{mode}/invoices', invoicesIn),
  operatorRead('/operator/api/{mode}/invoices/{number}', async (call) => ({
    ...(await documentOf(call)),
    /** Whether it can be sent again. */
    is_mail_on: mail.isOn && requireMode(call) === 'live',
  })),
  ...(['pdf', 'xml'] as const).map((kind) =>
    operatorBytes(`/operator/api/{mode}/invoices/{number}/${kind}`, async (call) => {
      const world = worldOf(call);
      return invoiceFiles[kind](world, await requireInvoice(world, call));
    }),
  ),
  operatorRead('/operator/api/invoice-settings', async () => settingsView(config.invoicing)),
];

const worldOf = (call: OperatorCall): World => call.context.worlds[requireMode(call)];

async function invoicesIn(call: OperatorCall) {
  const { db } = call.context;
  const { invoices } = worldOf(call);
  const { oneOf, words, id, ...filters } = filtersFrom(call, 'invalid_input');
  const limit = filters.limit(PER_PAGE);
  const age = oneOf('age', ages);
  const partnerId = await requirePartner(call, db);
  const [found, sums] = await Promise.all([
    invoices.list({
      partnerId,
      status: oneOf('status', invoiceStatuses),
      unpaidDue: age && dueDatesOf(age, call.now),
      text: words('q', MAX_TEXT),
      beforeId: id('before'),
      limit: limit + 1,
    }),
    invoices.sumByAge(call.now, partnerId),
  ]);
  const shown = found.slice(0, limit);
  const names = await partnerNames(db, [
    ...new Set([...shown.map((row) => row.partnerId), ...(partnerId ? [partnerId] : [])]),
  ]);
  return {
    invoices: shown.map((row) => ({ ...invoiceRowView(row), partner: partnerView(row.partnerId, names) })),
    has_more: found.length > limit,
    /** What is yet to be paid, by how late it is; of the chosen partner, if one is. */
    ages: sums.map(ageView),
    partner: partnerId === undefined ? null : partnerView(partnerId, names),
  };
}

const ageView = ({ age, count, due }: AgeSum) => ({ age, count, due: formatCents(due) });

async function requireInvoice({ invoices }: World, { params: { number = '' } }: OperatorCall): Promise<Invoice> {
  const found = number.length > MAX_NUMBER ? undefined : await invoices.find(number);
  if (!found) throw new Refused('not_found', 'there is no invoice with this number');
  return found;
}

async function documentOf(call: OperatorCall) {
  const { db } = call.context;
  const invoice = await requireInvoice(worldOf(call), call);
  const names = await partnerNames(db, [invoice.partnerId]);
  const { netDays, email } = await readBillingDetails(db, invoice.partnerId);
  return {
    invoice: invoiceDocumentView(invoice),
    partner: partnerView(invoice.partnerId, names),
    net_days: netDays,
    /** Where it is mailed; empty: to the address of the account. */
    mailed_to: email,
  };
}

/** Who sells, as documents say it, and how each buyer is taxed. */
const settingsView = ({ seller, prefix, text, suspendDays, minOverdue }: Base['config']['invoicing']) => ({
  seller: seller
    ? { ...jsonOf(seller, 'name', 'address', 'country', 'vatId', 'id'), tax_rate: seller.taxRate ?? null }
    : null,
  prefix,
  text,
  suspend_days: suspendDays ?? null,
  min_overdue: formatCents(minOverdue),
  /** `missing`: settings without which such an invoice is not issued. */
  taxes: taxTable(seller),
});

export type InvoiceListView = Awaited<ReturnType<typeof invoicesIn>>;
export type InvoiceRowOfPartner = InvoiceListView['invoices'][number];
export type InvoicePageView = Awaited<ReturnType<typeof documentOf>> & { readonly is_mail_on: boolean };
export type InvoiceSettingsView = ReturnType<typeof settingsView>;
