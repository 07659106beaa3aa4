import { type Catalog, type Destination, hasWords, type Plan, selection } from '../../domains/catalog/catalog.ts';
import { formatCents } from '../../platform/amounts/cents.ts';
import { type Html, html } from '../../platform/contract/html.ts';
import type { PublicPage, Site } from './document.ts';

/** What strangers may see of the catalog. */
export type PublicCatalog = Pick<Catalog, 'version' | 'listed' | 'plansOf'>;

/** A destination that is sold, with what its row says. */
export interface Sold {
  readonly destination: Destination;
  /** The cheapest for each amount of data and number of days: what `catalog/products` lists. */
  readonly plans: readonly Plan[];
  readonly networks: readonly string[];
}

const LIST = '/destinations';
const MOST_NETWORKS = 4;

export const pathOf = ({ slug }: Destination): string => `${LIST}/${slug}`;

/** By the list of plans, which is another one after each change of the catalog. */
const known = new WeakMap<readonly Plan[], readonly Sold[]>();

/** Everything that is sold, by name. */
export function soldIn(catalog: PublicCatalog): readonly Sold[] {
  const all = known.get(catalog.listed) ?? readSold(catalog);
  known.set(catalog.listed, all);
  return all;
}

function readSold(catalog: PublicCatalog): Sold[] {
  const destinations = new Set(catalog.listed.map(({ destination }) => destination));
  return [...destinations]
    .map((destination) => sold(catalog, destination))
    .toSorted((a, b) => a.destination.title.localeCompare(b.destination.title, 'en'));
}

function sold(catalog: PublicCatalog, destination: Destination): Sold {
  const plans = selection.sorted(selection.winners(catalog.plansOf(destination, undefined)), 'price', 'asc');
  return { destination, plans, networks: networksOf(plans) };
}

const networksOf = (plans: readonly Plan[]): string[] =>
  [...new Set(plans.flatMap(({ network }) => network.networks ?? []))].sort();

const some = (names: readonly string[]): string =>
  names.length <= MOST_NETWORKS
    ? names.join(', ')
    : `${names.slice(0, MOST_NETWORKS).join(', ')} and ${names.length - MOST_NETWORKS} more`;
const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
const usd = (plan: Plan): string => `${formatCents(plan.listPrice)} USD`;

function row(site: Site, { destination, plans, networks }: Sold): Html {
  const [cheapest] = plans;
  return html`<li><a href="${pathOf(destination)}">${destination.title}</a><p>${
    site.showsPrices && cheapest && html`from <b>${usd(cheapest)}</b> · `
  }${counted(plans.length, 'plan')}${networks.length > 0 && ` · ${some(networks)}`}</p></li>`;
}

export const searchForm = (asked = ''): Html =>
  html`<form class="find" action="${LIST}"><input type="search" name="q" value="${asked}" aria-label="Search a destination" placeholder="Where to? Japan, Spain, Asia…" maxlength="100"><button class="go">Search</button></form>`;

/** All destinations, or those whose names begin with the words that were asked for. */
export function destinationsPage(site: Site, catalog: PublicCatalog, query: string | null): PublicPage {
  const asked = (query ?? '').trim().slice(0, 100);
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const all = soldIn(catalog);
  const found = words.length === 0 ? all : all.filter(({ destination }) => hasWords.destination(destination, words));
  const inScope = (isCountry: boolean) =>
    found.filter(({ destination }) => (destination.scope === 'country') === isCountry).map((one) => row(site, one));
  const group = (title: string, rows: Html[]) =>
    rows.length > 0 && html`<h2>${title}</h2><ul class="rows columns">${rows}</ul>`;
  const body = html`<h1>Destinations</h1>
<p class="lead">${counted(all.length, 'destination')} with ${counted(networksOf(catalog.listed).length, 'network')}.${
    site.showsPrices && ' List prices in USD.'
  }</p>${searchForm(asked)}
${words.length > 0 && html`<p role="status">${found.length === 0 ? `No destination is called “${asked}”.` : counted(found.length, 'destination')} <a href="${LIST}">All destinations</a></p>`}
${group('Countries', inScope(true))}${group('Regions', inScope(false))}`;
  return {
    path: LIST,
    title: words.length > 0 ? `Destinations: ${asked}` : 'Destinations',
    description: `Travel eSIM plans of ${site.settings.name} for ${counted(all.length, 'destination')}, with data, days and networks.`,
    body,
    ...(words.length > 0 && { isListed: false as const }),
  };
}

/** Undefined: it is not sold. */
export function destinationPage(site: Site, catalog: PublicCatalog, slug: string): PublicPage | undefined {
  const found = soldIn(catalog).find((one) => one.destination.slug === slug);
  if (!found) return undefined;
  const { destination, plans, networks } = found;
  const [cheapest] = plans;
  const from = site.showsPrices && cheapest ? ` from ${usd(cheapest)}` : '';
  const wider = destination.scope === 'country' ? widerOf(site, catalog, destination) : [];
  const body = html`<nav aria-label="Breadcrumb"><a class="alone" href="${LIST}">Destinations</a></nav>
<h1>eSIM for ${destination.title}</h1>
<p class="lead">${counted(plans.length, 'plan')}${from}${networks.length > 0 && `. Networks: ${networks.join(', ')}`}.</p>
<div class="table" tabindex="0"><table class="plans"><thead><tr><th>Data</th><th>Valid for</th>${site.showsPrices && html`<th class="amount">List price, USD</th>`}<th>Network</th><th>Product id</th></tr></thead>
<tbody>${plans.map((plan) => planRow(site, plan))}</tbody></table></div>
${plans.some(({ coverage }) => coverage.codes.length > 1) && html`<h2>Where it works</h2><p>${coveredBy(plans).join(', ')}</p>`}
${wider.length > 0 && html`<h2>Regions that include ${destination.title}</h2><ul class="rows columns">${wider}</ul>`}
<p>${site.signUp && html`<a class="go" href="${site.signUp}">Sell these plans</a> `}<a class="go plain" href="/docs/guides/first-purchase">Make a first purchase</a></p>`;
  return {
    path: pathOf(destination),
    title: `eSIM for ${destination.title}`,
    description: `${counted(plans.length, 'travel eSIM plan')} for ${destination.title}${from}: data, days and networks.`,
    body,
  };
}

const planRow = (site: Site, { alias, data, day, listPrice, networkType, network }: Plan): Html =>
  html`<tr><td>${data}</td><td>${counted(day, 'day')}</td>${
    site.showsPrices && html`<td class="amount">${formatCents(listPrice)}</td>`
  }<td class="over">${networkType}${network.networks && network.networks.length > 0 && ` · ${some(network.networks)}`}</td><td class="over"><code>${alias}</code></td></tr>`;

const coveredBy = (plans: readonly Plan[]): string[] =>
  [...new Set(plans.flatMap(({ coverage }) => coverage.names))].sort();

/** Regions and the world, where they cover the country. */
function widerOf(site: Site, catalog: PublicCatalog, destination: Destination): Html[] {
  const covering = (['regional', 'global'] as const).flatMap((type) => catalog.plansOf(destination, type));
  const places = new Set(covering.map((plan) => plan.destination));
  return soldIn(catalog)
    .filter((one) => places.has(one.destination))
    .map((one) => row(site, one));
}

/** How much there is, for the front page. */
export const sizeOf = (catalog: PublicCatalog) => ({
  destinations: new Set(catalog.listed.map(({ destination }) => destination)).size,
  networks: networksOf(catalog.listed).length,
  plans: catalog.listed.length,
});

/** The plan that samples buy: Japan's cheapest with 1 GB or more, or the cheapest of what is sold. Undefined: nothing is. */
export function examplePlan(catalog: PublicCatalog): Plan | undefined {
  const all = soldIn(catalog);
  const place = all.find(({ destination }) => destination.code === 'JP') ?? all[0];
  return place?.plans.find(({ amountMb }) => amountMb >= 1024) ?? place?.plans[0];
}
