import type { PlanEntry } from '../../catalog/import-format/import-format.ts';
import { numberOf } from './loose.ts';

/**
 * The number of days within which an eSIM must be installed. An invalid value counts as missing, so that the plan is not rejected
 * for it.
 */
export function installWindow(days: unknown): Pick<PlanEntry, 'install_window_days'> {
  const count = Math.round(numberOf(days) ?? 0);
  return count >= 1 && count <= 3_650 ? { install_window_days: count } : {};
}
