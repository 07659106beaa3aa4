import { fail } from '../../../../platform/contract/failure.ts';
import { bigIdIn, NO_ID } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { refund as refundSchema, refundView } from '../../views.ts';
import { orderId, reasonField } from './fields.ts';

export const refund = endpoint({
  path: '/order/refund',
  verb: 'POST',
  tier: 'money',
  permission: 'money',
  isExtension: true,
  summary: 'Return an unused eSIM for its whole price, or ask the operator for a refund; asking again changes nothing',
  about:
    'An eSIM that was never activated is withdrawn at its supplier, and the whole price goes back at once (`refunded`). Otherwise the operator decides (`requested`). The order stays delivered.',
  fields: {
    order_id: orderId,
    reason: reasonField('The trip was cancelled'),
  },
  errors: ['order_not_found', 'order_not_refundable'],
  reply: Type.Object({ refund: refundSchema }),
  async handle({ world, partnerId, now, budget }, { order_id, reason }) {
    const wanted = { partnerId, orderId: bigIdIn(order_id) ?? NO_ID, reason, at: new Date(now), budget };
    const requested = await world.refunds.request(wanted);
    switch (requested.outcome) {
      case 'refund':
        return { body: { refund: refundView(requested.refund) } };
      case 'not_found':
        throw fail('order_not_found');
      case 'not_refundable':
        throw fail('order_not_refundable');
    }
  },
});
