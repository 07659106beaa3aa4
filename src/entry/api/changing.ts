import type { Actor } from '../../actions/actor.ts';
import { UrlBlocked } from '../../domains/messages/webhooks/webhooks.ts';
import { fail } from '../../platform/contract/failure.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Context } from './endpoint.ts';

/** Refusals of actions that the API answers with a code of the same name. */
const SAME = [
  'subscription_not_found',
  'subscription_limit_reached',
  'url_already_subscribed',
  'url_too_long',
  'clock_too_far',
] as const;

/** Runs a panel action on behalf of the key that requests it. */
export async function changing<T>(context: Context, work: (actor: Actor) => Promise<T>): Promise<T> {
  const { keyId, partnerId } = context;
  // The gates keep members out: they have the panel's own actions.
  if (keyId === undefined) throw fail('unknown_method');
  try {
    return await work(context.actorOf({ keyId, partnerId }));
  } catch (error) {
    if (error instanceof UrlBlocked) throw fail('url_blocked', { reason: error.reason });
    if (!(error instanceof Refused)) throw error;
    const same = SAME.find((code) => code === error.code);
    if (same) throw fail(same);
    // Closed since the gates let the request pass.
    if (error.code === 'partner_closed' || error.code === 'partner_not_found') throw fail('partner_not_found');
    throw error;
  }
}
