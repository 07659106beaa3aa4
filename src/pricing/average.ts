import type { Plan } from '../catalog/catalog.ts';
import type { PartnerPrice } from './rules.ts';

/** A measurement of what the caller's prices are below list price, over every plan that has a known cost. */
export interface AverageDiscount {
  /** Two places; null: there was nothing to measure. */
  readonly pct: number | null;
  readonly sampleSize: number;
}

export function averageDiscount(plans: readonly Plan[], priceOf: (plan: Plan) => PartnerPrice): AverageDiscount {
  let sum = 0;
  let sampleSize = 0;
  for (const plan of plans) {
    if (plan.cost === null) continue;
    sum += (Number(priceOf(plan).discount) / Number(plan.listPrice)) * 100;
    sampleSize += 1;
  }
  return { pct: sampleSize === 0 ? null : Math.round((sum / sampleSize) * 100) / 100, sampleSize };
}
