import type { KeptReading, SoldEsim } from '../esims/esims.ts';
import { type UsageFigures, usageFigures } from './figures.ts';

/** Usage of one eSIM as the partner sees it. */
export interface Usage extends UsageFigures {
  readonly iccid: string;
  readonly orderId: bigint;
  readonly productId: string;
  readonly productTitle: string;
  readonly isUnlimited: boolean;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly fetchedAt: Date;
}

/** A reading of an eSIM as the partner sees it. */
export function usageOf(sold: SoldEsim, reading: KeptReading, now: number): Usage {
  const { iccid, orderId, productId, productTitle, isUnlimited } = sold;
  const { activatedAt, expiresAt, fetchedAt } = reading;
  const figures = usageFigures(reading, sold, now);
  return { ...figures, iccid, orderId, productId, productTitle, isUnlimited, activatedAt, expiresAt, fetchedAt };
}
