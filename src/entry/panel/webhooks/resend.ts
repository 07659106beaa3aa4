import { resendMatching, resendOne, resendOrder } from '../../../actions/messages/deliveries.ts';
import {
  type Resendable,
  type ResendFilter,
  resendStatuses,
  webhookLimits,
} from '../../../domains/messages/webhooks/webhooks.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { bigIdOf, jsonOf, shortText } from '../../site/json/action.ts';
import { memberChange, memberRead } from '../member-action.ts';
import { fields } from '../viewed.ts';
import { deliveryFilterFrom, filterFields, placeOf, requireSubscription, requireTime } from './deliveries.ts';

/** Sending again: one delivery, the events of an order, or what a filter of a subscription's log finds. */
export const resendActions = ({ worlds }: Base) => [
  memberChange('/api/{mode}/deliveries/{id}/resend', {
    may: 'develop',
    body: Type.Object({ as_of: shortText }),
    async handle(call, { as_of }) {
      const resent = await resendOne(call.actor, placeOf(worlds, call), bigIdOf(call), requireTime(as_of));
      return { body: { resent: resent ? 1 : 0 } };
    },
  }),
  memberChange('/api/{mode}/orders/{id}/resend', {
    may: 'develop',
    body: Type.Object({ as_of: shortText }),
    async handle(call, { as_of }) {
      const place = placeOf(worlds, call);
      const id = bigIdOf(call);
      if (!(await worlds[place.mode].orders.summary(place.partnerId, id))) throw new Refused('order_not_found');
      const target = place.mode === 'live' ? `order ${id}` : `sandbox order ${id}`;
      const shown = { asOf: requireTime(as_of), target };
      return { body: { resent: await resendOrder(call.actor, place, id, shown) } };
    },
  }),
  memberRead('/api/{mode}/webhooks/{id}/resend', {
    may: 'see',
    viewed: fields('count', 'without_body', 'too_many', 'most', 'as_of'),
    async read(call) {
      const place = placeOf(worlds, call);
      const { id: subscriptionId } = await requireSubscription(place, call);
      const wanted = deliveryFilterFrom(call, resendStatuses);
      const found = await place.webhooks.resendable(place.partnerId, { subscriptionId, ...wanted });
      return resendableView(found);
    },
  }),
  memberChange('/api/{mode}/webhooks/{id}/resend', {
    may: 'develop',
    body: Type.Object({ ...filterFields, as_of: shortText }),
    async handle(call, { as_of, ...given }) {
      const wanted = deliveryFilterFrom({ query: (name) => given[name as keyof typeof given] ?? '' }, resendStatuses);
      const filter: ResendFilter = { subscriptionId: bigIdOf(call), ...wanted };
      return { body: { resent: await resendMatching(call.actor, placeOf(worlds, call), filter, requireTime(as_of)) } };
    },
  }),
];

const resendableView = (found: Resendable) => ({
  ...jsonOf(found, 'count', 'withoutBody', 'tooMany', 'asOf'),
  most: webhookLimits.resent,
});
