import world, { type Countries } from 'world-countries';
import type { DestinationEntry } from '../import-format.ts';

// The package is CommonJS and its types describe a module: the list itself is what arrives.
const countries = world as unknown as Countries;

/** ISO codes where no travel eSIM is sold: uninhabited, without a network for visitors, or no assigned code. */
const UNSOLD = new Set(['AQ', 'BV', 'EH', 'GS', 'HM', 'IO', 'KP', 'PN', 'SY', 'TF', 'TK', 'UM', 'XK']);

/** Sold, but every plan is off sale at the moment. */
export const WITHOUT_PLANS = 'NU';

const regions = [
  ['europe', 'Europe', 'Europe'],
  ['asia', 'Asia', 'Asia'],
  ['middle-east', 'Middle East', 'Asia'],
  ['africa', 'Africa', 'Africa'],
  ['north-america', 'North America', 'North America'],
  ['latin-america', 'Latin America', 'South America'],
  ['caribbean', 'Caribbean', 'North America'],
  ['oceania', 'Oceania', 'Oceania'],
] as const;

/** Travellers look for these under another region than geography puts them in. */
const placed: Readonly<Record<string, string>> = { TR: 'europe', AM: 'asia', AZ: 'asia', GE: 'asia' };

const bySubregion: Readonly<Record<string, string>> = {
  'Western Asia': 'middle-east',
  Caribbean: 'caribbean',
  'North America': 'north-america',
  'Central America': 'latin-america',
  'South America': 'latin-america',
};

const slugOf = (title: string): string =>
  title
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);

/** Every destination of the demo catalog: regions, the world, and the countries by code. */
export function demoDestinations(): DestinationEntry[] {
  return [
    ...regions.map(([slug, title, continent]) => ({
      code: slug,
      scope: 'regional' as const,
      title,
      slug,
      continent,
    })),
    { code: 'global', scope: 'global', title: 'Global', slug: 'global', continent: '' },
    ...countries
      .filter(({ cca2 }) => !UNSOLD.has(cca2))
      .sort((a, b) => (a.cca2 < b.cca2 ? -1 : 1))
      .map(({ cca2, name, region, subregion }) => ({
        code: cca2,
        scope: 'country' as const,
        title: name.common,
        slug: slugOf(name.common),
        region: placed[cca2] ?? bySubregion[subregion] ?? region.toLowerCase(),
        continent: region !== 'Americas' ? region : subregion === 'South America' ? subregion : 'North America',
      })),
  ];
}
