import { isConnectionError } from '../../db/database.ts';
import { NOT_STORED } from '../../http/headers.ts';
import type { Log } from '../../log.ts';
import { Refused, TooManyAttempts } from '../../refused.ts';
import { Malformed, type PanelReply, page } from '../routes.ts';

/** The status of each refusal. Codes not listed here are bad input: 400. */
const statuses: Readonly<Record<number, readonly string[]>> = {
  401: ['sign_in_required', 'wrong_email_or_password', 'code_required'],
  403: [
    'cross_origin',
    'wrong_password',
    'partner_disabled',
    'role_forbids',
    'confirmation_required',
    'wrong_code',
    'second_factor_required',
    'view_only',
  ],
  404: [
    'not_found',
    'link_not_valid',
    'account_not_found',
    'partner_not_found',
    'member_not_found',
    'operator_not_found',
    'partner_not_found',
    'session_not_found',
    'key_not_found',
    'subscription_not_found',
    'delivery_not_found',
    'order_not_found',
    'topup_not_found',
    'request_not_found',
  ],
  409: [
    'member_exists',
    'operator_exists',
    'last_admin',
    'member_limit_reached',
    'last_member',
    'last_owner',
    'member_accepted',
    'second_factor_on',
    'second_factor_off',
    'second_factor_not_started',
    'key_limit_reached',
    'subscription_limit_reached',
    'url_already_subscribed',
    'delivery_not_dead',
    'too_many_deliveries',
    'queue_full',
    'payload_pruned',
    'clock_too_far',
    'not_shareable',
    'action_key_reused',
    'action_in_progress',
    'refund_changed',
  ],
  429: ['too_many_attempts'],
};
const statusOf = new Map(
  Object.entries(statuses).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
);

export const JSON_TYPE = 'application/json; charset=utf-8';
/** Answers belong to one member: no cache keeps them, neither a proxy's nor the browser's. */
export const NOT_KEPT = { 'cache-control': NOT_STORED, vary: 'cookie' } as const;

/** A refusal in the panel's format. Any other error is a bug or a lost database: it is logged, and none of it is shown. */
export function refusal(error: unknown, log: Log): PanelReply {
  if (error instanceof TooManyAttempts) {
    const { code, message, retryAfterSeconds } = error;
    const more = { 'retry-after': String(retryAfterSeconds) };
    return answer(429, { code, message: sentence(message), retry_after: retryAfterSeconds }, more);
  }
  if (error instanceof Refused)
    return answer(statusOf.get(error.code) ?? 400, { code: error.code, message: sentence(error.message) });
  if (error instanceof Malformed)
    return answer(400, { code: 'malformed_request', message: 'The request cannot be read.' });
  if (isConnectionError(error)) {
    log.warn({ err: error }, 'panel request failed');
    return answer(503, {
      code: 'service_unavailable',
      message: 'The database cannot be reached. Try again in a moment.',
    });
  }
  log.error({ err: error }, 'panel request failed');
  return answer(500, { code: 'internal_error', message: 'Something went wrong on our side.' });
}

const answer = (status: number, error: object, more = {}): PanelReply =>
  page(status, JSON_TYPE, JSON.stringify({ error }), { ...NOT_KEPT, ...more });

/** An address at its beginning keeps its spelling. */
const sentence = (text: string): string =>
  `${text.replace(/^[a-z]+(?=[\s,])/, capitalized)}${/[.!?]$/.test(text) ? '' : '.'}`;

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
