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

export interface DeliveryFilter {
  readonly status?: string;
  readonly event?: string;
  readonly from?: string;
  readonly until?: string;
}

export const wantedOf = ({ query }: MemberCall): DeliveryFilter => ({
  status: query('status'),
  event: query('event'),
  from: query('from'),
  until: query('until'),
});

/** Empty and missing are the same: no filter. */
export function requireWanted<S extends DeliveryStatus>(given: DeliveryFilter, statuses: readonly S[]) {
  const { status = '', event = '', from = '', until = '' } = given;
  return {
    status: status === '' ? undefined : requireOne(statuses, status, 'status'),
    event: event === '' ? undefined : requireOne<EventName>(eventNames, event, 'event'),
    from: from === '' ? undefined : requireTime(from),
    until: until === '' ? undefined : requireTime(until),
  };
}

function requireOne<T extends string>(known: readonly T[], given: string, what: 'status' | 'event'): T {
  const found = known.find((one) => one === given);
  if (found === undefined) throw new Refused(`invalid_${what}`, `the ${what} is none of ${known.join(', ')}`);
  return found;
}

export function requireTime(text: string): Date {
  const at = parseTimestamp(text);
  if (!at) throw new Refused('invalid_time');
  return at;
}
