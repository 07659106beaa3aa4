import { Failure } from '../../platform/contract/failure.ts';
import type { RateLimiter, Verdict } from '../../platform/limits/rate-limit.ts';
import type { Metrics } from '../../platform/measure/metrics.ts';
import type { Endpoint, FileReply, Reply } from './endpoint.ts';
import type { ReadyReply } from './ready.ts';

/** Wraps parts of the API so that their calls are counted. What they do does not change. */

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

/** One for each order. */
function deliveriesOf(reply: Reply | ReadyReply | FileReply): string[] {
  if (!('body' in reply)) return ['error'];
  const { delivery, orders } = reply.body as { delivery?: string; orders?: readonly { readonly status: string }[] };
  return orders ? orders.map(({ status }) => byStatus[status] ?? 'deferred') : [String(delivery)];
}

const byStatus: Readonly<Record<string, string>> = { 1: 'delivered', 2: 'failed' };
