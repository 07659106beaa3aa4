import { eventNames } from '../../../domains/messages/events/events.ts';
import {
  type DeadLetterSearch,
  type Place,
  type Webhooks,
  webhookLimits,
} from '../../../domains/messages/webhooks/webhooks.ts';
import { DAY } from '../../../platform/clock.ts';
import { iso, jsonOf } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorCall, operatorRead } from '../action.ts';

const PAGE = 50;

type Found<K extends keyof Webhooks['all']> = Awaited<ReturnType<Webhooks['all'][K]>>;

/** Webhooks in trouble, of all partners of one world: `mode`, live unless it says sandbox. */
export const webhookActions = [
  operatorRead('/operator/api/webhooks/dead', async (call) => {
    const limit = filtersFrom(call).limit(PAGE);
    const found = await webhooksOf(call).searchDead(searchOf(call), { after: placeOf(call), limit: limit + 1 });
    return deadView(found, limit);
  }),
  operatorRead('/operator/api/webhooks/receivers', async (call) =>
    receiversView(await webhooksOf(call).deadReceivers(searchOf(call))),
  ),
  operatorRead('/operator/api/webhooks/requeueable', async (call) =>
    requeueableView(await webhooksOf(call).requeueable(searchOf(call), webhookLimits.requeued)),
  ),
  operatorRead('/operator/api/webhooks/stopped', async (call) => stoppedView(await webhooksOf(call).stopped())),
  operatorRead('/operator/api/webhooks/slow', async (call) =>
    slowView(await webhooksOf(call).slow(new Date(call.now - DAY))),
  ),
];

const webhooksOf = (call: OperatorCall) => call.context.worlds[filtersFrom(call).mode()].webhooks.all;

function searchOf(call: OperatorCall): DeadLetterSearch {
  const { smallId, text, oneOf, time } = filtersFrom(call);
  return {
    partnerId: smallId('partner'),
    receiver: text('receiver')?.toLowerCase(),
    event: oneOf('event', eventNames),
    from: time('from'),
    until: time('to'),
  };
}

/** Where a list goes on after a row: its time of death and the delivery, as `place` says. */
function placeOf(call: OperatorCall): Place | undefined {
  const place = filtersFrom(call).place();
  return place && { diedAt: place.at, deliveryId: place.id };
}

const letterView = (letter: Found<'searchDead'>[number]) => ({
  id: String(letter.deliveryId),
  /** Where a list goes on after it. */
  place: `${letter.diedAt?.getTime() ?? 0}-${letter.deliveryId}`,
  ...jsonOf(letter, 'partnerId', 'partner', 'subscriptionId', 'url', 'event', 'eventId', 'attempts', 'httpStatus'),
  ...jsonOf(letter, 'error', 'diedAt'),
});

const deadView = (found: Found<'searchDead'>, limit: number) => ({
  letters: found.slice(0, limit).map(letterView),
  has_more: found.length > limit,
  events: eventNames,
});

const subscriptionView = (one: Found<'deadReceivers'>[number]) => ({
  id: String(one.subscriptionId),
  ...jsonOf(one, 'url', 'partnerId', 'partner', 'status', 'isDeleted', 'dead', 'hasMore'),
});

/** By host, those with the most dead letters first. */
const receiversView = (found: Found<'deadReceivers'>) => ({
  receivers: [...Map.groupBy(found, ({ receiver }) => receiver)]
    .map(([receiver, own]) => {
      const latest = own.toSorted((a, b) => (b.latestAt?.getTime() ?? 0) - (a.latestAt?.getTime() ?? 0))[0];
      return {
        receiver,
        dead: own.reduce((sum, { dead }) => sum + dead, 0),
        /** There are more than were counted. */
        has_more: own.some(({ hasMore }) => hasMore),
        latest_at: latest?.latestAt ? iso(latest.latestAt) : null,
        latest_http_status: latest?.latestHttpStatus ?? null,
        latest_error: latest?.latestError ?? '',
        subscriptions: own.map(subscriptionView),
      };
    })
    .sort((a, b) => b.dead - a.dead),
});

const requeueableView = ({ ids, left }: Found<'requeueable'>) => ({
  count: ids.length,
  left,
  most: webhookLimits.requeued,
});

const stoppedView = (found: Found<'stopped'>) => ({
  subscriptions: found.map((one) => ({
    ...jsonOf(one, 'id', 'url', 'partnerId', 'partner', 'status', 'failCount'),
    since: iso(one.heldSince),
    ...jsonOf(one, 'nextTryAt', 'held'),
    has_more_held: one.held >= webhookLimits.counted,
  })),
});

const slowView = (found: Found<'slow'>) => ({
  receivers: found.map((one) => ({
    ...jsonOf(one, 'subscriptionId', 'url', 'partnerId', 'partner'),
    ...jsonOf(one, 'attempts', 'failed', 'medianMs', 'p95Ms', 'maxMs'),
  })),
  slow_ms: webhookLimits.slowMs,
  attempts_read: webhookLimits.attemptsRead,
});

export type DeadView = ReturnType<typeof deadView>;
export type ReceiversView = ReturnType<typeof receiversView>;
export type RequeueableView = ReturnType<typeof requeueableView>;
