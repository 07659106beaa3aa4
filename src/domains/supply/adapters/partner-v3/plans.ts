import { type PlanEntry, slugOf } from '../../../catalog/import-format/import-format.ts';
import { type Json, microsOf, numberOf, textOf } from '../loose.ts';
import { clip, installWindow, isIso, MAX_NETWORKS, priceFields } from '../plan-fields.ts';

/** A country's code, or the slug of a region. */
export function destinationOf(code: unknown): string {
  const text = textOf(code) ?? '';
  return isIso(text.toUpperCase()) ? text.toUpperCase() : slugOf(text);
}

/**
 * A plan of theirs as ours: it costs us our price there, and its list price is theirs unless we set a markup. Fields beyond the contract
 * are used where they are there. `is_usage_metered` is not taken over: whatever their cost depends on, ours is fixed.
 */
export function planOf(product: Json): PlanEntry {
  const [price, cost] = [microsOf(product.price), microsOf(product.partner_price)];
  const isUnlimited = product.is_unlimited === true || product.is_unlimited === '1' || product.is_unlimited === 1;
  const coverage = texts(product.coverage_codes).filter(isIso);
  const fairUse = clip(product.fair_use_text);
  return {
    code: textOf(product.id) ?? '',
    destination: destinationOf(product.country_code),
    title: (textOf(product.title) ?? '').slice(0, 200),
    amount: isUnlimited ? 0 : Math.round(numberOf(product.amount) ?? 0),
    day: Math.round(numberOf(product.day) ?? 0),
    ...(isUnlimited && { is_unlimited: true }),
    network_type: textOf(product.network_type)?.toUpperCase() === '5G' ? '5G' : '4G',
    ...priceFields(price, cost),
    ...(coverage.length > 0 && { coverage }),
    fup_kind: clip(product.fup_kind) ?? 'unknown',
    fup_daily_mb: Math.max(0, Math.round(numberOf(product.fup_daily_mb) ?? 0)),
    fup_speed_kbps: Math.max(0, Math.round(numberOf(product.fup_speed_kbps) ?? 0)),
    ...(fairUse !== null && { fair_use_text: fairUse }),
    ...counted('voice', product.voice_minutes),
    ...counted('text', product.sms),
    ...installWindow(product.install_window_days),
    operator: operatorOf(product),
  };
}

function operatorOf(product: Json): NonNullable<PlanEntry['operator']> {
  const [title, policy] = [clip(product.operator_title), clip(product.activation_policy)];
  const networks = texts(product.networks).slice(0, MAX_NETWORKS);
  const { type, value } = (product.apn ?? {}) as Json;
  const apnType = clip(type);
  return {
    ...(title !== null && { title }),
    ...(networks.length > 0 && { networks }),
    ...(policy !== null && { activation_policy: policy }),
    ...(typeof product.kyc_required === 'boolean' && { is_kyc_verify: product.kyc_required }),
    ...(typeof product.refillable === 'boolean' && { rechargeability: product.refillable }),
    ...(apnType !== null && { apn_type: apnType, apn_value: clip(value) }),
  };
}

function counted(name: 'voice' | 'text', value: unknown): Partial<Pick<PlanEntry, 'voice' | 'text'>> {
  const count = Math.round(numberOf(value) ?? 0);
  return count > 0 ? { [name]: count } : {};
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap((one) => clip(one) ?? []) : []);
