import { Type } from 'typebox';
import { resume as resumeSubscription } from '../../actions/subscriptions.ts';
import { changing } from '../changing.ts';
import { endpoint } from '../endpoint.ts';
import { id } from './fields.ts';
import { Subscription, subscriptionRow } from './subscription.ts';

export const resume = endpoint({
  path: '/webhook/resume',
  verb: 'POST',
  tier: 'money',
  permission: 'webhooks',
  summary: 'Make a paused or disabled subscription active again',
  about: 'Its failure count starts at zero, and the events that were held follow, oldest first.',
  isExtension: true,
  fields: { id },
  errors: ['subscription_not_found'],
  simulated: ['subscription_not_found'],
  reply: Type.Object({ subscription: Subscription }),
  async handle(context, input) {
    const subscription = await changing(context, (actor) => resumeSubscription(actor, context.world.schema, input.id));
    return { body: { subscription: subscriptionRow(subscription) } };
  },
});
