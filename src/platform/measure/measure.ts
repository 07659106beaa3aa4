import type { AttemptOutcome, Exchange } from '../../domains/messages/webhooks/webhooks.ts';
import type { Endpoint, Reply } from '../../entry/api/endpoint.ts';
import type { ReadyReply } from '../../entry/api/ready.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../contract/failure.ts';
import type { RateLimiter, Verdict } from '../limits/rate-limit.ts';
import type { Metrics } from './metrics.ts';

/** Wraps parts of the program so that their calls are counted. What they do does not change. */

export function measuredLimiter(limiter: RateLimiter, { rateLimitRefusals }: Metrics): RateLimiter {
  const counted = (tier: string, verdict: Verdict): Verdict => {
    if (!verdict.admitted) rateLimitRefusals.inc({ tier });
    return verdict;
  };
  return {
    take(quota, tier, limit, now, calls) {
      const verdict = limiter.take(quota, tier, limit, now, calls);
      return verdict instanceof Promise ? verdict.then((one) => counted(tier, one)) : counted(tier, verdict);
    },
    peek: (quota, tier, limit, now) => limiter.peek(quota, tier, limit, now),
  };
}

/** Purchases by outcome: the delivery of the order, or the code of the refusal. */
export function measuredPurchases(endpoints: readonly Endpoint[], { purchases }: Metrics): Endpoint[] {
  return endpoints.map((endpoint) => {
    if (endpoint.permission !== 'buy') return endpoint;
    return {
      ...endpoint,
      async handle(context, input, given) {
        let outcomes = ['error'];
        try {
          const reply = await endpoint.handle(context, input, given);
          outcomes = deliveriesOf(reply);
          return reply;
        } catch (error) {
          if (error instanceof Failure) outcomes = [error.code];
          throw error;
        } finally {
          for (const outcome of outcomes) purchases.inc({ world: context.world.schema, outcome });
        }
      },
    };
  });
}

/** Attempts by outcome, and how long after the event the first one ended. */
export function countAttempt({ delivery, deliveryDelay }: Metrics, clock: Clock) {
  return (world: string, { claimed, succeeded, dueAt, durationMs }: AttemptOutcome): void => {
    delivery(durationMs / 1000, world, succeeded ? 'sent' : dueAt ? 'failed' : 'dead');
    const delayMs = clock.now() - claimed.createdAt.getTime();
    // An account whose test clock is ahead dates its events in the future: how late they are is unknown.
    if (claimed.attempts === 1 && delayMs >= 0) deliveryDelay(delayMs / 1000, world);
  };
}

/** Tries of disabled subscriptions: attempts like any other. */
export const countTry =
  ({ delivery }: Metrics) =>
  (world: string, { succeeded, durationMs }: Exchange): void =>
    delivery(durationMs / 1000, world, succeeded ? 'sent' : 'failed');

/** One for each order. */
function deliveriesOf(reply: Reply | ReadyReply): string[] {
  if (!('body' in reply)) return ['error'];
  const { delivery, orders } = reply.body as { delivery?: string; orders?: readonly { readonly status: string }[] };
  return orders ? orders.map(({ status }) => byStatus[status] ?? 'deferred') : [String(delivery)];
}

const byStatus: Readonly<Record<string, string>> = { 1: 'delivered', 2: 'failed' };
