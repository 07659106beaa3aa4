import type { PlanEntry } from '../../../src/domains/catalog/import-format/entries.ts';
import { demoDestinations } from '../../../src/domains/catalog/plans/demo/plans.ts';

/** The destination that fills a whole answer: more than 500 plans that no other one beats. */
export const FULL = 'FR';
const FULL_DAYS = 30;
const FULL_SIZES = 20;

/** An import file with this many plans over every destination of the demo. */
export function bigCatalog(count: number): object {
  const destinations = demoDestinations();
  const countries = destinations.filter(({ scope }) => scope === 'country').map(({ code }) => code);
  const plans: PlanEntry[] = [];
  const add = (code: string, title: string, day: number, gigabytes: number) => {
    const wide = code.length > 2 ? { coverage: countries.slice(0, 40) } : {};
    plans.push({
      code: `${code}-${plans.length}`,
      destination: code,
      title: `${title} ${gigabytes} GB ${day} days`,
      amount: gigabytes * 1024,
      day,
      network_type: day % 2 === 0 ? '5G' : '4G',
      price: (2 + gigabytes * 1.5 + day * 0.25).toFixed(2),
      cost: (1 + gigabytes * 0.9 + day * 0.123456).toFixed(6),
      is_usage_metered: day % 3 === 0,
      operator: { title: `${title} Mobile`, info: ['Data-only eSIM.'] },
      ...wide,
    });
  };
  for (let day = 1; day <= FULL_DAYS; day += 1)
    for (let size = 1; size <= FULL_SIZES; size += 1) add(FULL, 'France', day, size);
  for (let round = 0; plans.length < count; round += 1)
    for (const { code, title } of destinations)
      if (plans.length < count && code !== FULL) add(code, title, 1 + (round % 30), 1 + Math.floor(round / 5));
  return { supplier: { slug: 'bench', title: 'Bench', kind: 'simulated' }, destinations, plans };
}
