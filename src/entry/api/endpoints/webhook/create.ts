import { subscribe } from '../../../../actions/messages/subscriptions.ts';
import { said } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { changing } from '../../changing.ts';
import { endpoint } from '../../endpoint.ts';
import { events, url } from './fields.ts';
import { Subscription, subscriptionRow } from './subscription.ts';

export const create = endpoint({
  path: '/webhook/create',
  verb: 'POST',
  // Saving it looks up the address of its host.
  tier: 'outbound',
  permission: 'webhooks',
  summary: "Subscribe an address to events of the key's mode; the signing secret is shown this once",
  about:
    'An account has at most five subscriptions per mode, each with its own address. If the answer is lost, make a new secret with `webhook/rotate`.',
  isExtension: true,
  fields: {
    url: url('Where events are sent: https, on a public host.'),
    events: events('Which events, between commas; by default the six of the contract.'),
  },
  errors: ['url_blocked', 'url_already_subscribed', 'subscription_limit_reached'],
  reply: Type.Object({
    subscription: Subscription,
    secret: said.text('What its events are signed with. It is not shown again.'),
  }),
  async handle(context, { url: target, events: chosen = [] }) {
    const { partnerId, world } = context;
    const wanted = { partnerId, mode: world.schema, url: target, events: chosen };
    const { subscription, secret } = await changing(context, (actor) => subscribe(actor, wanted));
    return { body: { subscription: subscriptionRow(subscription), secret } };
  },
});
