import type { RawImport } from '../catalog/catalog.ts';
import type { Micros } from '../money/money.ts';

/**
 * A wholesale supplier. `order`, `find` and `usage` answer with values, never exceptions, and within `limitMs` whatever the
 * other side does: provisioning decides by the answer what happens to a paid order.
 */
export interface Supplier {
  readonly name: string;
  /** Everything it sells now, as an import of the catalog; undefined: it lists nothing. Throws unless it has the whole list. */
  plans(signal: AbortSignal): Promise<RawImport | undefined>;
  /** Orders one eSIM under our reference. */
  order(order: SupplierOrder, limitMs: number): Promise<OrderAnswer>;
  /** What became of our reference. */
  find(order: SupplierOrder, limitMs: number): Promise<OrderAnswer | Absent>;
  usage(esim: EsimReference, limitMs: number): Promise<UsageAnswer>;
  /** Usage readings a second it stands from a job; undefined: any number. */
  readonly usagePerSecond?: number;
}

export interface SupplierOrder {
  /** Ours, the same at every attempt: what makes an order findable after a lost answer. */
  readonly reference: string;
  /** The supplier's own code of the plan. */
  readonly plan: string;
  readonly amountMb: number;
  readonly day: number;
  /** What we expect to pay; a supplier that checks prices is told. */
  readonly cost: Micros;
  readonly paidAt: Date;
  /** When it may last have been ordered, by whichever process; null: it surely was not. */
  readonly orderedAt: Date | null;
  /** The supplier's order number, once an earlier answer named it. */
  readonly supplierOrder: string | null;
  /** The order's script, which only a scripted supplier reads. */
  readonly script: unknown;
}

export type OrderAnswer =
  | { readonly outcome: 'delivered'; readonly supplierOrder: string; readonly esim: Esim }
  /** Accepted; the profile comes later, at `readyAt` where the supplier names a time. */
  | { readonly outcome: 'pending'; readonly supplierOrder: string | null; readonly readyAt?: Date }
  /** Will never be delivered. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /**
   * Surely not ordered (or, asked by `find`, no answer): may be tried again. `silent`: nothing came back (a time-out, no
   * connection), so that a supplier that answers nobody is not waited for again and again.
   */
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly silent?: true }
  /** Time-out or broken answer: may have been ordered, so `find` comes before another `order`. */
  | { readonly outcome: 'unknown'; readonly reason: string; readonly silent?: true };

/**
 * The supplier surely has no such order, so ordering is safe. A supplier that shows orders late answers `unavailable` until
 * enough time has passed to be sure.
 */
export interface Absent {
  readonly outcome: 'absent';
}

/** Activation data of one eSIM. A secret: whoever installs it first owns the line. Unset values are null. */
export interface Esim {
  readonly iccid: string;
  /** Host of the SM-DP+ server. */
  readonly smdpAddress: string;
  readonly matchingId: string | null;
  /** `LPA:1$host$matching id`, what the QR code says. */
  readonly activationCode: string;
  readonly appleUrl: string | null;
  readonly confirmationCode: string | null;
  readonly msisdn: string | null;
  readonly apn: string | null;
  readonly apnType: string | null;
  readonly apnValue: string | null;
  readonly isRoaming: boolean | null;
}

export interface EsimReference {
  readonly iccid: string;
  readonly supplierOrder: string | null;
  readonly day: number;
  readonly deliveredAt: Date;
  readonly script: unknown;
}

export const usageStates = ['not_active', 'active', 'depleted', 'expired'] as const;
export type UsageState = (typeof usageStates)[number];

export interface UsageReading {
  readonly state: UsageState;
  /** Null: the supplier does not say, the plan's own amount holds. */
  readonly totalMb: number | null;
  readonly usedMb: number;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
}

export type UsageAnswer =
  | { readonly outcome: 'reading'; readonly reading: UsageReading }
  /** The supplier knows no usage for it. */
  | { readonly outcome: 'none' }
  | { readonly outcome: 'unavailable'; readonly reason: string };

/** The install link phones of one vendor open directly. */
export function appleInstallUrl(activationCode: string): string {
  return `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${activationCode}`;
}
