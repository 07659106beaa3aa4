import { type TSchema, Type } from 'typebox';
import { limitSchema } from '../src/entry/api/endpoints/account/limits.ts';
import { billingMode } from '../src/entry/api/views.ts';
import { nullable, vocabulary } from '../src/platform/contract/described.ts';
import type { ErrorCode } from '../src/platform/contract/errors.ts';
import { type KeyPermission, tiers } from '../src/platform/contract/key-terms.ts';

const orderId = Type.Integer({ description: 'The order that was recorded. A batch that is refused records none.' });
const usd = (description: string) => Type.Number({ description: `${description}, in USD.` });

/** What the fields that an error carries beside the envelope say. */
const fields: Readonly<Record<string, TSchema>> = {
  allow: Type.Enum(['GET', 'POST'], { description: 'The verb the endpoint takes.' }),
  limit_per_minute: Type.Integer({ description: "The key's ceiling in this tier." }),
  tier: Type.Enum(Object.keys(tiers), { description: 'The tier the endpoint counts towards.' }),
  retry_after: Type.Integer({ description: 'Seconds until a call is admitted.' }),
  balance: usd('What the wallet can spend'),
  required: usd('What the purchase costs'),
  order_id: orderId,
  outstanding: usd('The debt now'),
  credit_limit: usd('How far the account can go into debt'),
  available: usd('The credit limit minus the debt'),
  billing_mode: billingMode,
  status: Type.Integer({ description: '2: the billing account is suspended.' }),
  reason: Type.String({ description: 'What the ledger refused.' }),
  partner_price: usd('What it would cost now'),
  max_price: usd('What you sent'),
  total: usd('What all of a batch would cost now'),
  max_total: usd('What you sent for a batch'),
  item: Type.Integer({ description: 'The item of the batch that is refused, counted from 0. Absent elsewhere.' }),
  batch: Type.Literal('purchase/batch', { description: 'The endpoint that buys many eSIMs at once.' }),
  min: Type.Number({ description: 'The smallest amount accepted, in USD.' }),
  max: Type.Number({ description: 'The largest amount accepted, in USD.' }),
  request_sent: Type.Literal(false, { description: 'No request was sent.' }),
  permission: vocabulary<KeyPermission>('What the key lacks.', {
    read: 'To read: every GET.',
    buy: 'To buy eSIMs and refills.',
    money: 'To ask for refunds, top up, and use the tools of the sandbox.',
    webhooks: 'To make, change, delete and test webhooks.',
  }),
  endpoint: Type.String({ description: 'The endpoint, as the contract names it.' }),
  allowed: Type.Array(Type.String(), { description: 'The codes that this endpoint can simulate.' }),
  pending: Type.Integer({ description: 'Deliveries that are waiting.' }),
  limit: Type.Integer({ description: 'How many may wait.' }),
};

const blockedBecause = vocabulary('Why the address may not be called.', {
  invalid_url: 'It is not a URL.',
  not_https: 'It does not begin with `https:`.',
  has_credentials: 'It has a user name or a password in it.',
  unresolvable_host: 'The host has no address.',
  private_address: 'The address is in a private network.',
  link_local_address: 'The address is link-local.',
  loopback_address: 'The address is the machine itself.',
  reserved_address: 'The address is reserved.',
});

/** Where a code means something else by a field. */
const otherwise: Partial<Record<ErrorCode, Readonly<Record<string, TSchema>>>> = {
  charge_in_progress: {
    order_id: nullable(
      Type.Integer({ description: 'The order; null while it is not on record yet.', examples: [1042] }),
    ),
  },
  charge_incomplete: {
    order_id: nullable(Type.Integer({ description: 'The order. Quote it to the operator.', examples: [1042] })),
  },
  invalid_items: {
    item: nullable(
      Type.Integer({ description: 'The item, counted from 0; null if `items` is no list.', examples: [0] }),
    ),
  },
  balance_out_of_range: {
    balance: usd('The balance, unchanged'),
    max: usd('The largest balance there can be'),
  },
  limit_exceeded: { limit: limitSchema },
  not_replaceable: {
    why: vocabulary('Why the eSIM is not replaced.', {
      used: 'Data was used, and it is still on its phone; or its time is up.',
      replaced: 'It was replaced before, or its replacement is on its way.',
      refunded: 'Its price went back, or is about to.',
    }),
  },
  probe_blocked: { reason: blockedBecause },
  url_blocked: { reason: blockedBecause },
};

export function errorField(code: ErrorCode, name: string): TSchema {
  const field = otherwise[code]?.[name] ?? fields[name];
  if (!field) throw new Error(`nothing says what ${name} of ${code} is`);
  return field;
}
