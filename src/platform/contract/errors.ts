import type { KeyPermission } from './key-terms.ts';
import type { LimitValues } from './resources.ts';

/**
 * Every error code of the contract: HTTP status, what it means, and the extra fields it carries (as sample values, which are
 * also their types). `fail(code, extra)` is the only way to answer one; leaving a field out does not compile.
 */
interface ErrorSpec<Extra extends object = object> {
  status: number;
  meaning: string;
  sample: Extra;
}

const e = <Extra extends object = Record<never, never>>(
  status: number,
  meaning: string,
  sample: Extra = {} as Extra,
): ErrorSpec<Extra> => ({ status, meaning, sample });

type BillingMode = 'prepaid' | 'postpaid';
const postpaid = 'postpaid' as BillingMode;
// These samples have no money left, because a simulated shortage quotes the real price as `required`, however low.
const credit = { billing_mode: postpaid, outstanding: 500, credit_limit: 500, available: 0, required: 24.5 };
const openCharge = { order_id: 1042 as number | null, billing_mode: postpaid, outstanding: 480 };

export const errors = {
  // Keys, hosts, access
  api_key_required: e(401, 'The X-API-Key header is missing or empty.'),
  api_key_header_required: e(401, 'A key was sent in the URL or the body; only the header is accepted.'),
  invalid_api_key: e(401, 'The key is unknown, revoked or expired.'),
  live_key_on_sandbox_host: e(401, 'A live key was sent to the sandbox host.'),
  sandbox_key_on_live_host: e(401, 'A sandbox key was sent to the live host.'),
  ip_not_allowed: e(403, "The source address is not on the key's allow-list."),
  partner_not_found: e(403, 'The partner account no longer exists.'),
  partner_disabled: e(403, 'The partner account is suspended.'),
  key_not_permitted: e(403, 'The key may not do this; `permission` names what it lacks.', {
    permission: 'buy' as KeyPermission,
  }),
  unknown_endpoint: e(404, 'No such resource.'),
  unknown_method: e(404, 'The resource exists but has no such action.'),
  method_not_allowed: e(405, 'Wrong verb; `allow` names the right one.', { allow: 'GET' }),
  rate_limited: e(429, "Over the tier's ceiling; wait `retry_after` seconds.", {
    limit_per_minute: 150,
    tier: 'purchase',
    retry_after: 30,
  }),

  // The request itself
  malformed_request: e(400, 'The request could not be decoded.'),
  body_too_large: e(413, 'The body is over 64 KiB.'),
  unsupported_media_type: e(415, 'Bodies are application/x-www-form-urlencoded.'),
  internal_error: e(500, 'Something failed on our side; the request may be retried.'),
  service_unavailable: e(503, 'The request could not be handled in time; try again shortly.'),

  // Catalog
  country_required: e(400, '`country` is missing.'),
  invalid_country: e(400, '`country` is malformed.'),
  country_not_found: e(404, 'No such destination is sold.'),
  invalid_type: e(400, '`type` is outside its allowed set.'),
  invalid_include_small: e(400, '`include_small` is not 0 or 1.'),
  invalid_all_variants: e(400, '`all_variants` is not 0 or 1.'),
  invalid_usage_metered: e(400, '`usage_metered` is not 0 or 1.'),
  invalid_unlimited: e(400, '`unlimited` is not 0 or 1.'),
  invalid_network_type: e(400, '`network_type` is not 4G or 5G.'),
  invalid_min_data_mb: e(400, '`min_data_mb` is out of range or not a number.'),
  invalid_max_data_mb: e(400, '`max_data_mb` is out of range or not a number.'),
  invalid_day: e(400, '`day` is out of range or not a number.'),
  invalid_min_day: e(400, '`min_day` is out of range or not a number.'),
  invalid_max_day: e(400, '`max_day` is out of range or not a number.'),
  invalid_min_price: e(400, '`min_price` is out of range or not a number.'),
  invalid_max_price: e(400, '`max_price` is out of range or not a number.'),
  invalid_sort: e(400, '`sort` is outside its allowed set.'),
  invalid_order: e(400, '`order` is not asc or desc.'),
  invalid_limit: e(400, '`limit` is out of range.'),
  invalid_offset: e(400, '`offset` is out of range.'),
  since_required: e(400, '`since` is missing.'),
  invalid_since: e(400, '`since` is not a version of the catalog.'),
  invalid_search: e(400, '`search` is not a plain text of up to 100 characters.'),
  product_id_required: e(400, 'The product id is missing.'),
  invalid_product: e(400, 'The id resolves to no product.'),
  product_not_found: e(404, 'Unknown product, or no longer on sale.'),

  // Purchase and billing
  invalid_price: e(400, 'The product has no sellable price.'),
  invalid_partner_price: e(400, 'The partner price works out at zero or below; the sale is refused.'),
  insufficient_balance: e(402, 'The prepaid balance is below the price; nothing was charged.', {
    balance: 0,
    required: 24.5,
    order_id: 1042,
  }),
  price_changed: e(409, 'The price is above `max_price`, the sum above `max_total`; nothing was recorded.', {
    partner_price: 4.75,
    max_price: 4.5,
  }),
  limit_exceeded: e(403, 'A limit on spending has no room for it; `limit` says which. Nothing was recorded.', {
    limit: {
      scope: 'key' as LimitValues['scope'],
      per: 'day' as LimitValues['per'],
      amount: 500 as number | null,
      count: null as number | null,
      used_amount: 500,
      used_count: 61,
      resets_at: '2026-03-02 00:00:00' as string | null,
    },
  }),
  invalid_max_total: e(400, '`max_total` is not an amount above zero with at most two decimals.'),
  credit_limit_exceeded: e(403, 'The postpaid limit would be exceeded.', {
    outstanding: 500,
    credit_limit: 500,
    available: 0,
    required: 24.5,
    order_id: 1042,
  }),
  partner_account_suspended: e(403, 'The billing account is suspended; purchases are refused.', {
    billing_mode: 'prepaid' as BillingMode,
    status: 2,
  }),
  not_postpaid: e(402, 'A postpaid-only operation on a prepaid account.'),
  credit_charge_failed: e(402, 'The postpaid charge was refused; the order is marked failed.', {
    ...credit,
    order_id: 1042,
    reason: 'ledger_write_failed',
  }),
  charge_in_progress: e(409, 'Another charge is still being written; retry with the same key.', openCharge),
  charge_incomplete: e(409, 'An earlier charge stopped half-way and needs a manual fix.', openCharge),
  idempotency_key_conflict: e(409, 'The key was already used for a different product.'),
  idempotency_key_required: e(400, 'A batch or a replacement needs an idempotency key.'),
  idempotency_key_too_long: e(400, 'The key is over 191 bytes.'),
  invalid_idempotency_key: e(400, 'The key is not a plain string or contains a refused character.'),
  quantity_not_supported: e(400, 'One purchase buys one eSIM; `batch` names the endpoint for many.', {
    batch: 'purchase/batch',
  }),
  reference_too_long: e(400, 'The reference is over 64 bytes.'),
  invalid_reference: e(400, 'The reference is not a plain string or contains a refused character.'),
  items_required: e(400, '`items` is missing or an empty list.'),
  invalid_items: e(
    400,
    '`items` is not a list of items; `item` is the index of the wrong one, null if it is no list.',
    {
      item: 0 as number | null,
    },
  ),
  too_many_items: e(400, 'A batch has at most 100 items and 100 eSIMs.'),
  batch_not_found: e(404, 'No such batch under the account.'),
  sale_insert_failed: e(500, 'The order row was not created; retry with the same key.'),

  // Orders and account
  order_id_required: e(400, 'The order id is missing.'),
  order_not_found: e(404, 'No such order under the account.'),
  order_not_refundable: e(
    409,
    'The order was not delivered, its whole price went back already, or its books are archived.',
  ),
  invalid_refund_status: e(400, '`refund_status` is outside its allowed set.'),
  not_replaceable: e(409, 'The eSIM cannot be replaced; `why` is `used`, `replaced` or `refunded`.', { why: 'used' }),
  reason_too_long: e(400, '`reason` is over 200 characters.'),
  order_read_failed: e(500, 'Orders could not be read: unknown, not empty.'),
  invalid_iccid: e(400, '`iccid` is not 5 to 22 digits.'),
  invalid_from: e(400, '`from` is not a time.'),
  invalid_to: e(400, '`to` is not a time.'),
  invalid_before_id: e(400, '`before_id` is not the number of an order or a movement.'),
  invalid_order_id: e(400, '`order_id` is not an order number.'),
  iccid_required: e(400, 'The ICCID is missing.'),
  esim_not_found: e(404, 'No such eSIM under the account.'),
  esim_not_active: e(409, 'The eSIM has expired, was cancelled, or was replaced and stays off.'),
  not_supported: e(409, 'The supplier of the eSIM cannot do this.'),
  invalid_refill: e(400, 'The plan cannot be added to this eSIM.'),
  invalid_state: e(400, '`state` is not a state of an eSIM, or of its profile.'),
  invalid_at_percent: e(400, '`at_percent` is not a whole number from 50 to 100.'),
  invalid_times: e(400, '`times` is not a whole number from 1 to 20.'),
  invalid_off: e(400, '`off` is not 0 or 1.'),
  invalid_lang: e(400, "`lang` is not one of the languages of the traveller's page."),
  usage_not_available: e(404, "Not the caller's ICCID, no usage record yet, or the provider did not answer."),
  invoice_not_found: e(404, 'No such invoice or credit note under the account.'),
  partner_account_not_found: e(404, 'No billing account was ever opened.'),
  history_read_failed: e(500, 'Wallet movements could not be read: unknown, not zero.'),
  amount_required: e(400, 'The amount is missing or not a valid number.'),
  amount_out_of_range: e(400, 'The amount is outside the accepted range.', { min: 10, max: 10000 }),
  topup_not_available: e(403, 'Card top-up is not enabled.'),
  payment_key_required: e(400, '`payment_key` is missing.'),
  topup_not_found: e(404, 'No pending top-up for the key.'),
  topup_failed: e(400, 'The payment provider rejected the intent.'),
  topup_record_failed: e(500, 'The top-up was not recorded; nothing was charged.'),
  topup_confirm_failed: e(400, 'The payment could not be confirmed.'),

  // Webhooks
  no_subscription: e(404, 'No endpoint is registered.'),
  subscription_not_found: e(404, 'The subscription is not one of yours.'),
  no_active_subscription: e(409, 'The subscription is paused or disabled.'),
  mode_immutable: e(409, 'The mode of a subscription is fixed at creation.'),
  probe_blocked: e(400, 'The target is not a public address; no request was opened.', {
    request_sent: false,
    reason: 'private_address',
  }),
  test_enqueue_failed: e(500, 'The test event was not queued.'),
  delivery_not_found: e(404, 'No such delivery.'),
  invalid_status: e(400, '`status` is outside its allowed set.'),
  invalid_event: e(400, '`event` is not an event name.'),
  invalid_subscription_id: e(400, '`subscription_id` is not a number.'),
  id_required: e(400, '`id` is missing.'),
  invalid_finish: e(400, '`finish` is not 0 or 1.'),
  url_required: e(400, '`url` is missing.'),
  url_too_long: e(400, '`url` is over 500 characters.'),
  url_blocked: e(400, 'Events cannot be sent to this address; `reason` says why.', { reason: 'private_address' }),
  url_already_subscribed: e(409, 'Another subscription has this address already.'),
  subscription_limit_reached: e(409, 'There are as many subscriptions as there may be; delete one first.'),
  probe_unavailable: e(500, 'The probe could not be built or signed; nothing was sent.'),
  webhook_read_failed: e(500, 'Webhook data could not be read: unknown, not empty.'),

  // Sandbox only
  sandbox_only_action: e(400, 'The action exists for sandbox keys only; nothing changed.'),
  invalid_operation: e(400, '`operation` is not add, subtract or set.'),
  balance_out_of_range: e(400, 'The result would be below 0 or above the ceiling.', { balance: 1000, max: 1000000 }),
  sandbox_balance_read_failed: e(500, 'The sandbox balance could not be read: unknown, not zero.'),
  sandbox_balance_write_failed: e(500, 'The sandbox balance was not changed.'),
  sandbox_unsupported_action: e(400, 'The sandbox does not simulate this action.'),
  invalid_sandbox_scenario: e(400, '`sandbox_scenario` is not success, deferred or failed.'),
  invalid_sandbox_usage: e(400, '`sandbox_usage` is not not_active, active, depleted or expired.'),
  invalid_sandbox_error: e(400, 'The endpoint cannot return that code.', {
    endpoint: 'catalog/countries',
    allowed: ['rate_limited'] as string[],
  }),
  advance_required: e(400, 'Neither `advance` nor `reset=1` was sent.'),
  invalid_advance: e(400, '`advance` is not a number of seconds, or was sent with `reset=1`.'),
  invalid_reset: e(400, '`reset` is not 0 or 1.'),
  clock_too_far: e(409, 'The clock can be at most two years ahead.'),
  sandbox_order_read_failed: e(500, 'Sandbox orders could not be read.'),
  sandbox_order_insert_failed: e(500, 'The sandbox order was not created; retry with the same key.'),
  sandbox_reset_failed: e(500, 'The reset could not delete the orders.'),
  sandbox_queue_full: e(429, 'Too many sandbox deliveries are waiting.', { pending: 500, limit: 500 }),
  sandbox_webhook_read_failed: e(500, 'Webhook data could not be read: unknown, not empty.'),
} as const;

export type ErrorCode = keyof typeof errors;
export type Extra<C extends ErrorCode> = (typeof errors)[C]['sample'];

/** Whether the code says that something could not be read. The contract names no other failure of a database that is too slow. */
export const isReadFailure = (code: ErrorCode): boolean => code.endsWith('_read_failed');

/** Codes without extra fields: the only ones that can be answered by name alone. */
export type PlainErrorCode = { [C in ErrorCode]: [keyof Extra<C>] extends [never] ? C : never }[ErrorCode];

/** Errors that a sandbox key can ask every endpoint for. */
export const SIMULATED_EVERYWHERE: readonly ErrorCode[] = [
  'invalid_api_key',
  'partner_disabled',
  'ip_not_allowed',
  'rate_limited',
];
