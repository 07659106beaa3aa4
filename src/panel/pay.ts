import type { PaymentHint, SimulatedCards } from '../topups/topups.ts';
import { noSuchPayment, payPage, payPageHeaders } from './pay-page.ts';
import { type PanelRoute, page } from './routes.ts';

const HTML = 'text/html; charset=utf-8';

/**
 * Where a card holder of the simulated provider pays. Whoever knows the client secret may pay, as at a real provider, and
 * nobody else can know the address, so another site has nothing to forge a request to.
 */
export function payRoutes(simulated: SimulatedCards, onNews: (hint: PaymentHint) => Promise<unknown>): PanelRoute[] {
  return [
    {
      verb: 'GET',
      path: '/pay/{clientSecret}',
      async handle({ params }) {
        const intent = await simulated.atPage(params.clientSecret ?? '');
        if (!intent) return page(404, HTML, noSuchPayment(), payPageHeaders);
        return page(200, HTML, payPage(intent), payPageHeaders);
      },
    },
    {
      verb: 'POST',
      path: '/pay/{clientSecret}',
      async handle({ params, body }) {
        const intent = await simulated.atPage(params.clientSecret ?? '');
        if (!intent) return page(404, HTML, noSuchPayment(), payPageHeaders);
        const wish = new URLSearchParams((await body()).toString('utf8')).get('do');
        if (wish !== 'pay' && wish !== 'decline') return page(400, HTML, payPage(intent), payPageHeaders);
        await (wish === 'pay' ? simulated.pay(intent.id) : simulated.cancel(intent.id, intent));
        await onNews({ intentId: intent.id });
        return page(303, HTML, '', { ...payPageHeaders, location: `/pay/${params.clientSecret}` });
      },
    },
  ];
}
