import type { ErrorCode } from './errors.ts';

/** Instead of the message of the field that is missing or wrong. */
export const JSON_AS_FORM =
  'Send the fields as a form, name=value with & between them: the body looks like JSON, which is not accepted.';

/** What to do about each error, as one sentence in every refusal. `errors.ts` says what has happened. Clients decide by the code. */
export const messages: Readonly<Record<ErrorCode, string>> = {
  // Keys, hosts, access
  api_key_required: 'Send your API key in the X-API-Key header.',
  api_key_header_required:
    'Send the key in the X-API-Key header only, and replace this one in the panel, because a key in a URL or a body counts as leaked.',
  invalid_api_key: 'Check the key for typing errors, or create a new one in the panel.',
  live_key_on_sandbox_host: 'Use a key that begins with esk_test_ here, or send this one to the live address.',
  sandbox_key_on_live_host: 'Use a live key here, or send this one to the sandbox address.',
  ip_not_allowed:
    "Add this server's address to the key's allow-list in the panel, or call from an address that is on it.",
  partner_not_found: 'Use a key of an account that is open.',
  partner_disabled: 'Ask the operator to enable the account again.',
  key_not_permitted: 'Use a key that has what `permission` names; what a key may do is chosen when it is made.',
  unknown_endpoint: 'Check the path against the reference: it has the form /v3/resource/action.',
  unknown_method: 'Check the action in the path against the reference.',
  method_not_allowed: 'Send the request with the verb that `allow` names.',
  rate_limited: 'Wait `retry_after` seconds before you send the next request.',

  // The request itself
  malformed_request: 'Encode the path, the query and the form as percent-encoded UTF-8, and send the request again.',
  body_too_large: 'Send a body of at most 64 KiB.',
  unsupported_media_type:
    'Send the fields as a form with Content-Type application/x-www-form-urlencoded, because JSON and other types are not accepted.',
  internal_error:
    'Send the request again once, a purchase with the same idempotency_key, and report the X-Request-Id if it fails again.',
  service_unavailable:
    'Send the request again after the seconds in the Retry-After header, a purchase with the same idempotency_key.',

  // Catalog
  country_required: 'Name a destination in `country`: a code or slug from catalog/countries.',
  invalid_country: 'Send `country` as a code or slug from catalog/countries.',
  country_not_found: 'Choose a destination from catalog/countries.',
  invalid_type: 'Send `type` as country, regional or global, or leave it out.',
  invalid_include_small: 'Send `include_small` as 0 or 1, or leave it out.',
  invalid_all_variants: 'Send `all_variants` as 0 or 1, or leave it out.',
  invalid_usage_metered: 'Send `usage_metered` as 0 or 1, or leave it out.',
  invalid_unlimited: 'Send `unlimited` as 0 or 1, or leave it out.',
  invalid_network_type: 'Send `network_type` as 4G or 5G, or leave it out.',
  invalid_min_data_mb: 'Send `min_data_mb` as a whole number from 0 to 10485760.',
  invalid_max_data_mb: 'Send `max_data_mb` as a whole number from 0 to 10485760.',
  invalid_day: 'Send `day` as a whole number from 1 to 3650.',
  invalid_min_day: 'Send `min_day` as a whole number from 1 to 3650.',
  invalid_max_day: 'Send `max_day` as a whole number from 1 to 3650.',
  invalid_min_price: 'Send `min_price` as a number from 0 to 100000.',
  invalid_max_price: 'Send `max_price` as a number from 0 to 100000.',
  invalid_sort: 'Send `sort` as price, price_per_gb, data, day or title.',
  invalid_order: 'Send `order` as asc or desc.',
  invalid_limit: 'Send `limit` as a whole number within the range that the reference names.',
  invalid_offset: 'Send `offset` as a whole number from 0 to 999999.',
  since_required: 'Send the `version` of your last catalog/export or catalog/changes as `since`.',
  invalid_since: 'Send `since` exactly as an answer gave it in `version`, or call catalog/export again.',
  invalid_search: 'Send `search` once, as a text of up to 100 characters.',
  product_id_required: 'Name a product by its id from the catalog.',
  invalid_product: 'Use the `id` of a product from the catalog: esc_ and 16 hexadecimal digits.',
  product_not_found: 'Read the catalog again and choose a product that is on sale.',

  // Purchase and billing
  invalid_price: 'Choose another product, because this one has no price at which it can be sold.',
  invalid_partner_price:
    'Choose another product, and tell the operator that your price for this one comes out at zero or below.',
  insufficient_balance:
    'Top up the wallet by the difference between `required` and `balance`, then buy with a new idempotency_key.',
  price_changed: 'Show the new price, then buy again with a higher ceiling; the same idempotency_key can be used.',
  limit_exceeded:
    'Wait until `resets_at`, or have the limit raised: the partner’s owners and developers set those of keys, the operator those of the account.',
  invalid_max_total: 'Send `max_total` as an amount above zero like 45.00, or leave it out.',
  credit_limit_exceeded:
    'Settle an invoice or ask the operator for a higher limit, then buy with a new idempotency_key.',
  partner_account_suspended: 'Ask the operator why the billing account is suspended; reading still works.',
  not_postpaid: 'Use this only with an account on invoice terms.',
  credit_charge_failed: 'Buy again with a new idempotency_key; nothing was charged.',
  charge_in_progress: 'Send the same request again with the same idempotency_key in a moment.',
  charge_incomplete: 'Do not buy again; give the `order_id` to the operator, who has to complete the charge.',
  idempotency_key_conflict: 'Use a new idempotency_key, because this one belongs to another purchase.',
  idempotency_key_required: 'Send an `idempotency_key` of your own, so that the request can be sent again safely.',
  idempotency_key_too_long: 'Send an idempotency_key of at most 191 bytes.',
  invalid_idempotency_key: 'Send one idempotency_key made of letters, digits and - _ . : only.',
  quantity_not_supported:
    'Leave `quantity` out to buy one eSIM, or buy many at once with the endpoint that `batch` names.',
  reference_too_long: 'Send a `reference` of at most 64 bytes.',
  invalid_reference:
    'Send one `reference` of at most 64 bytes, without quotes, backslashes, angle brackets and control characters.',
  items_required: 'Send `items` as JSON: a list of objects with `product_id`, `quantity` and `reference`.',
  invalid_items:
    'Send `items` as a JSON list of objects with a `product_id`, a whole `quantity` from 1 to 100 and a `reference`, and nothing else.',
  too_many_items: 'Split the batch, because one has at most 100 items and 100 eSIMs in all.',
  batch_not_found: 'Use the `batch_id` that purchase/batch answered.',
  sale_insert_failed: 'Send the same request again with the same idempotency_key; nothing was charged.',

  // Orders and account
  order_id_required: 'Name an order by the order_id that the purchase answered.',
  order_not_found: 'Check the order id and that it was bought by this account in this mode.',
  not_replaceable: 'Only an eSIM that was never used, or was deleted from its phone, can be replaced, and only once.',
  order_not_refundable: 'Ask for a refund only of an order that was delivered and not wholly refunded.',
  invalid_refund_status: 'Send `refund_status` as requested, refunded or rejected, or leave it out.',
  reason_too_long: 'Shorten `reason` to 200 characters.',
  order_read_failed: 'Send the request again; the orders exist but could not be read.',
  invalid_iccid: 'Send `iccid` as 5 to 22 digits.',
  invalid_from: 'Send `from` as YYYY-MM-DD HH:MM:SS in UTC, or in ISO 8601.',
  invalid_to: 'Send `to` as YYYY-MM-DD HH:MM:SS in UTC, or in ISO 8601.',
  invalid_before_id: 'Send the id of the last row of the page before as `before_id`.',
  invalid_order_id: 'Send `order_id` as a whole number, as the purchase answered it.',
  iccid_required: 'Name an eSIM by its ICCID.',
  esim_not_found: 'Check the ICCID and that its eSIM was bought by this account in this mode.',
  esim_not_active:
    'Buy a new eSIM, or use the one that replaced it; if this one has expired, look for a plan in esim/refills that can be added to it.',
  not_supported: 'Look at `capabilities` of the eSIM, because its supplier cannot do this.',
  invalid_refill: 'Choose a plan from esim/refills of this eSIM.',
  invalid_state: 'Send `state` as not_active, active, depleted, expired, cancelled or suspended.',
  invalid_at_percent: 'Send `at_percent` as a whole number from 50 to 100.',
  invalid_times: 'Send `times` as a whole number from 1 to 20.',
  invalid_off: 'Send `off` as 0 or 1, or leave it out.',
  invalid_lang: 'Send `lang` as en, de, fr, es, it, pt, tr, ar, ja or zh, or leave it out.',
  usage_not_available: 'Check the ICCID, and ask again in a few minutes if it is one of yours.',
  partner_account_not_found: 'Ask the operator to open a billing account, or read account/history instead.',
  history_read_failed: 'Send the request again; the movements exist but could not be read.',
  amount_required: 'Send `amount` as a number in USD, with at most two decimals.',
  amount_out_of_range: 'Send an `amount` from `min` to `max`.',
  topup_not_available: 'Ask the operator to enable card payments, or pay by bank transfer.',
  payment_key_required: 'Send the `payment_key` that account/topup answered.',
  invoice_not_found: 'Use a `number` that invoice/list answered.',
  topup_not_found: 'Check the `payment_key`, or start a new top-up with account/topup.',
  topup_failed: 'Start the top-up again, or use another card.',
  topup_record_failed: 'Start the top-up again; nothing was charged.',
  topup_confirm_failed: 'Complete the payment with the card provider first, then confirm again.',

  // Webhooks
  no_subscription: 'Create a webhook subscription in the panel first.',
  subscription_not_found: 'Use the id of a subscription from webhook/list.',
  no_active_subscription: 'Resume the subscription in the panel first.',
  mode_immutable: 'Create another subscription for the other mode.',
  probe_blocked: 'Use an https address on a public host; `reason` says what is wrong with this one.',
  test_enqueue_failed: 'Send the request again; no event was queued.',
  delivery_not_found: 'Use the id of a delivery from webhook/deliveries.',
  invalid_status: 'Send `status` as one of the values that the reference names.',
  invalid_event: 'Send `event` as one of the event names that webhook/list answers.',
  invalid_subscription_id: 'Send `subscription_id` as 1 to 20 digits.',
  id_required: 'Send the id of a subscription from webhook/list as `id`.',
  invalid_finish: 'Send `finish` as 0 or 1, or leave it out.',
  url_blocked: 'Use an https address on a public host; `reason` says what is wrong with this one.',
  url_already_subscribed: 'Change the subscription that has this address with webhook/update, or use another address.',
  subscription_limit_reached: 'Delete a subscription that you do not need before you create another one.',
  url_required: 'Send the address as `url`.',
  url_too_long: 'Send a `url` of at most 500 characters.',
  probe_unavailable: 'Send the request again; nothing was sent to your address.',
  webhook_read_failed: 'Send the request again; the data exists but could not be read.',

  // Sandbox only
  sandbox_only_action: 'Use a sandbox key, one that begins with esk_test_.',
  advance_required: 'Send `advance` in seconds, or `reset=1`.',
  invalid_advance: 'Send `advance` as a whole number of seconds from 1 to 63072000 (two years), and without `reset=1`.',
  invalid_reset: 'Send `reset` as 0 or 1, or leave it out.',
  clock_too_far:
    'Advance the clock by less, because it can be at most 63072000 seconds (two years) ahead of real time, or send `reset=1` first.',
  invalid_operation: 'Send `operation` as add, subtract or set.',
  balance_out_of_range: 'Choose an amount that leaves a balance from 0 to `max`.',
  sandbox_balance_read_failed: 'Send the request again; the balance exists but could not be read.',
  sandbox_balance_write_failed: 'Send the request again; the balance was not changed.',
  sandbox_unsupported_action: 'Try this with a live key, because the sandbox does not simulate it.',
  invalid_sandbox_scenario: 'Send `sandbox_scenario` as success, deferred or failed, or leave it out.',
  invalid_sandbox_usage: 'Send `sandbox_usage` as not_active, active, depleted or expired, or leave it out.',
  invalid_sandbox_error: 'Ask for one of the codes in `allowed`.',
  sandbox_order_read_failed: 'Send the request again; the orders exist but could not be read.',
  sandbox_order_insert_failed: 'Send the same request again with the same idempotency_key; no order was made.',
  sandbox_reset_failed: 'Send the request again; nothing was deleted.',
  sandbox_queue_full: 'Wait until some of the pending deliveries are sent, or pause the subscription they wait for.',
  sandbox_webhook_read_failed: 'Send the request again; the data exists but could not be read.',
};

/**
 * What to do instead, where a code has a cause that its own message does not fit. Only causes that the caller knows or can look up: the
 * message must not tell apart what does not exist and what is somebody else's.
 */
export const messagesByCause = {
  invalid_product: {
    unknown: 'Read the catalog again and choose a product from it, because no product has this id.',
    internal_id:
      'Use the `id` of a product from the catalog, esc_ and 16 hexadecimal digits, because internal ids are not accepted.',
    refill: 'Add this plan to an eSIM with purchase/refill, because it is a refill and brings no eSIM of its own.',
  },
  invalid_max_price: {
    ceiling: 'Send `max_price` as an amount above zero like 4.50, or leave it out.',
    rule: 'Send `max_price` as an amount above zero like 4.50.',
  },
  invalid_country: {
    profile: 'Send `country` as the ISO code of a country like FR, or leave it out.',
  },
  invalid_state: {
    profile: 'Send `state` as released, downloaded, installed, enabled, disabled, deleted or unknown, or leave it out.',
  },
  invalid_refill: {
    cancelled: 'Buy a new eSIM with purchase/buy, because this one was cancelled and takes no refill.',
    brings_esim:
      'Buy this plan with purchase/buy, because it brings a new eSIM, or choose one from esim/refills of this eSIM.',
  },
} as const satisfies Partial<Record<ErrorCode, Readonly<Record<string, string>>>>;

export const messagesOf = (code: ErrorCode): readonly string[] => [
  messages[code],
  ...Object.values((messagesByCause as Partial<Record<ErrorCode, Readonly<Record<string, string>>>>)[code] ?? {}),
];
