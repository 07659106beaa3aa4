import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Countries } from 'world-countries';
import type { DestinationEntry, PlanEntry } from './entries.ts';
import { slugOf } from './slug.ts';

/** Read when a list of places is made, and not kept: it is 1.4 MB of text, of which we need a hundredth. */
const countries = (): Countries =>
  JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('world-countries/countries.json')), 'utf8'));

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

/** Countries that travellers expect in another region than geography puts them in. */
const placed: Readonly<Record<string, string>> = { TR: 'europe', AM: 'asia', AZ: 'asia', GE: 'asia' };

const bySubregion: Readonly<Record<string, string>> = {
  'Western Asia': 'middle-east',
  Caribbean: 'caribbean',
  'North America': 'north-america',
  'Central America': 'latin-america',
  'South America': 'latin-america',
};

const worldRegions: readonly DestinationEntry[] = [
  ...regions.map(([slug, title, continent]) => ({ code: slug, scope: 'regional' as const, title, slug, continent })),
  { code: 'global', scope: 'global', title: 'Global', slug: 'global', continent: '' },
];

/** Our own list of places: regions, the world, and every country in code order. */
export function geography(): DestinationEntry[] {
  return [
    ...worldRegions,
    ...[...countries()]
      .sort((a, b) => (a.cca2 < b.cca2 ? -1 : 1))
      // No one lives there, and it is in none of our regions.
      .filter(({ region }) => region !== 'Antarctic')
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

/**
 * The destinations that a supplier's plans are for or cover, with our own names and regions, so that two suppliers sell to the same
 * places. A destination we do not know gets the supplier's name. A code that only coverage lists mention needs no destination.
 */
export function placesOf(plans: readonly PlanEntry[], titles: ReadonlyMap<string, string>): DestinationEntry[] {
  const ours = new Map(geography().map((place) => [place.code, place]));
  const named = new Set(plans.map(({ destination }) => destination));
  const touched = new Set([...named, ...plans.flatMap(({ coverage = [] }) => coverage)]);
  const places = [...touched].flatMap((code): DestinationEntry[] => {
    const known = ours.get(code);
    if (known) return [known];
    const title = titles.get(code) ?? code;
    if (!named.has(code)) return [];
    const isCountry = /^[A-Z]{2}$/.test(code);
    return [{ code, scope: isCountry ? 'country' : 'regional', title, slug: isCountry ? slugOf(title) : code }];
  });
  const used = new Set([...places.map(({ region }) => region), ...touched]);
  return [
    ...worldRegions.filter(({ code }) => used.has(code)),
    ...places.filter((place) => !worldRegions.includes(place)),
  ];
}
