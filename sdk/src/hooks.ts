import type { RateLimit } from './reply.ts';

/** One attempt of a call, about to be sent. */
export interface SentRequest {
  readonly verb: 'GET' | 'POST';
  /** `purchase/buy`, `order/detail/1001`. */
  readonly path: string;
  readonly url: string;
  /** 1, and one more with each retry. */
  readonly attempt: number;
  readonly idempotencyKey: string | undefined;
  /** Add your own, for tracing. The API key is not among them, so they can be logged. */
  readonly headers: Headers;
}

/** How an attempt ended. */
export interface EndedRequest {
  readonly request: SentRequest;
  readonly durationMs: number;
  /** Undefined: no answer came. */
  readonly httpStatus: number | undefined;
  readonly headers: Headers | undefined;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** What the attempt failed with; it may be retried. */
  readonly error: unknown;
}

export interface Hooks {
  /** Called before every attempt. */
  onRequest?: ((request: SentRequest) => void) | undefined;
  /** Called after every attempt, whether it succeeded or failed. */
  onResponse?: ((response: EndedRequest) => void) | undefined;
}

/** Errors thrown by a hook are ignored: a bug in logging must not lose the answer of a purchase. */
export function notify<About>(hook: ((about: About) => void) | undefined, about: About): void {
  try {
    hook?.(about);
  } catch (error) {
    console.error(error);
  }
}
