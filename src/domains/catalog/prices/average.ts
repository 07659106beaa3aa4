import { setImmediate } from 'node:timers/promises';
import type { Plan } from '../catalog.ts';
import type { PartnerPrice } from './rules.ts';

/** How far the caller's prices are below list price on average, over every plan with a known cost. */
export interface AverageDiscount {
  /** Two places; null when no plan has a known cost. */
  readonly pct: number | null;
  readonly sampleSize: number;
}

/** Plans priced in one go. Other requests get their turn in between. */
const SLICE = 2_000;

export async function averageDiscount(
  plans: readonly Plan[],
  priceOf: (plan: Plan) => PartnerPrice,
): Promise<AverageDiscount> {
  const measurable = plans.filter(({ cost }) => cost !== null);
  let sum = 0;
  for (let at = 0; at < measurable.length; at += SLICE) {
    for (const plan of measurable.slice(at, at + SLICE))
      sum += (Number(priceOf(plan).discount) / Number(plan.listPrice)) * 100;
    await setImmediate();
  }
  const sampleSize = measurable.length;
  return { pct: sampleSize === 0 ? null : Math.round((sum / sampleSize) * 100) / 100, sampleSize };
}
