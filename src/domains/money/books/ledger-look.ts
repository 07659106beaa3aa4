import type { Queryable } from '../../../platform/db/database.ts';
import { linesOfOrder, type OrderTransfer, transfersOfOrder } from './lines.ts';
import { inPieces, linesOfStretches, type StretchLine, stretchesAfter } from './stretches.ts';

/** What operators read of a world's ledger. */
export interface LedgerLook {
  /** Every partner's lines of a time, partner by partner, each book in the order of its lines. */
  linesBetween(range: { readonly from: Date; readonly to: Date }): AsyncGenerator<StretchLine>;
  linesOfOrder(orderId: bigint): ReturnType<typeof linesOfOrder>;
  transfersOfOrder(orderId: bigint): Promise<OrderTransfer[]>;
}

/** Partners and lines that one statement reads. */
const PAGE = 1_000;
/** Partners that the first statement reads, so that a file begins soon; each next one reads ten times as many. */
const FIRST_PARTNERS = 10;

export const lookAtLedger = (db: Queryable): LedgerLook => ({
  async *linesBetween(range) {
    let partnerId: number | undefined = 0;
    for (let partners = FIRST_PARTNERS; partnerId !== undefined; partners = Math.min(PAGE, 10 * partners)) {
      const stretches = await stretchesAfter(db, partnerId, range, partners);
      for (const piece of inPieces(stretches, PAGE)) yield* await linesOfStretches(db, piece);
      partnerId = stretches.at(-1)?.partnerId;
    }
  },
  linesOfOrder: (orderId) => linesOfOrder(db, orderId),
  transfersOfOrder: (orderId) => transfersOfOrder(db, orderId),
});
