import { finishRotating, rotate as rotateSecret } from '../../../../actions/messages/subscriptions.ts';
import { described, said } from '../../../../platform/contract/described.ts';
import { flag } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { changing } from '../../changing.ts';
import { endpoint } from '../../endpoint.ts';
import { id } from './fields.ts';
import { Subscription, subscriptionRow } from './subscription.ts';

export const rotate = endpoint({
  path: '/webhook/rotate',
  verb: 'POST',
  tier: 'money',
  permission: 'webhooks',
  summary: 'Make a new signing secret, shown this once; with `finish=1`, end the old one',
  about:
    'Until you send `finish=1`, or for 24 hours, `X-Signature` is made with the old secret and `webhook-signature` carries both. Rotating again before that replaces the new secret.',
  isExtension: true,
  fields: {
    id,
    finish: described(
      '1: your receiver has the new secret; from now on only that one signs.',
      flag('invalid_finish', false),
    ),
  },
  errors: ['subscription_not_found'],
  reply: Type.Object({
    subscription: Subscription,
    secret: Type.Optional(said.text('The new secret. It is not shown again. Absent with `finish=1`.')),
  }),
  async handle(context, input) {
    const mode = context.world.schema;
    const rotated = await changing(context, async (actor) =>
      input.finish
        ? { subscription: await finishRotating(actor, mode, input.id) }
        : rotateSecret(actor, mode, input.id),
    );
    const { subscription, ...secret } = rotated;
    return { body: { subscription: subscriptionRow(subscription), ...secret } };
  },
});
