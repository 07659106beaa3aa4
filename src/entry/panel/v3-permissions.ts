import type { Permission } from '../../domains/partners/people/people.ts';
import type { Kept } from '../../platform/audit/action-keys.ts';
import { errors } from '../../platform/contract/errors.ts';
import { type Fields, fields } from './member-action.ts';

interface ForMembers {
  readonly may: Permission;
  /** What an operator sees when viewing the panel; `whole`: it is the catalog. Without it they see nothing. */
  readonly viewed?: Fields | 'whole';
  /** What a repeat of a change is told, if its answer has a secret in it, which is not kept. */
  readonly shownOnce?: string;
}

const ENVELOPE = fields('result', 'code', 'title', 'api_version', 'livemode', 'ignored');
const answer = (more: Fields): Fields => ({ ...ENVELOPE, ...more });

const PRODUCT = {
  ...fields('id', 'title', 'country_code', 'country_title', 'country_image', 'region', 'continent', 'data'),
  ...fields('amount', 'day', 'is_unlimited', 'price', 'sale_price', 'price_per_gb', 'operator_title'),
  ...fields('network_type', 'coverage_codes', 'coverage_names_en', 'fup_kind', 'fup_daily_mb', 'fup_speed_kbps'),
  ...fields('fair_use_text', 'is_usage_metered', 'partner_price', 'partner_discount', 'partner_margin_share_pct'),
  ...fields('source', 'networks', 'activation_policy', 'refillable', 'kyc_required', 'voice_minutes', 'sms'),
  ...fields('install_window_days'),
  apn: fields('type', 'value'),
};
const ORDER = {
  ...fields('id', 'product_id', 'product_title', 'title_display', 'product_price', 'sale_price', 'coupon_code'),
  ...fields('date', 'status', 'api_sale_id', 'api_sale_code', 'reference', 'networks', 'activation_policy', 'data'),
  ...fields('day', 'fair_use_text', 'country_code', 'country_image', 'country_name', 'is_unlimited'),
};
const LISTED = {
  ...ORDER,
  product_type: true,
  refunded: true,
  esim: fields('iccid'),
} satisfies Fields;
const USAGE = {
  usage: {
    ...fields('iccid', 'sale_id', 'title', 'status', 'tone', 'total_mb', 'used_mb', 'remaining_mb'),
    ...fields('percent_remaining', 'is_unlimited', 'fair_use_text', 'activated_at', 'expires_at', 'days_left'),
    ...fields('fetched_at'),
  },
};
/** Not what installs it: codes, QR image and links. */
const ESIM = fields('iccid', 'msisdn', 'apn', 'apn_type', 'apn_value', 'is_roaming');
const PHONE = {
  profile: { ...fields('state', 'country', 'covered', 'seen_at'), device: fields('brand', 'model') },
  capabilities: true,
} satisfies Fields;
/** Not what a receiver answered, and not the body. */
const DELIVERY = {
  ...fields('id', 'subscription_id', 'event_id', 'event_type', 'sale_id', 'status', 'held', 'attempts'),
  ...fields('max_attempts', 'http_code', 'duration_ms', 'error', 'sent_at', 'date'),
};

const LEDGER = {
  ...fields('id', 'type', 'amount', 'balance_after', 'order_id', 'note', 'date', 'reference', 'product_title'),
};

const INVOICE = {
  ...fields('id', 'number', 'kind', 'status', 'month', 'issued_at', 'due_at', 'net', 'tax', 'total'),
  ...fields('amount_paid', 'amount_due', 'currency', 'credits'),
} satisfies Fields;

/** Each endpoint of the API that members can use at all. A test compares it with the list of endpoints. */
export const v3Permissions: Readonly<Record<string, ForMembers>> = {
  '/catalog/countries': { may: 'see', viewed: 'whole' },
  '/catalog/products': { may: 'see', viewed: 'whole' },
  '/catalog/product': { may: 'see', viewed: 'whole' },
  '/catalog/export': { may: 'see', viewed: 'whole' },
  '/catalog/changes': { may: 'see', viewed: 'whole' },
  '/catalog/devices': { may: 'see', viewed: 'whole' },
  '/purchase/quote': {
    may: 'see',
    viewed: answer({
      ...fields('product_id', 'product_title', 'list_price', 'partner_price', 'discount', 'source', 'billing_mode'),
      ...fields('available', 'can_buy', 'blocked_by'),
    }),
  },
  '/purchase/batch/{id}': {
    may: 'see',
    viewed: answer({
      ...fields('batch_id', 'count', 'charged', 'delivered', 'deferred', 'failed'),
      orders: LISTED,
    }),
  },
  '/order/get': {
    may: 'see',
    viewed: answer({
      has_more: true,
      order: LISTED,
    }),
  },
  '/order/detail': {
    may: 'see',
    viewed: answer({
      order: {
        ...ORDER,
        ...fields('voice', 'text', 'short_info', 'fup_kind', 'fup_daily_mb', 'fup_speed_kbps', 'operator_title'),
        ...fields('operator_image'),
      },
      esim: ESIM,
      operator_meta: {
        ...fields('activation_policy', 'plan_type', 'esim_type', 'is_roaming', 'is_kyc_verify', 'rechargeability'),
        ...fields('apn_type', 'apn_value', 'info', 'other_info', 'warning'),
      },
      refund: fields('status', 'amount', 'reason', 'note', 'requested_at', 'decided_at'),
      cancel: fields('status', 'requested_at', 'decided_at'),
    }),
  },
  '/order/usage': { may: 'see', viewed: answer(USAGE) },
  '/order/refund': { may: 'refund' },
  '/order/cancel': { may: 'refund' },
  '/esim/list': {
    may: 'see',
    viewed: answer({
      count: true,
      has_more: true,
      esims: {
        ...fields('iccid', 'order_id', 'reference', 'product_id', 'product_title', 'country_code', 'country_name'),
        ...fields('state', 'total_mb', 'used_mb', 'activated_at', 'expires_at', 'fetched_at', 'refills'),
        ...PHONE,
      },
    }),
  },
  '/esim/detail': {
    may: 'see',
    viewed: answer({
      ...USAGE,
      esim: {
        ...ESIM,
        state: true,
        ...PHONE,
      },
      orders: {
        ...fields('order_id', 'product_type', 'product_id', 'product_title', 'sale_price', 'status', 'reference'),
        ...fields('date'),
      },
      install: {
        steps: fields('lang', 'iphone', 'android'),
      },
      autorefill: fields('product_id', 'at_percent', 'times', 'done', 'max_price', 'stopped'),
    }),
  },
  '/esim/refills': {
    may: 'see',
    viewed: answer({
      ...fields('iccid', 'refillable', 'count'),
      products: PRODUCT,
    }),
  },
  '/esim/suspend': { may: 'refund' },
  '/esim/resume': { may: 'refund' },
  '/esim/replace': { may: 'buy' },
  '/esim/autorefill': { may: 'buy' },
  '/invoice/list': {
    may: 'see-money',
    viewed: answer({ ...fields('count', 'has_more'), invoices: INVOICE }),
  },
  '/invoice/detail': {
    may: 'see-money',
    viewed: answer({
      invoice: {
        ...INVOICE,
        lines: fields('description', 'quantity', 'unit_price', 'amount', 'tax_category', 'tax_rate'),
        seller: fields('name', 'address', 'country', 'vat_id', 'id'),
        buyer: fields('name', 'address', 'country', 'vat_id', 'email'),
        reason: true,
      },
    }),
  },
  '/invoice/pdf': { may: 'see-money' },
  '/invoice/xml': { may: 'see-money' },
  '/account/balance': { may: 'see-money', viewed: answer(fields('balance')) },
  // Also for buyers who do not see the balance: what was spent is the sum of the orders, which they see.
  '/account/limits': {
    may: 'see',
    viewed: answer({
      limits: fields('scope', 'per', 'amount', 'count', 'used_amount', 'used_count', 'resets_at'),
    }),
  },
  '/account/history': {
    may: 'see-money',
    viewed: answer({
      balance: true,
      has_more: true,
      ledger: LEDGER,
      balances: fields('balance', 'promo', 'cash', 'debt'),
    }),
  },
  '/account/statement': {
    may: 'see-money',
    viewed: answer({
      ...fields('billing_mode', 'credit_limit', 'outstanding', 'available', 'profit_share_enabled', 'status'),
      ...fields('currency', 'count', 'has_more'),
      ledger: LEDGER,
    }),
  },
  '/account/profitshare': {
    may: 'see-money',
    viewed: answer({
      ...fields('profit_share_enabled', 'count', 'total_share', 'total_unused_mb', 'currency'),
      items: {
        ...fields('id', 'sale_id', 'order_id', 'iccid', 'product_title', 'plan_mb', 'used_mb', 'unused_mb'),
        ...fields('unit_cost', 'unused_cost', 'share_pct', 'amount', 'channel', 'settle_debt', 'settle_wallet'),
        ...fields('status', 'capped', 'date', 'settled_at'),
      },
    }),
  },
  '/account/pricing': {
    may: 'see-money',
    viewed: answer({
      pricing: {
        ...fields('margin_share_pct', 'margin_share_source', 'total_share_cap_pct', 'active_rule_count'),
        ...fields('average_discount_pct', 'is_average', 'sample_size', 'sample_scope', 'currency'),
        tier: fields('window_days', 'topup_usd', 'current_pct', 'next_min_usd', 'next_pct'),
      },
    }),
  },
  // The payment provider's secret for this payment. It can be read again to resume the payment.
  '/account/topup': { may: 'spend', shownOnce: 'the payment is open already; continue it in the list of payments' },
  '/account/topupConfirm': { may: 'spend' },
  '/account/sandboxBalance': { may: 'develop' },
  '/account/sandboxReset': { may: 'develop' },
  '/sandbox/profile': { may: 'develop' },
  '/sandbox/invoice': { may: 'develop' },
  '/webhook/list': {
    may: 'see',
    viewed: answer({
      count: true,
      events: true,
      subscriptions: fields('id', 'url', 'secret_mask', 'events_list', 'status', 'fail_count', 'date', 'updated_at'),
    }),
  },
  '/webhook/deliveries': {
    may: 'see',
    viewed: answer({
      ...fields('count', 'limit', 'statuses', 'events', 'payload_pruned', 'signature_rule'),
      deliveries: DELIVERY,
      delivery: DELIVERY,
    }),
  },
  '/webhook/test': { may: 'develop' },
  '/webhook/probe': { may: 'develop' },
};

/** Unknown paths are refused later, for everybody alike. An endpoint missing in the table is for owners only. */
export const permissionFor = (path: string | undefined): Permission =>
  path === undefined ? 'see' : (v3Permissions[path]?.may ?? 'manage');

export function keptOf(path: string | undefined): Kept {
  const shownOnce = v3Permissions[path ?? '']?.shownOnce;
  return shownOnce === undefined ? 'answer' : { shownOnce };
}

/** A refusal of the API says why, and nothing of an order. */
const REFUSAL = answer(
  fields('error', 'message', ...Object.values(errors).flatMap(({ sample }) => Object.keys(sample))),
);

/** The fields of an answer that a viewing operator sees; undefined: none. */
export const viewedOf = (path: string | undefined, status: number): Fields | 'whole' | undefined =>
  status >= 400 ? REFUSAL : v3Permissions[path ?? '']?.viewed;
