import { unsubscribe } from '../../../../actions/messages/subscriptions.ts';
import { said } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { changing } from '../../changing.ts';
import { endpoint } from '../../endpoint.ts';
import { id } from './fields.ts';

export const deleteSubscription = endpoint({
  path: '/webhook/delete',
  verb: 'POST',
  tier: 'money',
  permission: 'webhooks',
  summary: 'Delete a subscription and what still waits for it',
  about: 'Its deliveries stay in the log. Its secret is erased.',
  isExtension: true,
  fields: { id },
  errors: ['subscription_not_found'],
  reply: Type.Object({
    id: said.text('The number of the subscription.'),
    deleted: Type.Literal(true, { description: 'It receives nothing any more.' }),
  }),
  async handle(context, input) {
    await changing(context, (actor) => unsubscribe(actor, context.world.schema, input.id));
    return { body: { id: String(input.id), deleted: true } };
  },
});
