import { contractEvents, eventNames } from '../../../domains/messages/events/events.ts';
import { webhookLimits } from '../../../domains/messages/webhooks/webhooks.ts';
import { findPartner } from '../../../domains/partners/accounts/accounts.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { idOf, requireMode } from '../../site/json/action.ts';
import { eventsView, subscriptionView } from '../../site/views/records.ts';
import { type OperatorAction, type OperatorCall, operatorRead } from '../action.ts';

/** Of so many dead letters of a partner we say which subscription they are of. */
const MOST_DEAD = 500;

/** Where a partner's events go, in both worlds. Secrets are shown by their last four characters only. */
export const partnerWebhookActions: readonly OperatorAction[] = [
  operatorRead('/operator/api/partners/{id}/subscriptions', view),
  operatorRead('/operator/api/webhook-events/{mode}', async (call) =>
    eventsView(call.context.worlds[requireMode(call)].webhooks.events(call.now)),
  ),
];

async function view(call: OperatorCall) {
  const { partnerId } = await findPartner(call.context.db, idOf(call));
  const [live, sandbox] = await Promise.all([ofWorld(call, 'live', partnerId), ofWorld(call, 'sandbox', partnerId)]);
  return {
    subscriptions: [...live, ...sandbox],
    events: contractEvents,
    all_events: eventNames,
    /** Held and dead deliveries are counted up to these. */
    most_held: webhookLimits.counted,
    most_dead: MOST_DEAD,
  };
}

async function ofWorld({ context: { worlds } }: OperatorCall, mode: Mode, partnerId: number) {
  const { webhooks } = worlds[mode];
  const [subscriptions, stopped, dead] = await Promise.all([
    webhooks.subscriptions(partnerId),
    webhooks.stopped(partnerId),
    webhooks.all.dead({ partnerId, limit: MOST_DEAD }),
  ]);
  const held = new Map(stopped.map((one) => [one.id, one.held]));
  return subscriptions.map((subscription) => ({
    ...subscriptionView(subscription),
    mode,
    held: held.get(subscription.id) ?? 0,
    dead: dead.filter(({ subscriptionId }) => subscriptionId === subscription.id).length,
  }));
}

export type PartnerSubscriptionsView = Awaited<ReturnType<typeof view>>;
