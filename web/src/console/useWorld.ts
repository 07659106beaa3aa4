import type { Mode } from '../parts/mode.ts';
import { useFilters } from '../parts/useFilters.ts';

/** The world a page of the console shows, from its address: live unless it says otherwise. */
export function useWorld(): Mode {
  return useFilters().of('mode') === 'sandbox' ? 'sandbox' : 'live';
}
