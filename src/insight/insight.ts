import type { Db } from '../db/database.ts';
import type { Log } from '../log.ts';
import { readSoldTo, type SoldToPartner } from './by-partner.ts';
import { type OrderFigures, readCountedUntil, readOrderFigures, readSpendFigures, type SpendFigures } from './read.ts';
import { createRequestCounts, type RequestCounts } from './request-counts.ts';
import { type RequestFigures, readRequestFigures } from './requests.ts';
import type { Span } from './span.ts';

export type { SoldToPartner } from './by-partner.ts';
export { countOrders, countSales, figuresJob, forgetFigures, saleFiguresJob } from './count.ts';
export { poorSuppliers } from './matters.ts';
export type { OrderFigures, SpendFigures } from './read.ts';
export {
  REQUEST_FIGURES_KEPT_DAYS,
  type RequestFigures,
  requestFiguresJob,
} from './requests.ts';
export {
  readSales,
  readSalesCountedUntil,
  type SaleSums,
  type Sales,
  type SalesBy,
  type SalesFilter,
} from './sales.ts';
export { MAX_POINTS, type Span, type Step, stepsOf } from './span.ts';
export { readTrialBalance, type TrialBalance } from './trial-balance.ts';

/** Sums over a partner's orders and requests, by hour, day or month. They are counted by a job, so they are seconds old. */
export interface Insight {
  /** Until when all orders of this world are counted, in real time; null: the first count is not finished. */
  countedUntil(): Promise<Date | null>;
  orders(partnerId: number, span: Span): Promise<OrderFigures>;
  spend(partnerId: number, span: Span): Promise<SpendFigures>;
  requests(partnerId: number, span: Span): Promise<RequestFigures>;
  /** What each of these partners bought since an hour. */
  soldTo(partnerIds: readonly number[], since: Date): Promise<SoldToPartner[]>;
  /** Where answered requests are counted. */
  readonly answered: RequestCounts;
}

export const createInsight = ({ db }: { readonly db: Db }, parts: { readonly log: Log }): Insight => ({
  countedUntil: () => readCountedUntil(db),
  orders: (partnerId, span) => readOrderFigures(db, partnerId, span),
  spend: (partnerId, span) => readSpendFigures(db, partnerId, span),
  requests: (partnerId, span) => readRequestFigures(db, partnerId, span),
  soldTo: (partnerIds, since) => readSoldTo(db, partnerIds, since),
  answered: createRequestCounts({ db }, parts),
});
