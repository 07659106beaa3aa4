import { redirect } from '../../../../actions/messages/subscriptions.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { changing } from '../../changing.ts';
import { endpoint } from '../../endpoint.ts';
import { events, id, newUrl } from './fields.ts';
import { Subscription, subscriptionRow } from './subscription.ts';

export const update = endpoint({
  path: '/webhook/update',
  verb: 'POST',
  // Saving it looks up the address of its host.
  tier: 'outbound',
  permission: 'webhooks',
  summary: 'Change the address or the events of a subscription',
  about: 'What is not sent stays as it is. The secret and the mode stay, too.',
  isExtension: true,
  fields: {
    id,
    url: newUrl('Where events are sent from now on: https, on a public host.'),
    events: events('Which events from now on, between commas.'),
  },
  errors: ['subscription_not_found', 'url_blocked', 'url_already_subscribed'],
  reply: Type.Object({ subscription: Subscription }),
  async handle(context, { id: wanted, ...change }) {
    const subscription = await changing(context, (actor) => redirect(actor, context.world.schema, wanted, change));
    return { body: { subscription: subscriptionRow(subscription) } };
  },
});
