import type { PartnerView } from '../../../../../src/console/partner.ts';
import type { PartnerKeyView } from '../../../../../src/console/partner-access.ts';
import { type Tier, tierNames } from '../../../../../src/contract/tiers.ts';
import type { Move } from './balanceAfter.ts';

/*
 * What the forms of these pages send to their commands. Apart from the components, so that a test can send exactly the same.
 * A command ignores an empty text, so what is empty is left out or sent as the word that clears it.
 */

type Input = Readonly<Record<string, string | boolean>>;

export interface WantedPartner {
  readonly name: string;
  readonly email: string;
  readonly billing: string;
  readonly creditLimit: string;
}

export const newPartnerInput = ({ name, email, billing, creditLimit }: WantedPartner): Input => ({
  name: name.trim(),
  email: email.trim(),
  billing,
  ...(billing === 'postpaid' && creditLimit.trim() !== '' && { 'credit-limit': creditLimit.trim() }),
});

export const inviteInput = (partnerId: number, email: string, role?: string): Input => ({
  partner: String(partnerId),
  email: email.trim(),
  ...(role !== undefined && { role }),
});

/** The fields of a partner's terms as a form holds them; '' where there is none. */
export interface Terms {
  readonly billing: string;
  readonly creditLimit: string;
  readonly balanceAlert: string;
  readonly marginShare: string;
  readonly revenueShare: string;
}

export const termsOf = (of: PartnerView): Terms => ({
  billing: of.billing_mode,
  creditLimit: of.wallet.credit_limit,
  balanceAlert: of.balance_alert ?? '',
  marginShare: of.margin_share_pct ?? '',
  revenueShare: of.revenue_share_pct ?? '',
});

/** Only what was changed: two people who change different terms do not undo each other. Empty: nothing was. */
export function termsInput(was: Terms, wanted: Terms): Input {
  const changed = (name: keyof Terms) => wanted[name].trim() !== was[name];
  return {
    ...(changed('billing') && { billing: wanted.billing }),
    ...(changed('creditLimit') && { 'credit-limit': wanted.creditLimit.trim() || '0' }),
    ...(changed('balanceAlert') && { 'balance-alert': wanted.balanceAlert.trim() || 'off' }),
    ...(changed('marginShare') && { 'margin-share': wanted.marginShare.trim() || 'none' }),
    ...(changed('revenueShare') && { 'revenue-share': wanted.revenueShare.trim() || 'off' }),
  };
}

/** Which of the wallet's commands a move is, and what it takes. */
export function moveInput(partnerId: number, { kind, amount, by, what }: Move, note: string): Input {
  const common = { partner: String(partnerId), ...(note.trim() !== '' && { note: note.trim() }) };
  if (kind === 'adjust')
    return {
      ...common,
      [by]: amount.trim(),
      ...(what === 'promo' && { promo: true }),
      ...(what === 'debt' && { debt: true }),
    };
  return { ...common, amount: amount.trim(), ...(kind === 'promo' && { promo: true }) };
}

/** The end of the last day, in UTC. */
const endOf = (day: string): string => `${day} 23:59:59`;

interface KeyFields {
  readonly name: string;
  /** As typed, one per line or separated by commas. */
  readonly allow: string;
  /** The last day it works, '' for a key that does not expire. */
  readonly lastDay: string;
}

const listed = (allow: string): string =>
  allow
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .join(',');

export const newKeyInput = (partnerId: number, mode: string, { name, allow, lastDay }: KeyFields): Input => ({
  partner: String(partnerId),
  mode,
  ...(name.trim() !== '' && { name: name.trim() }),
  ...(listed(allow) !== '' && { allow: listed(allow) }),
  ...(lastDay !== '' && { 'expires-at': endOf(lastDay) }),
});

export type Ceilings = Readonly<Record<Tier, string>>;

/** Only what was changed. */
export function keyInput(
  key: PartnerKeyView,
  wanted: KeyFields & { readonly ceilings: Ceilings; readonly spending?: string },
): Input {
  const { name, lastDay, spending = key.spending_limit } = wanted;
  const allow = listed(wanted.allow);
  const ceilings = tierNames
    .map((tier) => [tier, wanted.ceilings[tier].trim()] as const)
    .filter(([tier, value]) => value !== String(key.tier_ceilings[tier] ?? ''))
    .map(([tier, value]) => `${tier}=${value || 'none'}`);
  return {
    id: String(key.id),
    ...(name.trim() !== '' && name.trim() !== key.name && { name: name.trim() }),
    ...(allow !== key.allow_list.join(',') && { allow: allow || 'any' }),
    ...(lastDay !== (key.expires_at?.slice(0, 10) ?? '') && {
      'expires-at': lastDay === '' ? 'never' : endOf(lastDay),
    }),
    ...(ceilings.length > 0 && { ceilings: ceilings.join(',') }),
    ...(spending.trim() !== key.spending_limit && { 'spending-limit': spending.trim() || 'none' }),
  };
}

interface WantedSubscription {
  readonly url: string;
  readonly events: readonly string[];
}

export const newSubscriptionInput = (partnerId: number, mode: string, { url, events }: WantedSubscription): Input => ({
  partner: String(partnerId),
  mode,
  url: url.trim(),
  events: events.join(','),
});

export const subscriptionInput = (id: string, { url, events }: WantedSubscription): Input => ({
  id,
  url: url.trim(),
  events: events.join(','),
});
