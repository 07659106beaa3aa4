import { Type } from 'typebox';
import { pause as pauseSubscription } from '../../actions/subscriptions.ts';
import { changing } from '../changing.ts';
import { endpoint } from '../endpoint.ts';
import { id } from './fields.ts';
import { Subscription, subscriptionRow } from './subscription.ts';

export const pause = endpoint({
  path: '/webhook/pause',
  verb: 'POST',
  tier: 'money',
  permission: 'webhooks',
  summary: 'Hold the events of a subscription until it is resumed',
  about: 'Events that happen meanwhile are held, each for 7 days at most. A disabled subscription stays disabled.',
  isExtension: true,
  fields: { id },
  errors: ['subscription_not_found'],
  simulated: ['subscription_not_found'],
  reply: Type.Object({ subscription: Subscription }),
  async handle(context, input) {
    const subscription = await changing(context, (actor) => pauseSubscription(actor, context.world.schema, input.id));
    return { body: { subscription: subscriptionRow(subscription) } };
  },
});
