import type { Actions } from '../../../../../src/actions/actions.ts';
import type { Role } from '../../../../../src/domains/partners/people/people.ts';
import type { PartnerKeyView, PartnerView } from '../../../../../src/entry/console/partners/partner.ts';
import { type Tier, tierNames } from '../../../../../src/platform/contract/key-terms.ts';
import type { Mode } from '../../../parts/mode.ts';
import { type Billing as BillingDetails, type BillingTexts, textsOf } from '../../../subjects/invoices/billing.ts';
import type { KeyForm } from '../../../subjects/keys/keys.ts';
import type { WantedSubscription } from '../../../subjects/webhooks/webhooks.ts';
import type { Move } from './balanceAfter.ts';

/*
 * What the forms of these pages send to their actions. Apart from the components, so that a test can send exactly the same.
 * Actions ignore empty texts, so an empty field is left out or sent as the word that clears it.
 */

type Input<N extends keyof Actions> = Actions[N]['input'];

export type Billing = NonNullable<Input<'partner create'>['billing']>;

interface WantedPartner {
  readonly name: string;
  readonly email: string;
  readonly billing: Billing;
  readonly creditLimit: string;
}

export const newPartnerInput = ({ name, email, billing, creditLimit }: WantedPartner): Input<'partner create'> => ({
  name: name.trim(),
  email: email.trim(),
  billing,
  ...(billing === 'postpaid' && creditLimit.trim() !== '' && { 'credit-limit': creditLimit.trim() }),
});

export const inviteInput = (partnerId: number, email: string, role?: Role): Input<'member invite'> => ({
  partner: String(partnerId),
  email: email.trim(),
  ...(role !== undefined && { role }),
});

/** The fields of a partner's terms as a form holds them; '' where there is none. */
export interface Terms {
  readonly billing: Billing;
  readonly creditLimit: string;
  readonly balanceAlert: string;
  readonly replacements: string;
  readonly marginShare: string;
  readonly revenueShare: string;
}

export const termsOf = (of: PartnerView): Terms => ({
  billing: of.billing_mode,
  creditLimit: of.wallet.credit_limit,
  balanceAlert: of.balance_alert ?? '',
  replacements: of.replacement_budget,
  marginShare: of.margin_share_pct ?? '',
  revenueShare: of.revenue_share_pct ?? '',
});

/** The fields of a partner's billing details that were changed. One that was emptied is removed by a word. */
export function billingInput(
  was: BillingDetails,
  wanted: BillingTexts,
  netDays: string,
): Omit<Input<'partner set'>, 'id'> {
  const before = textsOf(was);
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const changed = (name: keyof BillingTexts, write = (text: string) => text) =>
    wanted[name] === before[name] ? undefined : write(wanted[name]) || 'none';
  const given = {
    'legal-name': changed('legal_name'),
    'billing-address': changed('billing_address', (text) => lines(text).join('|')),
    'billing-country': changed('billing_country'),
    'vat-id': changed('vat_id'),
    'billing-email': changed('billing_email'),
    'net-days': netDays === String(was.net_days) ? undefined : netDays,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Only the changed fields, so two people who change different terms do not undo each other. Empty: nothing changed. */
export function termsInput(was: Terms, wanted: Terms): Omit<Input<'partner set'>, 'id'> {
  const changed = (name: keyof Terms) => wanted[name].trim() !== was[name];
  return {
    ...(changed('billing') && { billing: wanted.billing }),
    ...(changed('creditLimit') && { 'credit-limit': wanted.creditLimit.trim() || '0' }),
    ...(changed('balanceAlert') && { 'balance-alert': wanted.balanceAlert.trim() || 'off' }),
    ...(changed('replacements') && { replacements: wanted.replacements.trim() || '0' }),
    ...(changed('marginShare') && { 'margin-share': wanted.marginShare.trim() || 'none' }),
    ...(changed('revenueShare') && { 'revenue-share': wanted.revenueShare.trim() || 'off' }),
  };
}

/** The whole set, as it is typed; '' removes all of them. */
export const limitsInput = (partnerId: number, limits: string): Input<'partner set'> => ({
  id: String(partnerId),
  limit: limits.trim() || 'none',
});

type Call<N extends keyof Actions> = N extends unknown ? { readonly action: N; readonly input: Input<N> } : never;
export type MoveCall = Call<'wallet credit' | 'wallet payment' | 'wallet adjust'>;

/** Which of the wallet's actions a move is, and what it takes. */
export function moveCall(partnerId: number, { kind, amount, by, what }: Move, typedNote: string): MoveCall {
  const [partner, note, sum] = [String(partnerId), typedNote.trim(), amount.trim()];
  if (kind === 'adjust')
    return {
      action: 'wallet adjust',
      input: {
        partner,
        note,
        ...(by === 'add' ? { add: sum } : { subtract: sum }),
        ...(what === 'promo' && { promo: true }),
        ...(what === 'debt' && { debt: true }),
      },
    };
  const input = { partner, amount: sum, ...(note !== '' && { note }) };
  if (kind === 'payment') return { action: 'wallet payment', input };
  return { action: 'wallet credit', input: { ...input, ...(kind === 'promo' && { promo: true }) } };
}

/** The end of the last day, in UTC. */
const endOf = (day: string): string => `${day} 23:59:59`;

const listed = (allow: string): string =>
  allow
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .join(',');

export const newKeyInput = (
  partnerId: number,
  mode: Mode,
  { name = '', allow_list = '', expires_on = '', permissions }: KeyForm,
): Input<'key create'> => ({
  partner: String(partnerId),
  mode,
  ...(name.trim() !== '' && { name: name.trim() }),
  ...(listed(allow_list) !== '' && { allow: listed(allow_list) }),
  // Nothing chosen is refused by the server: left out, the key would not be restricted at all.
  ...(permissions && { permissions: permissions.join(',') || 'none' }),
  ...(expires_on !== '' && { 'expires-at': endOf(expires_on) }),
});

/** Only the changed fields; what the form has no field for stays as it is. Ceilings are in fields named after their tier. */
export function keyInput(
  key: PartnerKeyView,
  wanted: KeyForm & Readonly<Partial<Record<Tier, string>>>,
): Input<'key set'> {
  const lastDay = key.expires_at?.slice(0, 10) ?? '';
  const { name = '', expires_on = lastDay, limits = key.limits_text } = wanted;
  const allow = listed(wanted.allow_list ?? key.allow_list.join(','));
  const ceilings = tierNames
    .map((tier) => [tier, String(key.tier_ceilings[tier] ?? '')] as const)
    .map(([tier, was]) => ({ tier, was, value: wanted[tier]?.trim() ?? was }))
    .filter(({ was, value }) => value !== was)
    .map(({ tier, value }) => `${tier}=${value || 'none'}`);
  return {
    id: String(key.id),
    ...(name.trim() !== '' && name.trim() !== key.name && { name: name.trim() }),
    ...(allow !== key.allow_list.join(',') && { allow: allow || 'any' }),
    ...(expires_on !== lastDay && { 'expires-at': expires_on === '' ? 'never' : endOf(expires_on) }),
    ...(ceilings.length > 0 && { ceilings: ceilings.join(',') }),
    ...(limits.trim() !== key.limits_text && { limit: limits.trim() || 'none' }),
  };
}

export const newSubscriptionInput = (
  partnerId: number,
  mode: Mode,
  { url, events }: WantedSubscription,
): Input<'webhook create'> => ({
  partner: String(partnerId),
  mode,
  url: url.trim(),
  events: events.join(','),
});

export const subscriptionInput = (id: string, { url, events }: WantedSubscription): Input<'webhook set'> => ({
  id,
  url: url.trim(),
  events: events.join(','),
});
