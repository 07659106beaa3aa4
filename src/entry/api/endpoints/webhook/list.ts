import { contractEvents } from '../../../../domains/messages/events/events.ts';
import { said } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { Subscription, subscriptionRow } from './subscription.ts';

export const list = endpoint({
  path: '/webhook/list',
  verb: 'GET',
  tier: 'read',
  summary: "Webhook subscriptions of the key's mode",
  about:
    'Subscriptions are made and changed in the panel, or with a key that has the permission `webhooks`. Each mode has its own.',
  simulated: ['webhook_read_failed'],
  reply: Type.Object({
    count: said.integer('How many there are.'),
    events: Type.Array(Type.String(), { description: "The contract's events." }),
    subscriptions: Type.Array(Subscription, { description: 'The subscriptions.' }),
  }),
  storeFailure: (codes) => codes.webhookRead,
  async handle({ world, partnerId }) {
    const subscriptions = (await world.webhooks.subscriptions(partnerId)).map(subscriptionRow);
    return { body: { count: subscriptions.length, events: contractEvents, subscriptions } };
  },
});
