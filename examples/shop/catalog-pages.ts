import { html } from 'hono/html';
import type { Destination, Plan } from './catalog.ts';
import { dollars } from './money.ts';
import { type Html, page } from './page.ts';

const POPULAR: readonly string[] = ['jp', 'us', 'tr', 'th', 'it', 'es', 'fr', 'gb'];

const tile = ({ code, place, image, fromCents }: Destination): Html => html`<li><a class="tile" href="/to/${code}">
  <img src="${image}" alt="" width="40" height="30" loading="lazy"><span><b>${place}</b> <small>from ${dollars(fromCents)}</small></span></a></li>`;

const tiles = (title: string, found: readonly Destination[]): Html =>
  found.length === 0 ? html`` : html`<section><h2>${title}</h2><ul class="tiles">${found.map(tile)}</ul></section>`;

export function homePage(shopName: string, all: readonly Destination[], text: string): Html {
  const words = text.trim().toLowerCase();
  const found = all.filter(({ place, code }) => place.toLowerCase().includes(words) || code === words);
  const lists =
    words === ''
      ? [
          tiles(
            'Popular',
            all.filter(({ code }) => POPULAR.includes(code)),
          ),
          tiles(
            'Regions',
            all.filter(({ isRegion }) => isRegion),
          ),
          tiles(
            'All countries',
            all.filter(({ isRegion }) => !isRegion),
          ),
        ]
      : [found.length > 0 ? tiles(`Found for “${text}”`, found) : html`<p>We sell nothing for “${text}” yet.</p>`];
  return page(
    shopName,
    'Travel eSIMs',
    html`<section class="hero"><h1>Online as you land</h1>
      <p>An eSIM for your trip: buy it here, scan a code, and your phone has data when you arrive.</p>
      <form class="search" role="search"><label for="q">Where are you going?</label>
        <div><input id="q" name="q" type="search" value="${text}" placeholder="Japan, Europe …" autocomplete="off"><button>Search</button></div>
      </form><p><a class="back" href="/phone">Does your phone take eSIMs?</a></p></section>${lists}`,
  );
}

const offer = (plan: Plan): Html => html`<li class="plan">
  <div><b>${plan.data}</b><span>${days(plan.days)} · ${plan.network}</span></div>
  <strong>${dollars(plan.retailCents)}</strong>
  <a class="button" href="/buy/${plan.id}" aria-label="Buy ${plan.title} for ${dollars(plan.retailCents)}">Buy</a></li>`;

export function destinationPage(
  shopName: string,
  { place, image, plans, isRegion }: Destination,
  regions: readonly Destination[],
): Html {
  const [capped, unlimited] = [plans.filter((one) => !one.isUnlimited), plans.filter((one) => one.isUnlimited)];
  const covered = plans[0]?.covers ?? [];
  return page(
    shopName,
    place,
    html`<a class="back" href="/">All destinations</a>
      <h1 class="place"><img src="${image}" alt="" width="48" height="36">${place}</h1>
      ${isRegion ? html`<details><summary>Works in ${covered.length} countries</summary><p>${covered.join(', ')}</p></details>` : ''}
      ${capped.length > 0 ? html`<section><h2>By data</h2><ul class="plans">${capped.map(offer)}</ul></section>` : ''}
      ${unlimited.length > 0 ? html`<section><h2>Unlimited</h2><ul class="plans">${unlimited.map(offer)}</ul></section>` : ''}
      <p><a class="back" href="/phone">Does your phone take eSIMs?</a></p>
      ${tiles(`More than ${place}`, regions)}`,
  );
}

export const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);
