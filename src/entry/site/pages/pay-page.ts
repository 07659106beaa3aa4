import { createHash } from 'node:crypto';
import type { Intent } from '../../../domains/billing/topups/topups.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { readableOn, textOn } from '../../../platform/contract/colors.ts';
import { escaped } from '../../../platform/contract/html.ts';
import { DEFAULT_COLOR } from '../../../platform/settings/site.ts';
import { fontFace } from './files.ts';

/** Where the button stands in the dark. */
const DARK_CARD = '#1a2330';
const darkGo = readableOn(DARK_CARD, DEFAULT_COLOR);

const style = `${fontFace}
:root { color-scheme: light dark; --ink: #16202e; --soft: #5b6778; --page: #eef1f5; --card: #fff; --line: #d8dee7;
  --go: ${DEFAULT_COLOR}; --on-go: ${textOn(DEFAULT_COLOR)}; --paid: #0b6e4f; --stop: #a3262a; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef2f7; --soft: #a3afbf; --page: #10161f; --card: ${DARK_CARD};
  --line: #33404f; --go: ${darkGo}; --on-go: ${textOn(darkGo)}; --paid: #35b98a; --stop: #ff8f8f; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--page);
  color: var(--ink); font: 1rem/1.5 Inter, system-ui, sans-serif; }
main { width: min(24rem, 100%); background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
  padding: 2rem; }
h1 { margin: 0; font-size: 1rem; font-weight: 600; color: var(--soft); }
.amount { margin: .25rem 0 1.5rem; font-size: clamp(1.75rem, 9vw, 2.5rem); line-height: 1.3; font-weight: 700; font-variant-numeric: tabular-nums; }
dl { margin: 0 0 1.5rem; border-top: 1px solid var(--line); padding-top: 1rem; font-size: .875rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; font: .75rem/1.6 ui-monospace, monospace; }
form { display: grid; gap: .75rem; }
button { font: inherit; font-weight: 600; padding: .75rem; border-radius: .6rem; border: 1px solid var(--line);
  background: none; color: var(--stop); cursor: pointer; }
button.back { margin-top: .75rem; color: var(--ink); }
button.pay { background: var(--go); border-color: var(--go); color: var(--on-go); }
button:focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
.note { margin: 1.5rem 0 0; font-size: .8125rem; color: var(--soft); }
.state { font-weight: 600; margin: 0; } .paid { color: var(--paid); } .closed { color: var(--stop); }`;

/** The page runs no scripts, loads nothing but the typeface, posts only to itself and cannot be framed. Its address is a secret. */
export const payPageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-robots-tag': 'noindex',
} as const;

const buttons = `<form method="post">
<button class="pay" name="do" value="pay">Pay</button>
<button name="do" value="decline">Decline</button>
</form>`;

/** Where the person came from. A form, because its address carries the payment, and this page has nothing else to load or follow. */
const back = (paymentKey: string) => `<form action="/live/money">
<input type="hidden" name="payment" value="${escaped(paymentKey)}">
<button class="back">Back to the panel</button>
</form>`;

const said = (kind: 'paid' | 'closed', text: string) => `<p class="state ${kind}" role="status">${text}</p>`;

const next = {
  open: buttons,
  pending: said('paid', 'Being paid.'),
  succeeded: said('paid', 'Paid. The wallet is being credited.'),
  canceled: said('closed', 'Not paid. This payment is closed; a new top-up is needed.'),
} as const satisfies Record<Intent['state'], string>;

export function payPage(intent: Intent): string {
  const amount = `${formatCents(intent.amount)} ${escaped(intent.currency)}`;
  return page(
    `Pay ${amount}`,
    `<h1>Wallet top-up</h1>
<p class="amount">${amount}</p>
<dl><dt>Payment key</dt><dd>${escaped(intent.paymentKey)}</dd></dl>
${next[intent.state]}
${back(intent.paymentKey)}
<p class="note">Simulated card provider: no card is charged and no real money moves.</p>`,
  );
}

export const noSuchPayment = (): string =>
  page('No such payment', '<h1>Wallet top-up</h1><p class="state closed">There is no payment at this address.</p>');

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style></head>
<body><main>
${body}
</main></body></html>
`;
