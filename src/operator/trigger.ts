import { Refused } from '../refused.ts';
import { type EventName, eventNames } from '../webhooks/webhooks.ts';
import { type Api, apiOptions, clientCommand, openApi } from './client.ts';
import { choice, required, text } from './options.ts';

interface Recipe {
  readonly scenario: string;
  readonly events: readonly string[];
  /** The order is refunded once it is there. */
  readonly refund?: true;
}

/** The scenario that triggers each event, and every event it sends. */
const success = { scenario: 'success', events: ['order.created', 'order.paid', 'order.delivered'] };
const recipes = {
  'order.created': success,
  'order.paid': success,
  'order.delivered': success,
  'order.deferred': { scenario: 'deferred', events: ['order.created', 'order.paid', 'order.deferred'] },
  'order.failed': { scenario: 'failed', events: ['order.created', 'order.failed'] },
  'order.refunded': { scenario: 'success', events: [...success.events, 'order.refunded'], refund: true },
} as const satisfies Record<Exclude<EventName, 'order.test'>, Recipe>;

export const triggerCommand = clientCommand({
  path: ['trigger'],
  summary: 'Place a sandbox order that triggers the event you name',
  args: { event: required(choice(eventNames, 'the event to trigger')) },
  options: {
    ...apiOptions,
    product: text('esc_…', 'what to buy; by default the cheapest plan of the first destination'),
  },
  run: (client, { event, product, ...given }) => trigger(openApi(client, given), event, product),
});

export async function trigger(api: Api, event: EventName, product?: string): Promise<Record<string, unknown>> {
  const { subscriptions } = await api.get('/webhook/list');
  const hearing = (subscriptions as { events_list: string[]; status: string }[]).filter(
    ({ events_list, status }) => status !== '3' && (event === 'order.test' || events_list.includes(event)),
  ).length;
  if (event === 'order.test') {
    const { event_id, queued } = await api.post('/webhook/test', {});
    return { event, did: 'queued a test event', event_id, subscriptions_hearing: queued };
  }
  const { scenario, events, refund }: Recipe = recipes[event];
  const product_id = product ?? (await cheapest(api));
  const bought = await api.post('/purchase/buy', { product_id, sandbox_scenario: scenario });
  if (refund) await api.post('/order/refund', { order_id: String(bought.order_id) });
  return {
    event,
    did: `bought ${product_id} with sandbox_scenario=${scenario}${refund ? ' and refunded it' : ''}`,
    order_id: bought.order_id,
    delivery: bought.delivery,
    balance: bought.balance,
    // A warning means that the queue was full and the events were not sent.
    events: bought.warnings ? [] : events,
    subscriptions_hearing: hearing,
    ...(bought.warnings && { warnings: bought.warnings }),
    ...(scenario === 'deferred' && {
      next: `order.delivered is sent by the first read after 60 s: GET /order/detail/${bought.order_id}`,
    }),
  };
}

async function cheapest(api: Api): Promise<string> {
  const { countries } = await api.get('/catalog/countries');
  for (const { country_code } of countries as { country_code: string }[]) {
    const { products } = await api.get(`/catalog/products?country=${country_code}&sort=price&limit=1`);
    if (products.length > 0) return products[0].id;
  }
  throw new Refused('product_not_found', 'the catalog is empty');
}
