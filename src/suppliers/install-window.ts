import type { PlanEntry } from '../import-format/import-format.ts';
import { numberOf } from './loose.ts';

/** A supplier's number of days to install an eSIM in. What cannot be one counts as not said, so that the plan is not lost for it. */
export function installWindow(days: unknown): Pick<PlanEntry, 'install_window_days'> {
  const count = Math.round(numberOf(days) ?? 0);
  return count >= 1 && count <= 3_650 ? { install_window_days: count } : {};
}
