import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { SellerSettings } from '../../../platform/settings/invoices.ts';

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
