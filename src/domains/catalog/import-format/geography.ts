import type { DestinationEntry, PlanEntry } from './entries.ts';

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

/**
 * The countries and territories of ISO 3166, and Kosovo, by the region in which travellers look for them and the continent they are on.
 * Those around the South Pole are left out: no one lives there.
 */
const countries = [
  [
    'europe',
    'Europe',
    `AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT
    RO RS RU SE SI SJ SK SM UA VA XK`,
  ],
  ['europe', 'Asia', 'TR'],
  [
    'asia',
    'Asia',
    'AF AM AZ BD BN BT CN GE HK ID IN IR JP KG KH KP KR KZ LA LK MM MN MO MV MY NP PH PK SG TH TJ TL TM TW UZ VN',
  ],
  ['middle-east', 'Asia', 'AE BH IL IQ JO KW LB OM PS QA SA SY YE'],
  [
    'africa',
    'Africa',
    `AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD
    SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW`,
  ],
  ['north-america', 'North America', 'BM CA GL MX PM UM US'],
  ['latin-america', 'North America', 'BZ CR GT HN NI PA SV'],
  ['latin-america', 'South America', 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE'],
  ['caribbean', 'North America', 'AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI'],
  ['oceania', 'Oceania', 'AS AU CC CK CX FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV VU WF WS'],
] as const;

/** The ISO codes of those countries. */
export const countryCodes: ReadonlySet<string> = new Set(countries.flatMap(([, , codes]) => codes.split(/\s+/)));

/** Where the name that Node knows is not the one travellers use. */
const ownNames: Readonly<Record<string, string>> = {
  CD: 'DR Congo',
  CG: 'Republic of the Congo',
  CI: 'Ivory Coast',
  HK: 'Hong Kong',
  MM: 'Myanmar',
  MO: 'Macau',
  PS: 'Palestine',
  SH: 'Saint Helena, Ascension and Tristan da Cunha',
  UM: 'United States Minor Outlying Islands',
  VC: 'Saint Vincent and the Grenadines',
  VI: 'United States Virgin Islands',
};

/** A title becomes part of addresses, so it is written out: "Antigua and Barbuda", "Saint Lucia". */
function titles(): (code: string) => string {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  return (code) => ownNames[code] ?? (names.of(code) ?? code).replace('&', 'and').replace(/^St\. /, 'Saint ');
}

const worldRegions: readonly DestinationEntry[] = [
  ...regions.map(([slug, title, continent]) => ({ code: slug, scope: 'regional' as const, title, slug, continent })),
  { code: 'global', scope: 'global', title: 'Global', slug: 'global', continent: '' },
];

/** Our own list of places: regions, the world, and every country in code order. */
export function geography(): DestinationEntry[] {
  const titleOf = titles();
  return [
    ...worldRegions,
    ...countries
      .flatMap(([region, continent, codes]) => codes.split(/\s+/).map((code) => ({ code, region, continent })))
      .sort((a, b) => (a.code < b.code ? -1 : 1))
      .map(({ code, region, continent }) => {
        const title = titleOf(code);
        return { code, scope: 'country' as const, title, slug: slugOf(title), region, continent };
      }),
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

/** A name as used in URLs: `a-z 0-9 -`, at most 40 characters. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
