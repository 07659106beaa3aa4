import type { pause, resume } from '../../../../actions/messages/subscriptions.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { changing } from '../../changing.ts';
import { endpoint } from '../../endpoint.ts';
import { id } from './fields.ts';
import { Subscription, subscriptionRow } from './subscription.ts';

interface Switching {
  readonly path: `/webhook/${string}`;
  readonly summary: string;
  readonly about: string;
  readonly change: typeof pause | typeof resume;
}

/** Turns one subscription off or on, and answers with it. */
export const switchingEndpoint = ({ path, summary, about, change }: Switching) =>
  endpoint({
    path,
    verb: 'POST',
    tier: 'money',
    permission: 'webhooks',
    summary,
    about,
    isExtension: true,
    fields: { id },
    errors: ['subscription_not_found'],
    simulated: ['subscription_not_found'],
    reply: Type.Object({ subscription: Subscription }),
    async handle(context, input) {
      const subscription = await changing(context, (actor) => change(actor, context.world.schema, input.id));
      return { body: { subscription: subscriptionRow(subscription) } };
    },
  });
