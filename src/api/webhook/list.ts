import { Type } from 'typebox';
import { timestamp } from '../../clock.ts';
import { contractEvents, eventNames, maskSecret, type Subscription } from '../../webhooks/webhooks.ts';
import { endpoint } from '../endpoint.ts';

const subscription = Type.Object({
  id: Type.String(),
  url: Type.String(),
  secret_mask: Type.String(),
  events_list: Type.Array(Type.Enum([...eventNames])),
  status: Type.Enum(['1', '2', '3'], { description: '1 active, 2 paused, 3 disabled after repeated failures' }),
  fail_count: Type.String(),
  date: Type.String(),
  updated_at: Type.String(),
});

export const list = endpoint({
  path: '/webhook/list',
  verb: 'GET',
  tier: 'read',
  summary: "Webhook subscriptions of the key's mode",
  fields: {},
  errors: [],
  simulated: ['webhook_read_failed'],
  reply: Type.Object({
    count: Type.Integer(),
    events: Type.Array(Type.String()),
    subscriptions: Type.Array(subscription),
  }),
  storeFailure: (codes) => codes.webhookRead,
  async handle({ world, partnerId }) {
    const subscriptions = (await world.webhooks.subscriptions(partnerId)).map(view);
    return { body: { count: subscriptions.length, events: contractEvents, subscriptions } };
  },
});

function view({ id, url, secretLast4, events, status, failCount, createdAt, updatedAt }: Subscription) {
  return {
    id: String(id),
    url,
    secret_mask: maskSecret(secretLast4),
    events_list: events,
    status: `${status}` as const,
    fail_count: String(failCount),
    date: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  };
}
