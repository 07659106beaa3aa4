import { filtersFrom } from '../../site/json/filters.ts';
/* Which deliveries a request is about: those of which subscription, in which world, by which filter. */

import type { Place } from '../../../actions/messages/deliveries.ts';
import { type EventName, eventNames } from '../../../domains/messages/events/events.ts';
import type { DeliveryStatus, Subscription } from '../../../domains/messages/webhooks/webhooks.ts';
import { parseTimestamp } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { bigIdOf, requireMode, shortText } from '../../site/json/action.ts';
import type { MemberCall } from '../member-action.ts';

export const placeOf = (worlds: Base['worlds'], call: MemberCall): Place => {
  const mode = requireMode(call);
  return { mode, partnerId: call.member.partnerId, webhooks: worlds[mode].webhooks };
};
export const requireSubscription = async ({ partnerId, webhooks }: Place, call: MemberCall): Promise<Subscription> => {
  const found = (await webhooks.subscriptions(partnerId)).find(({ id }) => id === bigIdOf(call));
  if (!found) throw new Refused('subscription_not_found');
  return found;
};

export const filterFields = {
  status: Type.Optional(shortText),
  event: Type.Optional(shortText),
  from: Type.Optional(shortText),
  until: Type.Optional(shortText),
};

/** From the address of a list, or from the fields of a request about the same deliveries. */
export function deliveryFilterFrom<S extends DeliveryStatus>(call: Pick<MemberCall, 'query'>, statuses: readonly S[]) {
  const { oneOf } = filtersFrom(call);
  const { timestamp } = filtersFrom(call, 'invalid_time');
  return {
    status: oneOf('status', statuses),
    event: oneOf<EventName>('event', eventNames),
    from: timestamp('from'),
    until: timestamp('until'),
  };
}

export function requireTime(text: string): Date {
  const at = parseTimestamp(text);
  if (!at) throw new Refused('invalid_time');
  return at;
}
