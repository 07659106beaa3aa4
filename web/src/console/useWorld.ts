import type { Mode } from '../panel/paths.ts';
import { useFilters } from '../parts/useFilters.ts';

/** The world a page of the console looks at, from its address: live unless it says otherwise. */
export function useWorld(): Mode {
  return useFilters().of('mode') === 'sandbox' ? 'sandbox' : 'live';
}
