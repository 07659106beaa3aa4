import { fail } from '../../../../platform/contract/failure.ts';
import { bigIdIn, NO_ID } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { cancel as cancelSchema, cancelView } from '../../views.ts';
import { orderId } from './fields.ts';

export const cancel = endpoint({
  path: '/order/cancel',
  verb: 'POST',
  tier: 'money',
  permission: 'money',
  isExtension: true,
  summary: 'Cancel an order that is not delivered yet; asking again changes nothing',
  about:
    'An order that certainly no supplier has is failed and refunded at once (`cancelled`). One that a supplier may have is `requested`: it is cancelled as soon as it turns out that nobody delivers it, or when it is delivered and the supplier takes the eSIM back; if the supplier does not, the eSIM is yours and the cancel came `too_late`. An order that was delivered or has failed is `too_late` from the start.',
  fields: {
    order_id: orderId,
  },
  errors: ['order_not_found'],
  reply: Type.Object({ cancel: cancelSchema }),
  async handle({ world, partnerId, now }, { order_id }) {
    const wanted = bigIdIn(order_id) ?? NO_ID;
    const cancelled = await world.provisioning.cancel({ partnerId, orderId: wanted, at: new Date(now) });
    if (!cancelled) throw fail('order_not_found');
    return { body: { cancel: cancelView(cancelled) } };
  },
});
