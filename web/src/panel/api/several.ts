import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, post } from '../../parts/server/calls.ts';

/** As many rows as one request changes. */
export const MOST_ROWS = 100;

export type ChangedTogether = AnswerOf<'POST /api/{mode}/orders/cancel'>;

/** Sent again after a failure, what was done is found as it was, and the rest is done. */
export const cancelOrders = (mode: Mode, orders: readonly string[]) =>
  post('/api/{mode}/orders/cancel', { mode }, { orders });
export const requestRefunds = (mode: Mode, orders: readonly string[], reason: string) =>
  post('/api/{mode}/orders/refund', { mode }, { orders, reason });
export const suspendEsims = (mode: Mode, esims: readonly string[]) =>
  post('/api/{mode}/esims/suspend', { mode }, { esims });
export const resumeEsims = (mode: Mode, esims: readonly string[]) =>
  post('/api/{mode}/esims/resume', { mode }, { esims });
