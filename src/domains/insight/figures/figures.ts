import type { Readers } from '../../../platform/db/replicas.ts';
import type { Log } from '../../../platform/log.ts';
import { readCountedUntil } from '../rollups/rollups.ts';
import { type Days, type Pace, readPace } from './pace.ts';
import { type PartnerFigures, type PlanBought, readPartnerFigures, readPlansBought } from './read.ts';
import { createRequestCounts, type RequestCounts } from './request-counts.ts';
import { type AnsweredHour, type RequestFigures, readAnswered, readRequestFigures } from './requests.ts';
import { type Dates, readSales, readSoldTo, type Sales, type SalesFilter, type SoldToPartner } from './sales.ts';
import type { Span } from './span.ts';
import { readTrialBalance, type TrialBalance } from './trial-balance.ts';

export type { Days, Pace } from './pace.ts';
export type { PartnerFigures, PartnerSums, PlanBought, Spent } from './read.ts';
export { REQUEST_FIGURES_KEPT_DAYS, type RequestFigures, requestFiguresJob } from './requests.ts';
export { poorSuppliers, type SaleSums, type Sales, type SalesBy, type SoldToPartner } from './sales.ts';
export { MAX_POINTS, type Span, type Step, stepsOf } from './span.ts';
export type { TrialBalance } from './trial-balance.ts';

/** Sums over orders and requests, by hour, day or month. Sums of days are counted by a job, so they are seconds old. */
export interface Insight {
  /** Until when all orders of this world are counted, in real time; null: the first count is not finished. */
  countedUntil(): Promise<Date | null>;
  /** What a partner bought and spent. */
  bought(partnerId: number, span: Span): Promise<PartnerFigures>;
  /** Today beside a week ago, and how fast money is spent. */
  pace(partnerId: number, days: Days): Promise<Pace>;
  /** What was bought of each plan, by day or month. */
  plans(partnerId: number, span: Span): Promise<PlanBought[]>;
  requests(partnerId: number, span: Span): Promise<RequestFigures>;
  /** What each of these partners bought on these days. */
  soldTo(partnerIds: readonly number[], dates: Dates): Promise<SoldToPartner[]>;
  /** Over all partners. */
  sales(span: Span, filter: SalesFilter): Promise<Sales>;
  /** What every account of the ledger came to; without a time, now. */
  trialBalance(before?: Date): Promise<TrialBalance>;
  /** Requests of all partners by hour, and how many of them failed on our side. */
  answeredBetween(from: Date, to: Date): Promise<AnsweredHour[]>;
  /** Where answered requests are counted. */
  readonly answered: RequestCounts;
}

export const createInsight = ({ db, reads }: Readers, parts: { readonly log: Log }): Insight => ({
  countedUntil: () => readCountedUntil(reads),
  bought: (partnerId, span) => readPartnerFigures(reads, partnerId, span),
  pace: (partnerId, days) => readPace(reads, partnerId, days),
  plans: (partnerId, span) => readPlansBought(reads, partnerId, span),
  requests: (partnerId, span) => readRequestFigures(reads, partnerId, span),
  soldTo: (partnerIds, dates) => readSoldTo(reads, partnerIds, dates),
  sales: (span, filter) => readSales(reads, span, filter),
  trialBalance: (before) => readTrialBalance(reads, before),
  answeredBetween: (from, to) => readAnswered(reads, from, to),
  answered: createRequestCounts({ db }, parts),
});
