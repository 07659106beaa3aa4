import type { Mode } from '../../parts/mode.ts';
import { type Change, refusedAs } from '../../parts/server/client.ts';
import { type Refund, requestRefund } from './orders.ts';

/** Of a batch. */
export const MOST_IN_BATCH = 100;

export interface RefundsRequested {
  readonly refunded: number;
  /** What went back, in dollars. */
  readonly amount: number;
  readonly requested: number;
  readonly refused: number;
}

/** One after the other. Sent again after a failure, each request is found as it was made. */
export const requestRefunds =
  (mode: Mode, ids: readonly string[], reason: string): Change<RefundsRequested> =>
  async (key) => {
    const found: (Refund | null)[] = [];
    for (const id of ids)
      found.push(
        await requestRefund(
          mode,
          id,
          reason,
        )(`${key}-${id}`).then(
          ({ refund }) => refund,
          (error) => {
            if (refusedAs(error, 'order_not_refundable') === undefined) throw error;
            return null;
          },
        ),
      );
    const back = found.filter((refund) => refund?.status === 'refunded');
    return {
      refunded: back.length,
      amount: back.reduce((cents, refund) => cents + Math.round(Number(refund?.amount) * 100), 0) / 100,
      requested: found.filter((refund) => refund !== null && refund.status !== 'refunded').length,
      refused: found.filter((refund) => refund === null).length,
    };
  };
