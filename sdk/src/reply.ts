/** What is left of the limit that a call counts towards. Each key has one per rate tier and minute. */
export interface RateLimit {
  /** Calls per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the minute is over. */
  readonly resetSeconds: number;
}

/** An answer and what came with it. */
export interface Reply<Body> {
  readonly data: Body;
  readonly httpStatus: number;
  readonly headers: Headers;
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
}

/** A call on its way. Await it for its answer, or `withResponse()` for what came with the answer, too. */
export interface Calling<Body> extends Promise<Body> {
  /** The answer as `data`, with its request id, headers and rate limit. */
  withResponse(): Promise<Reply<Body>>;
}

export function calling<Body>(reply: Promise<Reply<Body>>): Calling<Body> {
  const answer = reply.then(({ data }) => data);
  return Object.assign(answer, {
    withResponse() {
      // The answer alone is no longer awaited, so its failure must not count as unhandled.
      answer.catch(() => {});
      return reply;
    },
  });
}

export const requestIdOf = (headers: Headers): string | undefined => headers.get('x-request-id') ?? undefined;

export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`);
    return value === null ? Number.NaN : Number(value);
  }) as [number, number, number];
  return Number.isNaN(limit + remaining + resetSeconds) ? undefined : { limit, remaining, resetSeconds };
}
