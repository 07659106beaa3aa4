import type { Readers } from '../../../platform/db/replicas.ts';
import type { Log } from '../../../platform/log.ts';
import { type Days, type Pace, readPace } from './pace.ts';
import {
  type OrderFigures,
  type PlanBought,
  readCountedUntil,
  readOrderFigures,
  readPlanFigures,
  readPlansCountedUntil,
  readSpendFigures,
  type SpendFigures,
} from './read.ts';
import { createRequestCounts, type RequestCounts } from './request-counts.ts';
import { type AnsweredHour, type RequestFigures, readAnswered, readRequestFigures } from './requests.ts';
import { readSales, readSalesCountedUntil, type Sales } from './sales.ts';
import { type Dates, readSoldTo, type SalesFilter, type SoldToPartner } from './sales-query.ts';
import type { Span } from './span.ts';
import { readTrialBalance, type TrialBalance } from './trial-balance.ts';

export { figuresJob, forgetFigures, planFiguresJob } from './count.ts';
export type { Days, Pace } from './pace.ts';
export type { OrderFigures, PlanBought, SpendFigures } from './read.ts';
export { REQUEST_FIGURES_KEPT_DAYS, type RequestFigures, requestFiguresJob } from './requests.ts';
export type { SaleSums, Sales, SalesBy } from './sales.ts';
export type { SoldToPartner } from './sales-query.ts';
export { MAX_POINTS, type Span, type Step, stepsOf } from './span.ts';
export { poorSuppliers, saleFiguresJob } from './sums.ts';
export type { TrialBalance } from './trial-balance.ts';

/** Sums over a partner's orders and requests, by hour, day or month. They are counted by a job, so they are seconds old. */
export interface Insight {
  /** Until when all orders of this world are counted, in real time; null: the first count is not finished. */
  countedUntil(): Promise<Date | null>;
  orders(partnerId: number, span: Span): Promise<OrderFigures>;
  spend(partnerId: number, span: Span): Promise<SpendFigures>;
  /** Today beside a week ago, and how fast money is spent. */
  pace(partnerId: number, days: Days): Promise<Pace>;
  /** What was bought of each plan, by day or month. */
  plans(partnerId: number, span: Span): Promise<PlanBought[]>;
  /** Until when plans are counted, in real time; null: the first count is not finished. */
  plansCountedUntil(): Promise<Date | null>;
  requests(partnerId: number, span: Span): Promise<RequestFigures>;
  /** What each of these partners bought on these days; in the live world. */
  soldTo(partnerIds: readonly number[], dates: Dates): Promise<SoldToPartner[]>;
  /** Over all partners. */
  sales(span: Span, filter: SalesFilter): Promise<Sales>;
  /** Until when all of them are counted, in real time; null: the first count is not finished. */
  salesCountedUntil(): Promise<Date | null>;
  /** What every account of the ledger came to; without a time, now. */
  trialBalance(before?: Date): Promise<TrialBalance>;
  /** Requests of all partners by hour, and how many of them failed on our side. */
  answeredBetween(from: Date, to: Date): Promise<AnsweredHour[]>;
  /** Where answered requests are counted. */
  readonly answered: RequestCounts;
}

export const createInsight = ({ db, reads }: Readers, parts: { readonly log: Log }): Insight => ({
  countedUntil: () => readCountedUntil(reads),
  orders: (partnerId, span) => readOrderFigures(reads, partnerId, span),
  spend: (partnerId, span) => readSpendFigures(reads, partnerId, span),
  pace: (partnerId, days) => readPace(reads, partnerId, days),
  plans: (partnerId, span) => readPlanFigures(reads, partnerId, span),
  plansCountedUntil: () => readPlansCountedUntil(reads),
  requests: (partnerId, span) => readRequestFigures(reads, partnerId, span),
  soldTo: (partnerIds, dates) => readSoldTo(reads, partnerIds, dates),
  sales: (span, filter) => readSales(reads, span, filter),
  salesCountedUntil: () => readSalesCountedUntil(reads),
  trialBalance: (before) => readTrialBalance(reads, before),
  answeredBetween: (from, to) => readAnswered(reads, from, to),
  answered: createRequestCounts({ db }, parts),
});
