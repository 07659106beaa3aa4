import {
  BadSignature,
  type CardProvider,
  type PaymentHint,
  type SimulatedCards,
} from '../../../domains/billing/topups/topups.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Form } from '../../../platform/http/form.ts';
import type { SiteSettings } from '../../../platform/settings/site.ts';
import { oneAtATime, page, type SiteRoute } from '../routes.ts';
import { payPages } from './pay-page.ts';

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
