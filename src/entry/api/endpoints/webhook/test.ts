import { said } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { custom, notPlain } from '../../../../platform/contract/fields.ts';
import { NO_ID, typedBigIdIn } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';

export const test = endpoint({
  path: '/webhook/test',
  verb: 'POST',
  tier: 'outbound',
  permission: 'webhooks',
  summary: 'Queue a signed `order.test` event on the real delivery path',
  about: 'The event is signed, sent and retried like any other. Read in `webhook/deliveries` what became of it.',
  fields: {
    /** Anything that cannot be an id is treated as an unknown subscription. */
    subscription_id: custom<bigint | undefined>({
      schema: Type.Integer({
        minimum: 1,
        description: 'The subscription to test; without it, every active one.',
        examples: [12],
      }),
      required: false,
      errors: [],
      parse(raw) {
        if (raw === undefined) return undefined;
        return (raw !== notPlain && typedBigIdIn(raw)) || NO_ID;
      },
    }),
  },
  errors: [
    'no_subscription',
    'subscription_not_found',
    'no_active_subscription',
    'sandbox_queue_full',
    'test_enqueue_failed',
  ],
  simulated: [
    'no_subscription',
    'subscription_not_found',
    'no_active_subscription',
    'test_enqueue_failed',
    'webhook_read_failed',
  ],
  reply: Type.Object({
    queued: said.integer('How many deliveries were queued.'),
    event: Type.Literal('order.test', { description: 'The event.' }),
    event_id: said.text('The event. All deliveries of this call have it in common.'),
    delivery_ids: Type.Array(Type.String(), { description: 'The deliveries, to look up in `webhook/deliveries`.' }),
  }),
  storeFailure: (codes) => codes.webhookRead,
  async handle({ world, partnerId, now }, { subscription_id }) {
    const test = await world.webhooks.test(partnerId, subscription_id, now);
    switch (test.outcome) {
      case 'queued':
        return {
          body: {
            queued: test.deliveryIds.length,
            event: 'order.test',
            event_id: test.eventId,
            delivery_ids: test.deliveryIds.map(String),
          },
        };
      case 'queue_full':
        throw fail('sandbox_queue_full', { pending: test.pending, limit: test.limit });
      case 'not_queued':
        throw fail('test_enqueue_failed');
      default:
        throw fail(test.outcome);
    }
  },
});
