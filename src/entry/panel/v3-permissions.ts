import type { Permission } from '../../domains/partners/people/people.ts';
import type { Kept } from '../../platform/audit/action-keys.ts';
import { errors } from '../../platform/contract/errors.ts';
import { type Fields, fieldsOf } from './viewed.ts';

interface ForMembers {
  /** What a member's role must allow. */
  readonly may: Permission;
  /** What an operator sees when viewing the panel (`viewed.ts`); `whole`: it is the catalog. Without it they see nothing. */
  readonly viewed?: Fields | 'whole';
  /** What a repeat of a change is told, if its answer has a secret in it, which is not kept. */
  readonly shownOnce?: string;
}

const ENVELOPE = 'result,code,title,api_version,livemode,ignored';
const shows = (fields: string): Fields => fieldsOf(`${ENVELOPE},${fields}`);

const PRODUCT = `id,title,country_code,country_title,country_image,region,continent,data,amount,day,is_unlimited,price,sale_price,
  price_per_gb,operator_title,network_type,coverage_codes,coverage_names_en,fup_kind,fup_daily_mb,fup_speed_kbps,fair_use_text,
  is_usage_metered,partner_price,partner_discount,partner_margin_share_pct,source,networks,activation_policy,refillable,kyc_required,
  apn(type,value),voice_minutes,sms,install_window_days`;
const ORDER = `id,product_id,product_title,title_display,product_price,sale_price,coupon_code,date,status,api_sale_id,api_sale_code,
  reference,networks,activation_policy,data,day,fair_use_text,country_code,country_image,country_name,is_unlimited`;
const LISTED = `${ORDER},product_type,refunded,esim(iccid)`;
const USAGE = `usage(iccid,sale_id,title,status,tone,total_mb,used_mb,remaining_mb,percent_remaining,is_unlimited,fair_use_text,
  activated_at,expires_at,days_left,fetched_at)`;
/** Not what installs it: codes, QR image and links. */
const ESIM = 'iccid,msisdn,apn,apn_type,apn_value,is_roaming';
/** Not what a receiver answered, and not the body. */
const DELIVERY = `id,subscription_id,event_id,event_type,sale_id,status,held,attempts,max_attempts,http_code,duration_ms,error,
  sent_at,date`;

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
    viewed: shows(
      'product_id,product_title,list_price,partner_price,discount,source,billing_mode,available,can_buy,blocked_by',
    ),
  },
  '/purchase/batch/{id}': {
    may: 'see',
    viewed: shows(`batch_id,orders(${LISTED}),count,charged,delivered,deferred,failed`),
  },
  '/order/get': {
    may: 'see',
    viewed: shows(`order(${LISTED}),has_more`),
  },
  '/order/detail': {
    may: 'see',
    viewed: shows(
      `order(${ORDER},voice,text,short_info,fup_kind,fup_daily_mb,fup_speed_kbps,operator_title,operator_image),esim(${ESIM}),
      operator_meta(activation_policy,plan_type,esim_type,is_roaming,is_kyc_verify,rechargeability,apn_type,apn_value,info,other_info,
      warning),refund(status,amount,reason,note,requested_at,decided_at),cancel(status,requested_at,decided_at)`,
    ),
  },
  '/order/usage': { may: 'see', viewed: shows(USAGE) },
  '/order/refund': { may: 'refund' },
  '/order/cancel': { may: 'refund' },
  '/esim/list': {
    may: 'see',
    viewed: shows(
      `esims(iccid,order_id,reference,product_id,product_title,country_code,country_name,state,total_mb,used_mb,activated_at,expires_at,
      fetched_at,refills),count,has_more`,
    ),
  },
  '/esim/detail': {
    may: 'see',
    viewed: shows(
      `esim(${ESIM},state),${USAGE},orders(order_id,product_type,product_id,product_title,sale_price,status,reference,date),install(steps(lang,iphone,android))`,
    ),
  },
  '/esim/refills': { may: 'see', viewed: shows(`iccid,refillable,products(${PRODUCT}),count`) },
  '/account/balance': { may: 'see-money', viewed: shows('balance') },
  '/account/history': {
    may: 'see-money',
    viewed: shows(
      `ledger(id,type,amount,balance_after,order_id,note,date,reference,product_title),balance,balances(balance,promo,cash,debt),has_more`,
    ),
  },
  '/account/statement': {
    may: 'see-money',
    viewed: shows(
      `billing_mode,credit_limit,outstanding,available,profit_share_enabled,status,currency,
      ledger(id,type,amount,balance_after,order_id,note,date,reference,product_title),count,has_more`,
    ),
  },
  '/account/profitshare': {
    may: 'see-money',
    viewed: shows(
      `profit_share_enabled,items(id,sale_id,order_id,iccid,product_title,plan_mb,used_mb,unused_mb,unit_cost,unused_cost,share_pct,
      amount,channel,settle_debt,settle_wallet,status,capped,date,settled_at),count,total_share,total_unused_mb,currency`,
    ),
  },
  '/account/pricing': {
    may: 'see-money',
    viewed: shows(
      `pricing(margin_share_pct,margin_share_source,tier(window_days,topup_usd,current_pct,next_min_usd,next_pct),total_share_cap_pct,
      active_rule_count,average_discount_pct,is_average,sample_size,sample_scope,currency)`,
    ),
  },
  // The payment provider's secret for this payment. It can be read again to resume the payment.
  '/account/topup': { may: 'spend', shownOnce: 'the payment is open already; continue it in the list of payments' },
  '/account/topupConfirm': { may: 'spend' },
  '/account/sandboxBalance': { may: 'develop' },
  '/account/sandboxReset': { may: 'develop' },
  '/webhook/list': {
    may: 'see',
    viewed: shows('count,events,subscriptions(id,url,secret_mask,events_list,status,fail_count,date,updated_at)'),
  },
  '/webhook/deliveries': {
    may: 'see',
    viewed: shows(
      `count,limit,statuses,events,deliveries(${DELIVERY}),delivery(${DELIVERY}),payload_pruned,signature_rule`,
    ),
  },
  '/webhook/test': { may: 'develop' },
  '/webhook/probe': { may: 'develop' },
};

/** Unknown paths are refused later, for everybody alike. An endpoint missing in the table is for owners only. */
export const permissionFor = (path: string | undefined): Permission =>
  path === undefined ? 'see' : (v3Permissions[path]?.may ?? 'manage');

/** What is kept of an answer under the key of the change. */
export function keptOf(path: string | undefined): Kept {
  const shownOnce = v3Permissions[path ?? '']?.shownOnce;
  return shownOnce === undefined ? 'answer' : { shownOnce };
}

/** A refusal of the API says why, and nothing of an order. */
const REFUSAL = shows(
  ['error', 'message', ...Object.values(errors).flatMap(({ sample }) => Object.keys(sample))].join(),
);

/** The fields of an answer that a viewing operator sees; undefined: none. */
export const viewedOf = (path: string | undefined, status: number): Fields | 'whole' | undefined =>
  status >= 400 ? REFUSAL : v3Permissions[path ?? '']?.viewed;
