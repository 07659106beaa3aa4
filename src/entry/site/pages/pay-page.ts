import { createHash } from 'node:crypto';
import type { Intent } from '../../../domains/billing/topups/topups.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { Html, html } from '../../../platform/contract/html.ts';
import { brandStyle, paletteStyle } from '../../../platform/contract/palette.ts';
import { DEFAULT_COLOR, type SiteSettings } from '../../../platform/settings/site.ts';
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
export function payPages({ name, color = DEFAULT_COLOR, logo }: SiteSettings) {
  const styles = style + brandStyle(color);
  const mark = logo ? html`<img src="${logoFile(logo).path}" alt="${name}">` : name;
  const page = (title: string, body: Html): string =>
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
      return page(
        `Pay ${amount}`,
        html`<h1>Wallet top-up</h1>
<p class="amount">${amount}</p>
<dl><dt>Payment key</dt><dd>${intent.paymentKey}</dd></dl>
${next[intent.state]}
${back(intent.paymentKey)}
<p class="note">Simulated card provider: no card is charged and no real money moves.</p>`,
      );
    },
    missing: page(
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
