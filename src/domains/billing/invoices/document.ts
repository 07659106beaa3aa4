import { createHash } from 'node:crypto';
import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { SellerSettings } from '../../../platform/settings/invoices.ts';
import type { SiteSettings } from '../../../platform/settings/site.ts';

/** An issued invoice or credit note, as it was issued: nothing in it ever changes. */
export interface InvoiceDocument {
  /** INV2026-000001; a world of play money puts a word before it */
  readonly number: string;
  readonly kind: 'invoice' | 'credit_note';
  /** 2026-11 */
  readonly month: string;
  readonly issuedAt: Date;
  /** Null: prepaid. */
  readonly dueAt: Date | null;
  readonly currency: 'USD';
  /** As it was at issue. */
  readonly seller: Seller;
  /** As it was at issue. */
  readonly buyer: Buyer;
  /** With gross amounts. Refunds are negative on an invoice and positive on a credit note. */
  readonly lines: readonly InvoiceLine[];
  readonly taxCategory: 'S' | 'AE' | 'O';
  /** Percent, such as 19 or 19.00; 0 for AE and O. */
  readonly taxRate: string;
  /** `net` + `tax` = `total`; the tax is rounded half up, once per document and category. */
  readonly net: Cents;
  readonly tax: Cents;
  readonly total: Cents;
  /** The number of the invoice a credit note belongs to. */
  readonly credits: string | null;
  /** Of a credit note; empty otherwise. */
  readonly reason: string;
  /** INVOICE_TEXT */
  readonly text: string;
  /** Paid from the balance. */
  readonly isPrepaid: boolean;
  readonly mode: Mode;
}

export type Seller = Omit<SellerSettings, 'taxRate'>;

export interface Buyer {
  readonly name: string;
  /** Lines, one below the other. */
  readonly address: readonly string[];
  /** ISO 3166: two capital letters. */
  readonly country: string;
  readonly vatId: string;
  readonly email: string;
}

export interface InvoiceLine {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: Cents;
  readonly amount: Cents;
}

/** How the operator's documents look. Kept once for all that look alike: a PDF never changes, whatever the settings become. */
export type Look = Pick<SiteSettings, 'name' | 'color' | 'logo'>;

export interface StoredLook {
  readonly lookName: string;
  readonly color: string | null;
  readonly logoType: string | null;
  readonly logo: Buffer | null;
}

export const lookColumns = sql`look.name as "lookName", look.color, look.logo_type as "logoType", look.logo`;

export const lookOf = ({ lookName, color, logoType, logo }: StoredLook): Look => ({
  name: lookName,
  color: color ?? undefined,
  logo: logoType === null || logo === null ? undefined : { type: logoType, bytes: logo },
});

export async function keepLook(tx: Tx, { name, color, logo }: Look): Promise<number> {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, color ?? null, logo?.type ?? null]))
    .update(logo?.bytes ?? '')
    .digest();
  const found = () => tx.maybe<{ id: number }>(sql`select id from invoice_looks where digest = ${digest}`);
  const known = await found();
  if (known) return known.id;
  await tx.run(sql`
    insert into invoice_looks (digest, name, color, logo_type, logo)
    values (${digest}, ${name}, ${color ?? null}, ${logo?.type ?? null}, ${logo?.bytes ?? null}) on conflict do nothing`);
  return ((await found()) as { id: number }).id;
}
