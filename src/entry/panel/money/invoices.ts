import { setOwnBillingDetails, shownBillingDetails } from '../../../actions/money/invoice.ts';
import {
  type Invoice,
  type InvoiceRow,
  invoiceStatuses,
  MONTH,
  missingDetails,
  readBillingDetails,
} from '../../../domains/billing/invoices/invoices.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import type { World } from '../../../worlds/world.ts';
import { iso, requireMode, shortText } from '../../site/json/action.ts';
import { csvDownload, inPages } from '../../site/json/csv.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { invoiceDocumentView, invoiceFiles, invoiceRowView } from '../../site/views/money.ts';
import { fields, type MemberCall, memberBytes, memberChange, memberFile, memberRead } from '../member-action.ts';

const PER_PAGE = 25;
const MAX_TEXT = 60;
/** Documents read at once for a file of their lines. */
const FILE_PAGE = 50;

const ROW_VIEWED = {
  ...fields('id', 'number', 'kind', 'status', 'month', 'issued_at', 'due_at', 'credits'),
  ...fields('net', 'tax', 'total', 'amount_paid', 'amount_due'),
};

/** Invoices and credit notes with their files, and whom they are made out to. */
export const invoiceActions = ({ db, worlds, config }: Base) => {
  const { seller } = config.invoicing;
  return [
    memberRead('/api/{mode}/invoices', {
      may: 'see-money',
      viewed: { invoices: ROW_VIEWED, ...fields('has_more', 'is_issued') },
      async read(call) {
        const { oneOf, words, id, ...filters } = filtersFrom(call, 'ignored');
        const limit = filters.limit(PER_PAGE);
        const found = await worlds[requireMode(call)].invoices.list({
          partnerId: call.member.partnerId,
          status: oneOf('status', invoiceStatuses),
          text: words('q', MAX_TEXT),
          beforeId: id('before'),
          limit: limit + 1,
        });
        return {
          invoices: found.slice(0, limit).map(invoiceRowView),
          has_more: found.length > limit,
          /** Whether this server issues invoices: its operator has said who sells. */
          is_issued: seller !== undefined,
        };
      },
    }),
    memberRead('/api/{mode}/invoices/{number}', {
      may: 'see-money',
      viewed: {
        invoice: {
          ...ROW_VIEWED,
          ...fields('tax_category', 'tax_rate', 'reason', 'text', 'is_prepaid'),
          seller: fields('name', 'address', 'country', 'vat_id', 'id'),
          buyer: fields('name', 'address', 'country', 'vat_id', 'email'),
          lines: fields('description', 'quantity', 'unit_price', 'amount'),
        },
      },
      read: async (call) => ({ invoice: invoiceDocumentView(await requireOwn(worlds[requireMode(call)], call)) }),
    }),
    ...(['pdf', 'xml'] as const).map((kind) =>
      memberBytes(`/api/{mode}/invoices/{number}/${kind}`, {
        may: 'see-money',
        async file(call) {
          const world = worlds[requireMode(call)];
          return invoiceFiles[kind](world, await requireOwn(world, call));
        },
      }),
    ),
    memberFile('/api/{mode}/invoice-lines.csv', {
      may: 'see-money',
      viewed: {
        ...fields('number', 'kind', 'status', 'credits', 'month', 'issued_utc', 'description', 'quantity'),
        ...fields('unit_price_usd', 'amount_usd', 'tax_category', 'tax_rate'),
      },
      file: async (call) => linesFile(worlds[requireMode(call)], call),
    }),
    memberRead('/api/billing-details', {
      may: 'see-money',
      viewed: {
        billing: fields('legal_name', 'billing_address', 'billing_country', 'vat_id', 'billing_email', 'net_days'),
        ...fields('missing', 'is_issued'),
      },
      async read({ member: { partnerId } }) {
        const details = await readBillingDetails(db, partnerId);
        return {
          billing: shownBillingDetails(details),
          missing: missingDetails(details),
          is_issued: seller !== undefined,
        };
      },
    }),
    memberChange('/api/billing-details', {
      may: 'spend',
      /** All of them as the form has them; empty: not given. The address has its lines one below the other. */
      body: Type.Object({
        legal_name: shortText,
        billing_address: shortText,
        billing_country: shortText,
        vat_id: shortText,
        billing_email: shortText,
      }),
      async handle({ actor, member }, given) {
        const billing = await setOwnBillingDetails(actor, member.partnerId, {
          legalName: given.legal_name,
          address: given.billing_address.split(/\r?\n/),
          country: given.billing_country,
          vatId: given.vat_id,
          email: given.billing_email,
        });
        return { body: { billing } };
      },
    }),
  ];
};

/** Longer than any number is. */
const MAX_NUMBER = 100;

/** A document of another partner does not exist. */
async function requireOwn({ invoices }: World, { params: { number = '' }, member }: MemberCall): Promise<Invoice> {
  const found = number.length > MAX_NUMBER ? undefined : await invoices.find(number, member.partnerId);
  if (!found) throw new Refused('not_found', 'there is no invoice with this number');
  return found;
}

/** The lines of a month's documents. An invoice that was voided is in it like the credit note that voids it. */
async function linesFile({ invoices }: World, call: MemberCall) {
  const month = filtersFrom(call, 'invalid_input').matching('month', MONTH, 'month must be a month like 2026-11');
  if (month === undefined) throw new Refused('invalid_input', 'month must be a month like 2026-11');
  const { partnerId } = call.member;
  async function* rows() {
    const documents = inPages<InvoiceRow>((last) =>
      invoices.list({ partnerId, month, beforeId: last?.id, limit: FILE_PAGE }),
    );
    for await (const { number } of documents) {
      const document = await invoices.find(number, partnerId);
      for (const { description, quantity, unitPrice, amount } of document?.lines ?? []) {
        const { kind, status, credits, issuedAt, taxCategory, taxRate } = document as Invoice;
        yield [
          ...[number, kind, status, credits, month as string, iso(issuedAt), description, quantity],
          ...[formatCents(unitPrice), formatCents(amount), taxCategory, taxRate],
        ];
      }
    }
  }
  const about = ['number', 'kind', 'status', 'credits', 'month', 'issued_utc', 'description', 'quantity'];
  const header = [...about, 'unit_price_usd', 'amount_usd', 'tax_category', 'tax_rate'];
  return csvDownload(`invoice-lines-${month}`, header, rows());
}

export interface BillingView {
  readonly billing: ReturnType<typeof shownBillingDetails>;
  readonly missing: ReturnType<typeof missingDetails>;
  readonly is_issued: boolean;
}
