import type { ActivityView as Activity } from '../../../../../src/entry/panel/account/activity.ts';
import type { ActivityKind } from '../../../../../src/entry/panel/account/activity-kinds.ts';
import { permissionsText } from '../../../subjects/keys/permissions.ts';
import { roleName } from '../../../subjects/people/roleName.ts';

/** What was done, as a sentence without its subject. `about` is an address, a key, a webhook or an order. */
const sentences: Readonly<Record<ActivityKind, (about: string, isOperator: boolean) => string>> = {
  'key create': (key) => `Created the API key ${key}`,
  'key set': (key) => `Changed the API key ${key}`,
  'key revoke': (key) => `Revoked the API key ${key}`,
  // Operators use the same command for a forgotten password.
  'member invite': (email, isOperator) =>
    isOperator ? `Made a link for ${email} to sign in with` : `Invited ${email}`,
  'member invite again': (email) => `Made a new invitation link for ${email}`,
  'member join': () => 'Accepted an invitation with an existing password',
  'member set': (email) => `Changed the role of ${email}`,
  'member remove': (email) => `Removed ${email}`,
  'member reset-second-factor': (member) => `Reset the two-step sign-in of ${member}`,
  'sign up': () => 'Signed up',
  'live apply': () => 'Applied for live',
  'live answer': () => 'Answered a question about the application for live',
  'application approve': () => 'Approved the application for live',
  'partner open-live': () => 'Opened live for this account',
  'application ask': () => 'Asked a question about the application for live',
  'application reject': () => 'Rejected the application for live',
  'password set by link': () => 'Set a password with a link',
  'password change': () => 'Changed their password',
  'second factor on': () => 'Turned on two-step sign-in',
  'second factor off': () => 'Turned off two-step sign-in',
  'recovery codes renew': () => 'Made new recovery codes',
  'webhook create': (url) => `Created a webhook to ${url}`,
  'webhook set': (url) => `Changed the webhook to ${url}`,
  'webhook pause': (url) => `Paused the webhook to ${url}`,
  'webhook resume': (url) => `Resumed the webhook to ${url}`,
  'webhook rotate': (webhook) => `Rotated the signing secret of ${webhook}`,
  'webhook rotate finish': (url) => `Ended the old signing secret of the webhook to ${url}`,
  'webhook delete': (webhook) => `Deleted ${webhook}`,
  'webhook requeue': (delivery) => `Sent ${delivery} again`,
  'webhook resend': (about) => `Asked to send ${about.startsWith('webhook') ? `deliveries of ${about}` : about} again`,
  'brand set': () => 'Changed the traveller’s page',
  'share revoke': (order) => `Revoked the traveller’s link of ${order}`,
  'share renew': (order) => `Made a new traveller’s link for ${order}`,
  'share mail': (order) => `Mailed the traveller’s page of ${order}`,
  'order buy': (order) => `Bought ${order}`,
  'order resend': (order) => `Sent the events of ${order} again`,
  'sandbox clock advance': () => 'Advanced the sandbox’s clock',
  'sandbox clock reset': () => 'Reset the sandbox’s clock',
  'retail set': () => 'Changed what retail prices are made of',
  'retail price set': () => 'Changed a retail price',
  'partner set': () => 'Changed the account',
};

const fields: Readonly<Record<string, string>> = {
  mode: 'World',
  name: 'Name',
  note: 'Note',
  allow_list: 'Allowed IP addresses',
  permissions: 'May only',
  expires_at: 'Expires',
  tier_ceilings: 'Rate limits',
  spending_limit: 'What agents may spend (USD)',
  role: 'Role',
  url: 'URL',
  events: 'Events',
  resent: 'Deliveries sent again',
  status: 'Status',
  event: 'Event',
  from: 'From',
  until: 'Until',
  display_name: 'Name shown',
  color: 'Colour',
  support_url: 'Support page',
  plan: 'Plan',
  destination: 'Destination',
  retail_price: 'Retail price',
  currency: 'Currency',
  rate: 'Rate to the dollar',
  markup: 'Markup in percent',
  ending: 'Prices end with',
  refill_url: 'Refill page',
  ahead_seconds: 'Seconds ahead of real time',
  balance_alert: 'Balance alert (USD)',
  billing_mode: 'Billing',
  credit_limit: 'Credit limit (USD)',
  suspended: 'Suspended',
  revenue_share_pct: 'Revenue share (%)',
};

export const sentenceOf = ({ kind, about, by }: Activity): string => sentences[kind](about, by === null);

/** `Role: Finance → Developer`; only the new value of what is new, and that something was taken away. */
export function changeText({ field, before, after }: Activity['changes'][number]): string {
  const word = (value: string) => {
    if (field === 'permissions') return permissionsText(value.split(', '));
    return field === 'role' && value in roleName ? roleName[value as keyof typeof roleName] : value;
  };
  const name = fields[field] ?? field;
  if (after === null) return `${name}: ${word(before ?? '')} → none`;
  return before === null ? `${name}: ${word(after)}` : `${name}: ${word(before)} → ${word(after)}`;
}
