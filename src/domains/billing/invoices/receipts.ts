import type { Mode } from '../../../platform/contract/mode.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { SellerSettings } from '../../../platform/settings/invoices.ts';
import { buyerOf } from './details.ts';
import type { TopupReceipt } from './documents/receipt-pdf.ts';

/** A payment by card that a wallet was credited with. */
export interface CardReceipt extends Pick<TopupReceipt, 'paymentKey' | 'amount' | 'currency' | 'paidAt'> {
  readonly partnerId: number;
}

/** A file name has no underscores. */
export const receiptName = ({ paymentKey }: CardReceipt): string => `receipt-${paymentKey.replaceAll('_', '-')}.pdf`;

interface ReceiptParts {
  readonly mode: Mode;
  readonly seller: SellerSettings | undefined;
  /** The operator's name, which stands for the seller as long as nobody has said who sells. */
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
