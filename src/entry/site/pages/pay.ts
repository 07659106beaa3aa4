import type { PaymentHint, SimulatedCards } from '../../../domains/billing/topups/topups.ts';
import { Form } from '../../../platform/http/form.ts';
import { oneAtATime, page, type SiteRoute } from '../routes.ts';
import { noSuchPayment, payPage, payPageHeaders } from './pay-page.ts';

const HTML = 'text/html; charset=utf-8';

/**
 * Where a card holder of the simulated provider pays. As at a real provider, knowing the client secret is enough to pay. It is
 * part of the address, so another site cannot forge a request without knowing it.
 */
export function payRoutes(simulated: SimulatedCards, onNews: (hint: PaymentHint) => Promise<unknown>): SiteRoute[] {
  const turn = oneAtATime();
  return [
    {
      verb: 'GET',
      path: '/pay/{clientSecret}',
      async handle({ params }) {
        const intent = await turn(() => simulated.atPage(params.clientSecret ?? ''));
        if (!intent) return page(404, HTML, noSuchPayment(), payPageHeaders);
        return page(200, HTML, payPage(intent), payPageHeaders);
      },
    },
    {
      verb: 'POST',
      path: '/pay/{clientSecret}',
      async handle({ params, body }) {
        const intent = await turn(() => simulated.atPage(params.clientSecret ?? ''));
        if (!intent) return page(404, HTML, noSuchPayment(), payPageHeaders);
        const wish = new Form((await body()).toString('latin1')).get('do');
        if (wish !== 'pay' && wish !== 'decline') return page(400, HTML, payPage(intent), payPageHeaders);
        await turn(async () => {
          await (wish === 'pay' ? simulated.pay(intent.id) : simulated.cancel(intent.id, intent));
          await onNews({ intentId: intent.id });
        });
        return page(303, HTML, '', { ...payPageHeaders, location: `/pay/${params.clientSecret}` });
      },
    },
  ];
}
