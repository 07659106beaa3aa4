import { bound, type Readers } from '../../../platform/db/replicas.ts';
import type { Log } from '../../../platform/log.ts';
import { readCountedUntil } from '../rollups/rollups.ts';
import { readPace, readPartnerFigures, readPlansBought } from './read.ts';
import { createRequestCounts, readAnswered, readRequestFigures } from './requests.ts';
import { readSales, readSoldOfPlans, readSoldTo } from './sales.ts';
import { readTrialBalance } from './trial-balance.ts';

export type { Days, Pace, PartnerFigures, PartnerSums, PlanBought, Spent } from './read.ts';
export { REQUEST_FIGURES_KEPT_DAYS, type RequestFigures, requestFiguresJob } from './requests.ts';
export { poorSuppliers, type SaleSums, type Sales, type SalesBy, type SoldToPartner } from './sales.ts';
export { MAX_POINTS, type Span, type Step, stepsOf } from './span.ts';
export type { TrialBalance } from './trial-balance.ts';

/**
 * Sums over orders and requests, by hour, day or month: what partners bought and were answered, and what was sold to all of them. Sums
 * of days are counted by a job, so they are seconds old.
 */
export type Insight = ReturnType<typeof createInsight>;

export const createInsight = ({ db, reads }: Readers, parts: { readonly log: Log }) => ({
  ...bound(reads, {
    countedUntil: readCountedUntil,
    bought: readPartnerFigures,
    pace: readPace,
    plans: readPlansBought,
    requests: readRequestFigures,
    soldTo: readSoldTo,
    soldOfPlans: readSoldOfPlans,
    sales: readSales,
    trialBalance: readTrialBalance,
    answeredBetween: readAnswered,
  }),
  answered: createRequestCounts({ db }, parts),
});
