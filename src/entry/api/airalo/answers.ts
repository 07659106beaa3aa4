import type { ErrorCode } from '../../../platform/contract/errors.ts';
import { Failure } from '../../../platform/contract/failure.ts';
import type { Dialect } from '../gates/answer.ts';

/** How a refusal is worded: its status and its body. */
interface Wording {
  readonly status: number;
  readonly told: object;
}

/** A refusal that Airalo's API has and ours writes differently. */
class Worded extends Failure {
  readonly wording: Wording;

  constructor(code: ErrorCode, wording: Wording) {
    super(code, {});
    this.wording = wording;
  }

  override get status(): number {
    return this.wording.status;
  }
}

export const meta = { message: 'success' };
export const ok = (data: unknown, more: object = {}) => ({ body: { data, meta, ...more } });

const general = (status: number, message: string): Wording => ({ status, told: { data: [], meta: { message } } });
const business = (code: number, reason: string): Wording => ({ status: 422, told: { code, reason } });
const field = (name: string, sentence: string): Wording => {
  return { status: 422, told: { data: { [name]: sentence }, meta: { message: 'the parameter is invalid' } } };
};

/** What is wrong with one field, in its sentence. `code` is what the request log says. */
export const badField = (name: string, sentence: string, code: ErrorCode = 'malformed_request'): Failure =>
  new Worded(code, field(name, sentence));

export const refused = (code: number, reason: string, logged: ErrorCode): Failure =>
  new Worded(logged, business(code, reason));

export const recycled = (): Failure => refused(73, 'The eSIM has been recycled', 'invalid_refill');

export const notOptedIn = (): Failure =>
  new Worded('subscription_not_found', {
    status: 422,
    told: { reason: 'User is not opted in and no webhook URL provided.' },
  });

export const unsimulated = (): Failure =>
  new Worded('subscription_not_found', { status: 400, told: { error: 'User is not opted in' } });

export const wrongSecret = (): Failure => new Worded('invalid_api_key', general(401, 'Client authentication failed'));

const unauthenticated = general(401, 'Unauthenticated.');
const unauthorized = general(403, 'This action is unauthorized.');
const notFound = general(404, 'messages.resource_not_found');
const noCredit = business(11, 'Insufficient Airalo credit for this order');
const offSale = business(34, 'The requested eSIM package is invalid or it is currently out of stock');
const badRequest = business(43, 'Bad request');
const unexpected = business(53, 'Unexpected error. Look the order up by its description before you order again');

/** Our refusals in Airalo's words. Whatever is not here is a failure of ours. */
const byCode: Partial<Record<ErrorCode, Wording>> = {
  api_key_required: unauthenticated,
  invalid_api_key: unauthenticated,
  live_key_on_sandbox_host: unauthenticated,
  sandbox_key_on_live_host: unauthenticated,
  partner_not_found: unauthenticated,
  partner_disabled: unauthenticated,
  ip_not_allowed: { ...business(89, 'The IP address is not on the list of allowed addresses'), status: 403 },
  key_not_permitted: unauthorized,
  unknown_endpoint: notFound,
  unknown_method: notFound,
  order_not_found: notFound,
  esim_not_found: notFound,
  usage_not_available: notFound,
  method_not_allowed: general(405, 'The method is not supported for this route.'),
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
    const { status, told } =
      failed instanceof Worded ? failed.wording : (byCode[failed.code] ?? otherwise(failed.status));
    return { status, body: JSON.stringify(told) };
  },
};

function otherwise(status: number): Wording {
  if (status < 500) return badRequest;
  return { status, told: { message: status === 503 ? 'Service Unavailable' : 'Server Error' } };
}

interface PageOf {
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
