import type { Plan } from './plan.ts';

/** Plans under 1 GB are small: they are listed only with `include_small`. */
const SMALL_BELOW_MB = 1024;

export const isSmall = (plan: Plan): boolean => !plan.isUnlimited && plan.amountMb < SMALL_BELOW_MB;

/** Keeps the winner of each (destination, days, data) group, in the order the groups first appear. */
export function winners(plans: readonly Plan[]): Plan[] {
  const best = new Map<string, Plan>();
  for (const plan of plans) {
    const group = groupOf(plan);
    const leader = best.get(group);
    if (!leader || beats(plan, leader)) best.set(group, plan);
  }
  return [...best.values()];
}

/** Unlimited plans group by days alone. */
const groupOf = ({ destination, day, amountMb, isUnlimited }: Plan): string =>
  `${destination.code} ${day} ${isUnlimited ? 'unlimited' : amountMb}`;

/** Lowest list price, then 5G before 4G, then lowest internal id. */
function beats(plan: Plan, other: Plan): boolean {
  if (plan.listPrice !== other.listPrice) return plan.listPrice < other.listPrice;
  if (plan.networkType !== other.networkType) return plan.networkType === '5G';
  return plan.id < other.id;
}
