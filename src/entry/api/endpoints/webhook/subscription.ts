import type { pause, resume } from '../../../../actions/messages/subscriptions.ts';
import { type Subscription as Subscribed, signing } from '../../../../domains/messages/webhooks/webhooks.ts';
import { timestamp } from '../../../../platform/clock.ts';
import { named, said, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { changing } from '../../changing.ts';
import { endpoint } from '../../endpoint.ts';
import { eventName, id } from './fields.ts';

export const Subscription = named('Subscription', 'An address that receives events.', {
  id: said.text('The number of the subscription.'),
  url: said.text('The address events are sent to.'),
  secret_mask: said.text('The end of the signing secret. The secret itself is shown once, when it is made.'),
  events_list: Type.Array(eventName('An event.'), { description: 'The events it receives.' }),
  status: vocabulary('Whether it receives events.', {
    1: 'Active.',
    2: 'Paused: deliveries wait.',
    3: 'Disabled after ten failures in a row: deliveries wait. It is tried again by itself, and the first success makes it active.',
  }),
  fail_count: said.text('Failed attempts since the last success, up to ten. Attempts that overlap in time count once.'),
  date: utcTime('When it was created.'),
  updated_at: utcTime('When it last changed.'),
});

export function subscriptionRow({ id, url, secretLast4, events, status, failCount, createdAt, updatedAt }: Subscribed) {
  return {
    id: String(id),
    url,
    secret_mask: signing.mask(secretLast4),
    events_list: events,
    status: `${status}` as const,
    fail_count: String(failCount),
    date: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  };
}

/** Turns one subscription off or on, and answers with it. */
export const switchingEndpoint = (
  path: 'pause' | 'resume',
  change: typeof pause | typeof resume,
  summary: string,
  about: string,
) =>
  endpoint({
    path: `/webhook/${path}`,
    verb: 'POST',
    tier: 'money',
    permission: 'webhooks',
    summary,
    about,
    isExtension: true,
    fields: { id },
    errors: ['subscription_not_found'],
    reply: Type.Object({ subscription: Subscription }),
    async handle(context, input) {
      const subscription = await changing(context, (actor) => change(actor, context.world.schema, input.id));
      return { body: { subscription: subscriptionRow(subscription) } };
    },
  });
