import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import { isPassing } from '../../../platform/db/database.ts';
import { NOT_STORED } from '../../../platform/http/headers.ts';
import type { Log } from '../../../platform/log.ts';
import { notice } from '../../../platform/traces/traces.ts';
import { Malformed, page, type SiteReply, type SiteRoute } from '../routes.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** Answers belong to one member: no cache keeps them, neither a proxy's nor the browser's. */
export const NOT_KEPT = { 'cache-control': NOT_STORED, vary: 'cookie' } as const;

/** A refusal in the panel's format. Any other error is a bug or a lost database: it is logged, and none of it is shown. */
export function refusal(error: unknown, log: Log): SiteReply {
  if (error instanceof TooManyAttempts) {
    const { code, page, retryAfterSeconds } = error;
    const more = { 'retry-after': String(retryAfterSeconds) };
    return answer(error.status, { code, message: sentence(page), retry_after: retryAfterSeconds }, more);
  }
  if (error instanceof Refused) {
    const { status, code, page, field } = error;
    return answer(status, { code, message: sentence(page), ...(field !== undefined && { field }) });
  }
  if (error instanceof Malformed)
    return answer(400, { code: 'malformed_request', message: 'The request cannot be read.' });
  if (isPassing(error)) {
    log.warn({ err: error }, 'panel request failed');
    return answer(503, {
      code: 'service_unavailable',
      message: 'The database cannot answer now. Try again in a moment.',
    });
  }
  log.error({ err: error }, 'panel request failed');
  return answer(500, { code: 'internal_error', message: 'Something went wrong on our side.' });
}

/** At every address below that has nothing. */
export const nothingElse = (path: `${string}/{*}`, { log }: { readonly log: Log }): SiteRoute => ({
  verb: 'any',
  path,
  handle: () => refusal(new Refused('not_found', 'there is nothing at this address'), log),
});

function answer(
  status: number,
  error: { readonly code: string; readonly [name: string]: unknown },
  more = {},
): SiteReply {
  notice({ 'error.type': error.code });
  return page(status, JSON_TYPE, JSON.stringify({ error }), { ...NOT_KEPT, ...more });
}

/** An address at its beginning keeps its spelling. */
const sentence = (text: string): string =>
  `${text.replace(/^[a-z]+(?=[\s,])/, capitalized)}${/[.!?]$/.test(text) ? '' : '.'}`;

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
