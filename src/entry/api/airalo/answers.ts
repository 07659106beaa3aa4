import { timestamp } from '../../../platform/clock.ts';
import type { ErrorCode } from '../../../platform/contract/errors.ts';
import { Failure } from '../../../platform/contract/failure.ts';
import type { Dialect } from '../gates/answer.ts';

/** A refusal that Airalo's API has and ours writes differently. */
class Told extends Failure {
  readonly told: object;
  readonly #status: number;

  constructor(code: ErrorCode, status: number, told: object) {
    super(code, {});
    this.#status = status;
    this.told = told;
  }

  override get status(): number {
    return this.#status;
  }
}

export const meta = { message: 'success' };
export const ok = (data: unknown, more: object = {}) => ({ body: { data, meta, ...more } });

const envelope = (message: string, data: unknown = []) => ({ data, meta: { message } });
const business = (code: number, reason: string) => ({ code, reason });

/** What is wrong with one field, in its sentence. `code` is what the request log says. */
export const badField = (name: string, sentence: string, code: ErrorCode = 'malformed_request'): Failure =>
  new Told(code, 422, envelope('the parameter is invalid', { [name]: sentence }));

export const refused = (code: number, reason: string, logged: ErrorCode): Failure =>
  new Told(logged, 422, business(code, reason));

export const notOptedIn = (): Failure =>
  new Told('subscription_not_found', 422, { reason: 'User is not opted in and no webhook URL provided.' });

export const unsimulated = (): Failure => new Told('subscription_not_found', 400, { error: 'User is not opted in' });

export const wrongSecret = (): Failure => new Told('invalid_api_key', 401, envelope('Client authentication failed'));

const unauthenticated = { status: 401, told: envelope('Unauthenticated.') };
const unauthorized = { status: 403, told: envelope('This action is unauthorized.') };
const notFound = { status: 404, told: envelope('messages.resource_not_found') };
const noCredit = { status: 422, told: business(11, 'Insufficient Airalo credit for this order') };
const offSale = {
  status: 422,
  told: business(34, 'The requested eSIM package is invalid or it is currently out of stock'),
};
const badRequest = { status: 422, told: business(43, 'Bad request') };
const unexpected = {
  status: 422,
  told: business(53, 'Unexpected error. Look the order up by its description before you order again'),
};
const field = (name: string, sentence: string) => ({
  status: 422,
  told: envelope('the parameter is invalid', { [name]: sentence }),
});

/** Our refusals in Airalo's words. Whatever is not here is a failure of ours. */
const byCode: Partial<Record<ErrorCode, { readonly status: number; readonly told: object }>> = {
  api_key_required: unauthenticated,
  invalid_api_key: unauthenticated,
  live_key_on_sandbox_host: unauthenticated,
  sandbox_key_on_live_host: unauthenticated,
  partner_not_found: unauthenticated,
  partner_disabled: unauthenticated,
  ip_not_allowed: { status: 403, told: business(89, 'The IP address is not on the list of allowed addresses') },
  key_not_permitted: unauthorized,
  unknown_endpoint: notFound,
  unknown_method: notFound,
  order_not_found: notFound,
  esim_not_found: notFound,
  usage_not_available: notFound,
  method_not_allowed: { status: 405, told: envelope('The method is not supported for this route.') },
  rate_limited: { status: 429, told: { message: 'Too Many Attempts.' } },
  malformed_request: badRequest,
  unsupported_media_type: badRequest,
  body_too_large: badRequest,
  insufficient_balance: noCredit,
  credit_limit_exceeded: noCredit,
  partner_account_suspended: noCredit,
  limit_exceeded: noCredit,
  product_not_found: offSale,
  invalid_price: offSale,
  invalid_partner_price: offSale,
  product_id_required: field('package_id', 'The package id field is required.'),
  invalid_product: field('package_id', 'The selected package is invalid.'),
  invalid_refill: field('package_id', 'The selected topup package is invalid.'),
  reference_too_long: field('description', 'The description may not be greater than 64 bytes.'),
  invalid_reference: field('description', 'The description has characters that are not allowed.'),
  charge_in_progress: unexpected,
  charge_incomplete: unexpected,
  credit_charge_failed: unexpected,
  sale_insert_failed: unexpected,
  sandbox_order_insert_failed: unexpected,
  sandbox_balance_write_failed: unexpected,
};

/** Airalo's own envelopes. A 5xx is plain, as theirs are. */
export const airaloDialect: Dialect = {
  vary: 'authorization',
  success: (_req, status, body) => (status === 204 ? '' : JSON.stringify(body)),
  failure(_req, failed) {
    if (failed instanceof Told) return { status: failed.status, body: JSON.stringify(failed.told) };
    const known = byCode[failed.code];
    if (known) return { status: known.status, body: JSON.stringify(known.told) };
    const status = failed.status >= 500 ? failed.status : 422;
    const told =
      status === 422 ? badRequest.told : { message: status === 503 ? 'Service Unavailable' : 'Server Error' };
    return { status, body: JSON.stringify(told) };
  },
};

/** `YYYY-MM-DD HH:MM:SS`, in UTC. */
export const utc = (at: Date): string => timestamp(at);

export interface PageOf {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly count: number;
  /** Where the list is. */
  readonly path: string;
}

/** What lists add to their data. `per_page` is a text and `last_page` a number: clients compare it without converting. */
export function paging({ page, limit, total, count, path }: PageOf) {
  const last = Math.max(1, Math.ceil(total / limit));
  const at = (n: number) => `${path}?page=${n}`;
  return {
    links: {
      first: at(1),
      last: at(last),
      prev: page > 1 ? at(page - 1) : null,
      next: page < last ? at(page + 1) : null,
    },
    meta: {
      message: 'success',
      current_page: page,
      from: count === 0 ? null : (page - 1) * limit + 1,
      last_page: last,
      path,
      per_page: String(limit),
      to: count === 0 ? null : (page - 1) * limit + count,
      total,
    },
  };
}
