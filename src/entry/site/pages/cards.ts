import { createHash } from 'node:crypto';
import {
  BadSignature,
  type CardProvider,
  type Intent,
  type PaymentHint,
  type SimulatedCards,
} from '../../../domains/billing/topups/topups.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Html, html } from '../../../platform/contract/html.ts';
import { brandStyle, paletteStyle } from '../../../platform/contract/palette.ts';
import { Form } from '../../../platform/http/form.ts';
import { DEFAULT_COLOR, type SiteSettings } from '../../../platform/settings/site.ts';
import { oneAtATime, page, type SiteRoute } from '../routes.ts';
import { fontFace, logoFile } from './files.ts';

const style = `${fontFace}${paletteStyle}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--page);
  color: var(--ink); font: 1rem/1.5 Inter, system-ui, sans-serif; overflow-wrap: anywhere; }
main { width: min(24rem, 100%); background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 2rem; }
.brand { margin: 0 0 1.5rem; font-size: 1.125rem; font-weight: 700; }
.brand img { display: block; height: 2rem; max-width: 11rem; object-fit: contain; }
h1 { margin: 0; font-size: 1rem; font-weight: 600; color: var(--soft); }
.amount { margin: .25rem 0 1.5rem; font-size: clamp(1.75rem, 9vw, 2.25rem); line-height: 1.3; font-weight: 700; font-variant-numeric: tabular-nums; }
dl { margin: 0 0 1.5rem; border-top: 1px solid var(--line); padding-top: 1rem; font-size: .875rem; }
dt { color: var(--soft); } dd { margin: 0; font: .75rem/1.6 ui-monospace, monospace; }
form { display: grid; gap: .75rem; }
button { font: inherit; font-weight: 600; padding: .75rem; border-radius: .5rem; border: 1px solid var(--line);
  background: none; color: var(--bad); cursor: pointer; }
button.back { margin-top: .75rem; color: var(--ink); }
button.pay { background: var(--brand); border-color: var(--accent); color: var(--on-brand); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.note { margin: 1.5rem 0 0; font-size: .8125rem; color: var(--soft); }
.state { font-weight: 600; margin: 0; } .paid { color: var(--ok); } .closed { color: var(--bad); }
@media (prefers-color-scheme: dark) { .brand img { padding: .25rem .5rem; border-radius: .5rem; background: #fff; } }`;

const buttons = html`<form method="post">
<button class="pay" name="do" value="pay">Pay</button>
<button name="do" value="decline">Decline</button>
</form>`;

/** Where the person came from. A form, because its address carries the payment, and this page has nothing else to load or follow. */
const back = (paymentKey: string) => html`<form action="/live/money">
<input type="hidden" name="payment" value="${paymentKey}">
<button class="back">Back to the panel</button>
</form>`;

const said = (kind: 'paid' | 'closed', text: string) => html`<p class="state ${kind}" role="status">${text}</p>`;

const next = {
  open: buttons,
  pending: said('paid', 'Being paid.'),
  succeeded: said('paid', 'Paid. The wallet is being credited.'),
  canceled: said('closed', 'Not paid. This payment is closed; a new top-up is needed.'),
} as const satisfies Record<Intent['state'], Html>;

/** In the operator's name, colour and logo. */
function payPages({ name, color = DEFAULT_COLOR, logo }: SiteSettings) {
  const styles = style + brandStyle(color);
  const mark = logo ? html`<img src="${logoFile(logo).path}" alt="${name}">` : name;
  const written = (title: string, body: Html): string =>
    html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${name}</title><style>${new Html(styles)}</style></head>
<body><main>
<p class="brand">${mark}</p>
${body}
</main></body></html>
`.text;
  return {
    headers: headersFor(styles),
    of(intent: Intent): string {
      const amount = `${formatCents(intent.amount)} ${intent.currency}`;
      return written(
        `Pay ${amount}`,
        html`<h1>Wallet top-up</h1>
<p class="amount">${amount}</p>
<dl><dt>Payment key</dt><dd>${intent.paymentKey}</dd></dl>
${next[intent.state]}
${back(intent.paymentKey)}
<p class="note">Simulated card provider: no card is charged and no real money moves.</p>`,
      );
    },
    missing: written(
      'No such payment',
      html`<h1>Wallet top-up</h1><p class="state closed">There is no payment at this address.</p>`,
    ),
  };
}

/** The page runs no scripts, loads nothing but the typeface and the logo, posts only to itself and cannot be framed. Its address is a secret. */
const headersFor = (styles: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
    "font-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-robots-tag': 'noindex',
});

const HTML = 'text/html; charset=utf-8';

/**
 * Where a card holder of the simulated provider pays. As at a real provider, knowing the client secret is enough to pay. It is
 * part of the address, so another site cannot forge a request without knowing it.
 */
function payRoutes(
  simulated: SimulatedCards,
  onNews: (hint: PaymentHint) => Promise<unknown>,
  site: SiteSettings,
): SiteRoute[] {
  const pages = payPages(site);
  const turn = oneAtATime();
  return [
    {
      verb: 'GET',
      path: '/pay/{clientSecret}',
      async handle({ params }) {
        const intent = await turn(() => simulated.atPage(params.clientSecret ?? ''));
        if (!intent) return page(404, HTML, pages.missing, pages.headers);
        return page(200, HTML, pages.of(intent), pages.headers);
      },
    },
    {
      verb: 'POST',
      path: '/pay/{clientSecret}',
      async handle({ params, body }) {
        const intent = await turn(() => simulated.atPage(params.clientSecret ?? ''));
        if (!intent) return page(404, HTML, pages.missing, pages.headers);
        const wish = new Form((await body()).toString('latin1')).get('do');
        if (wish !== 'pay' && wish !== 'decline') return page(400, HTML, pages.of(intent), pages.headers);
        await turn(async () => {
          await (wish === 'pay' ? simulated.pay(intent.id) : simulated.cancel(intent.id, intent));
          await onNews({ intentId: intent.id });
        });
        return page(303, HTML, '', { ...pages.headers, location: `/pay/${params.clientSecret}` });
      },
    },
  ];
}

/** The page with Stripe's card form: the only one whose content policy lets Stripe's script in, and only if Stripe takes the cards. */
const CARD_FORM_PATH = '/live/money/pay';

export const cardFormNeeds =
  (provider: string | undefined) =>
  (path: string): readonly 'stripe'[] =>
    provider === 'stripe' && path === CARD_FORM_PATH ? ['stripe'] : [];

/** What the card provider in use needs on the panel host: a page to pay on, or an address for its events. */
export function cardRoutes(
  { simulated, readEvent }: CardProvider,
  onNews: (hint: PaymentHint) => Promise<unknown>,
  clock: Clock,
  site: SiteSettings,
): SiteRoute[] {
  return [
    ...(simulated ? payRoutes(simulated, onNews, site) : []),
    ...(readEvent ? [stripeWebhook(readEvent, onNews, clock)] : []),
  ];
}

const TEXT = 'text/plain; charset=utf-8';

/** Where Stripe sends its events. Stripe retries anything but a 2xx, so a write that fails is answered with 500. */
function stripeWebhook(
  readEvent: NonNullable<CardProvider['readEvent']>,
  onNews: (hint: PaymentHint) => Promise<unknown>,
  clock: Clock,
): SiteRoute {
  return {
    verb: 'POST',
    path: '/webhooks/stripe',
    async handle({ headers, body }) {
      const signature = headers['stripe-signature'];
      const bytes = await body();
      try {
        const hint = readEvent(bytes, typeof signature === 'string' ? signature : undefined, clock.now());
        if (hint) await onNews(hint);
        return page(200, TEXT, 'ok\n');
      } catch (error) {
        if (error instanceof BadSignature) return page(400, TEXT, 'bad signature\n');
        throw error;
      }
    },
  };
}
