import type { CardProvider, PaymentHint } from '../../../domains/billing/topups/topups.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SiteRoute } from '../routes.ts';
import { stripeWebhook } from '../stripe-webhook.ts';
import { payRoutes } from './pay.ts';

/** The page with Stripe's card form: the only one whose content policy lets Stripe's script in, and only if Stripe takes the cards. */
export const CARD_FORM_PATH = '/live/money/pay';

export const cardFormNeeds =
  (provider: string | undefined) =>
  (path: string): readonly 'stripe'[] =>
    provider === 'stripe' && path === CARD_FORM_PATH ? ['stripe'] : [];

/** What the card provider in use needs on the panel host: a page to pay on, or an address for its events. */
export function cardRoutes(
  { simulated, readEvent }: CardProvider,
  onNews: (hint: PaymentHint) => Promise<unknown>,
  clock: Clock,
): SiteRoute[] {
  return [
    ...(simulated ? payRoutes(simulated, onNews) : []),
    ...(readEvent ? [stripeWebhook(readEvent, onNews, clock)] : []),
  ];
}
