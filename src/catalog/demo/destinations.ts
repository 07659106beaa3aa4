import { geography } from '../geography.ts';
import type { DestinationEntry } from '../import-format.ts';

/** ISO codes where no travel eSIM is sold: uninhabited, without a network for visitors, or no assigned code. */
const UNSOLD = new Set(['AQ', 'BV', 'EH', 'GS', 'HM', 'IO', 'KP', 'PN', 'SY', 'TF', 'TK', 'UM', 'XK']);

/** Sold, but every plan is off sale at the moment. */
export const WITHOUT_PLANS = 'NU';

/** Every destination of the demo catalog: regions, the world, and the countries by code. */
export const demoDestinations = (): DestinationEntry[] => geography().filter(({ code }) => !UNSOLD.has(code));
