import { html } from '../site/pages/html.ts';
import type { PublicPage, Site } from './document.ts';
import { htmlOf } from './markdown.ts';
import { samples, shortened } from './prose.ts';

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
    'Data usage, refills, refunds, statements, and a page in ten languages that you can send to a traveller.',
  ],
] as const;

/** What this service is: in the operator's words where they have given some. */
export function frontPage(site: Site): PublicPage {
  const { tagline, text } = site.settings;
  // A key to be replaced, not a setting: this page is in the operator's name, and the setting has ours.
  const key = 'esk_test_your_key';
  const call = { verb: 'POST', url: `${site.sandbox}/purchase/buy`, fields: buy, key } as const;
  const body = html`<section class="hero"><div><h1>${tagline}</h1>
${text === undefined && html`<p class="lead">Sell mobile data for travellers in your app, shop or booking flow. List plans, buy an eSIM, read its usage, and be told of every change.</p>`}
<p class="doors">${site.signUp && html`<a class="go" href="${site.signUp}">Sign up</a>`}<a class="go${site.signUp && html` plain`}" href="/docs/guides/first-purchase">Make a first purchase</a><a class="go plain" href="/docs/api">API reference</a></p></div>
<div>${samples(call, 'Buy an eSIM')}</div></section>
${
  text === undefined
    ? html`<ul class="cards">${points.map(([title, about]) => html`<li><h2>${title}</h2><p>${about}</p></li>`)}</ul>`
    : html`<div class="text">${htmlOf(text)}</div>`
}`;
  return { path: '/', title: tagline, description: shortened(describedBy(site)), body };
}

const buy = [
  ['product_id', 'esc_3f9a1c5d7b2e4f60'],
  ['idempotency_key', 'booking-4711'],
] as const;

const describedBy = ({ settings: { tagline, name } }: Site): string =>
  `${tagline}. ${name}: guides, API reference, status and changelog.`;
