import { type DestinationEntry, geography } from '../../import-format/import-format.ts';

/** ISO codes where no travel eSIMs are sold: uninhabited, without a network for visitors, or not an assigned code. */
const UNSOLD = new Set(['AQ', 'BV', 'EH', 'GS', 'HM', 'IO', 'KP', 'PN', 'SY', 'TF', 'TK', 'UM', 'XK']);

/** A destination whose plans are all off sale. */
export const WITHOUT_PLANS = 'NU';

/** Every destination of the demo catalog: regions, the world, and the countries by code. */
export const demoDestinations = (): DestinationEntry[] => geography().filter(({ code }) => !UNSOLD.has(code));
