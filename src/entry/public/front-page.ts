import type { Plan } from '../../domains/catalog/catalog.ts';
import { formatCents } from '../../platform/amounts/cents.ts';
import { type Html, html } from '../../platform/contract/html.ts';
import { examplePlan, type PublicCatalog, pathOf, searchForm, sizeOf, soldIn } from './destinations.ts';
import type { PublicPage, Site } from './document.ts';
import { htmlOf, samples, shortened } from './markdown.ts';

/** What the tests of this program measured: docs/proofs/chaos.md, docs/proofs/fuzz.md and docs/proofs/scale.md. */
const outcomes = [
  [
    '0 cents off',
    'A million random purchases, refills and refunds ran while 1,184 kills and outages hit the service. Every balance matched to the cent.',
  ],
  [
    '0 answers out of contract',
    'A million generated requests to every endpoint were answered as the reference says. None ended in an internal error.',
  ],
  [
    '200 ms at most',
    'With 20 million orders in the database, none of 226 requests and pages took longer at the median.',
  ],
] as const;

const points = [
  [
    'One call buys an eSIM',
    'A second one reads its QR code and everything a phone needs. If a reply is lost, the same request never charges twice.',
  ],
  [
    'A sandbox that behaves like live',
    'The same endpoints with play money. Trigger delayed deliveries, failures and refunds on purpose.',
  ],
  [
    'Every change is an event',
    'Signed webhooks report deliveries, usage and refunds to your systems, with retries and a log of every attempt.',
  ],
  [
    'Tools for what comes after',
    'Data usage, refills, refunds, invoices, and a page in ten languages that you can send to a traveller.',
  ],
] as const;

/** Where many travel to, as far as it is sold. */
const shownPlaces = ['JP', 'US', 'ES', 'TR', 'TH', 'FR', 'GB', 'IT'] as const;

const number = (count: number): string => count.toLocaleString('en');

/** What this service is: in the operator's words where they have given some. */
export function frontPage(site: Site, catalog: PublicCatalog): PublicPage {
  const { tagline, text } = site.settings;
  const plan = examplePlan(catalog);
  const body = html`<section class="hero"><div><h1>${tagline}</h1>
${text === undefined && html`<p class="lead">Sell mobile data for travellers in your app, shop or booking flow. List plans, buy an eSIM, read its usage, and be notified of every change.</p>`}
${plan && searchForm()}
<p class="doors">${site.signUp && html`<a class="go" href="${site.signUp}">Sign up</a>`}<a class="go${site.signUp && html` plain`}" href="/docs/guides/first-purchase">Make a first purchase</a><a class="go plain" href="/docs/api">API reference</a></p></div>
${plan && picture(plan)}</section>
${plan && sizes(site, catalog)}
<section class="first"><div><h2>The first purchase</h2><p class="soft">One POST with an idempotency key. Send it twice and you still get one eSIM, charged once. The sandbox takes the same call without money.</p></div><div>${samples(firstCall(site, plan), 'Buy an eSIM')}</div></section>
${
  text === undefined
    ? html`<ul class="cards points">${points.map(([title, about]) => html`<li><h2>${title}</h2><p>${about}</p></li>`)}</ul>
<h2>What the software’s own tests measured</h2><ul class="cards figures">${outcomes.map(([figure, about]) => html`<li><h3>${figure}</h3><p>${about}</p></li>`)}</ul>`
    : html`<div class="text">${htmlOf(text)}</div>`
}`;
  return { path: '/', title: tagline, description: shortened(describedBy(site)), body };
}

// A key to be replaced, not a setting: this page is in the operator's name, and the setting has ours.
const firstCall = (site: Site, plan: Plan | undefined) =>
  ({
    verb: 'POST',
    url: `${site.sandbox}/purchase/buy`,
    fields: [
      ['product_id', plan?.alias ?? 'esc_3f9a1c5d7b2e4f60'],
      ['idempotency_key', 'booking-4711'],
    ],
    key: 'esk_test_your_key',
  }) as const;

function sizes(site: Site, catalog: PublicCatalog): Html {
  const { destinations, networks, plans } = sizeOf(catalog);
  const sold = soldIn(catalog);
  const places = shownPlaces.flatMap((code) => sold.find(({ destination }) => destination.code === code) ?? []);
  return html`<dl class="sizes"><div><dt>Destinations</dt><dd>${number(destinations)}</dd></div>${
    networks > 0 && html`<div><dt>Mobile networks</dt><dd>${number(networks)}</dd></div>`
  }<div><dt>Plans</dt><dd>${number(plans)}</dd></div></dl>
<ul class="places">${places.map(
    ({ destination, plans: [cheapest] }) =>
      html`<li><a href="${pathOf(destination)}">${destination.title}${site.showsPrices && cheapest && html` <span>from ${formatCents(cheapest.listPrice)} USD</span>`}</a></li>`,
  )}<li><a href="/destinations">All destinations</a></li></ul>`;
}

/** The traveller's page on a phone, with the list of orders behind it: drawn, so that it is in the operator's colours. */
function picture({ destination, data, day }: Plan): Html {
  const orders = [
    [destination.title, data, 'delivered', 'ok'],
    ['Spain', '5 GB', 'delivered', 'ok'],
    ['Türkiye', '10 GB', 'refunded', 'none'],
  ] as const;
  return html`<div class="picture" role="img" aria-label="A traveller’s page on a phone, in front of the panel’s list of orders">
<div class="sheet"><b>Orders</b>${orders.map(([place, amount, state, tone]) => html`<p><span>${place}</span><span>${amount}</span><span class="${tone}">${state}</span></p>`)}</div>
<div class="phone"><p class="place"><img src="${destination.image}" alt="" width="32" height="32"><b>${destination.title}</b></p>
<p class="fact"><span>Data</span><b>${data}</b></p><p class="fact"><span>Validity</span><b>${day} ${day === 1 ? 'day' : 'days'}</b></p>
<svg viewBox="0 0 100 6" aria-hidden="true"><rect width="100" height="6" rx="3"/><rect class="used" width="34" height="6" rx="3"/></svg>
<p class="button">Install the eSIM</p><p class="button second">It doesn’t work</p></div></div>`;
}

const describedBy = ({ settings: { tagline, name } }: Site): string =>
  `${tagline}. ${name}: destinations and prices, guides, API reference, status and changelog.`;
