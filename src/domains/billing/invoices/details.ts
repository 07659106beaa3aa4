import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { SellerSettings } from '../../../platform/settings/invoices.ts';
import { isMailable } from '../../../platform/settings/mail.ts';
import type { Buyer } from './document.ts';
import type { TopupReceipt } from './documents/receipt-pdf.ts';
import { plainVatId } from './tax.ts';

export const netDays = [7, 14, 30, 60] as const;
type NetDays = (typeof netDays)[number];

/** Whom a partner's invoices are made out to. Empty: not given. */
export interface BillingDetails extends Omit<Buyer, 'name'> {
  readonly legalName: string;
  readonly netDays: NetDays;
}

const nothingGiven: BillingDetails = { legalName: '', address: [], country: '', vatId: '', email: '', netDays: 30 };

const MAX_NAME = 200;
const MAX_LINES = 6;
const MAX_LINE = 100;

export async function readBillingDetails(db: Queryable, partnerId: number): Promise<BillingDetails> {
  const row = await db.maybe<Omit<BillingDetails, 'address'> & { address: string }>(sql`
    select legal_name as "legalName", address, country, vat_id as "vatId", email, net_days as "netDays"
    from shared.billing_details where partner_id = ${partnerId}`);
  return row ? { ...row, address: linesIn(row.address) } : nothingGiven;
}

/** Changes some of them. On the owner's connection; the caller has locked the partner. */
export async function setBillingDetails(tx: Tx, partnerId: number, change: Partial<BillingDetails>): Promise<void> {
  const next = requireUsable({ ...(await readBillingDetails(tx, partnerId)), ...change });
  const values = sql`${next.legalName}, ${next.address.join('\n')}, ${next.country}, ${next.vatId}, ${next.email}, ${next.netDays}`;
  await tx.run(sql`
    insert into shared.billing_details (partner_id, legal_name, address, country, vat_id, email, net_days)
    values (${partnerId}, ${values})
    on conflict (partner_id) do update set (legal_name, address, country, vat_id, email, net_days) = row (${values})`);
}

const linesIn = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function requireUsable(details: BillingDetails): BillingDetails {
  const wrong = (what: string) => new Refused('invalid_billing_details', what);
  const legalName = details.legalName.trim();
  const address = details.address.map((line) => line.trim()).filter((line) => line !== '');
  const country = details.country.trim().toUpperCase();
  const vatId = plainVatId(details.vatId);
  const email = details.email.trim();
  if (legalName.length > MAX_NAME || hasControls(legalName))
    throw wrong(`the legal name is one line of at most ${MAX_NAME} characters`);
  if (address.length > MAX_LINES || address.some((line) => line.length > MAX_LINE || hasControls(line)))
    throw wrong(`an address has at most ${MAX_LINES} lines of ${MAX_LINE} characters`);
  if (country !== '' && !isCountry(country)) throw wrong('the country is given by its two letters, such as DE');
  if (vatId !== '' && !/^[A-Z0-9+*]{2,20}$/.test(vatId)) throw wrong('a VAT id has 2 to 20 letters and digits');
  if (email !== '' && !isMailable(email)) throw wrong('mail cannot be sent to this email address');
  return { legalName, address, country, vatId, email, netDays: details.netDays };
}

const hasControls = (text: string): boolean => /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** A country that has a name; those that stand for something else (EU, XX) have none here. */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  !['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ', 'QO'].includes(code) &&
  // Codes that were replaced, such as UK and SU, become another one.
  new Intl.Locale(`und-${code}`).region === code &&
  regionNames.of(code) !== undefined;

/** What invoices need and the panel asks for while it is missing. A VAT id is none of it: not everybody has one. */
export const missingDetails = (details: BillingDetails): ('legal_name' | 'billing_address' | 'billing_country')[] => [
  ...(details.legalName === '' ? (['legal_name'] as const) : []),
  ...(details.address.length === 0 ? (['billing_address'] as const) : []),
  ...(details.country === '' ? (['billing_country'] as const) : []),
];

/** The buyer of a document, and where it is mailed. Without details it is made out to the account's name. */
export async function buyerOf(
  db: Queryable,
  partnerId: number,
): Promise<{ buyer: Buyer; netDays: NetDays; mailTo: string }> {
  const account = await db.one<{ name: string; email: string }>(sql`
    select name, email from shared.partners where id = ${partnerId}`);
  const { legalName, netDays: days, ...details } = await readBillingDetails(db, partnerId);
  return {
    buyer: { name: legalName || account.name, ...details },
    netDays: days,
    mailTo: details.email || account.email,
  };
}

/** A payment by card that a wallet was credited with. */
export interface CardReceipt extends Pick<TopupReceipt, 'paymentKey' | 'amount' | 'currency' | 'paidAt'> {
  readonly partnerId: number;
}

/** A file name has no underscores. */
export const receiptName = ({ paymentKey }: CardReceipt): string => `receipt-${paymentKey.replaceAll('_', '-')}.pdf`;

interface ReceiptParts {
  readonly mode: Mode;
  readonly seller: SellerSettings | undefined;
  /** The operator's name, used as the seller's until the seller settings are set. */
  readonly name: string;
}

/** A receipt is not stored: it shows the settings and the billing details of today, and has the same bytes as long as they are the same. */
export async function receiptOf(
  db: Queryable,
  { partnerId, paymentKey, amount, currency, paidAt }: CardReceipt,
  { mode, seller, name }: ReceiptParts,
): Promise<TopupReceipt> {
  const { buyer: payer } = await buyerOf(db, partnerId);
  return { paymentKey, amount, currency, paidAt, seller: seller ?? { name, address: [], country: '' }, payer, mode };
}
