import { type TSchema, Type } from 'typebox';
import { type EventName, eventNames, sentWhen } from '../src/domains/messages/events/events.ts';
import { languages } from '../src/domains/messages/texts/texts.ts';
import { profileStates } from '../src/domains/supply/port/port.ts';
import { helpTable } from '../src/domains/travellers/travellers.ts';
import { limitSchema } from '../src/entry/api/endpoints/account/limits.ts';
import { VERSION_PATTERN } from '../src/entry/api/endpoints/catalog/versions.ts';
import { autorefillRule, stoppedSchema } from '../src/entry/api/endpoints/esim/autorefill.ts';
import { profileSchema } from '../src/entry/api/endpoints/esim/rows.ts';
import { invoiceRowSchema } from '../src/entry/api/endpoints/invoice/rows.ts';
import { usageSchema } from '../src/entry/api/endpoints/order/usage.ts';
import { orderStatus, refund, replacement } from '../src/entry/api/views.ts';
import { named, nullable } from '../src/platform/contract/described.ts';
import type { Components, Json } from './components.ts';
import { eventExample } from './recorded.ts';

const reference = Type.String({
  description: 'Your own reference of the order; empty if you gave none.',
  examples: [''],
});
const iccid = Type.String({ description: 'The number of the eSIM; empty before delivery.' });
const usd = (description: string) => Type.String({ description: `${description}, in USD, two decimals.` });

const order = {
  order_id: Type.Integer({ description: 'The order.' }),
  status: orderStatus('How far the order is. Treat it and `delivery` as the truth, whatever order events arrive in.'),
  delivery: Type.String({
    description: '`delivered`, `deferred` or `failed`; empty before that is known.',
    examples: ['delivered'],
  }),
  delivery_reason: Type.String({
    description: 'Why it is deferred or failed; may be empty.',
    examples: ['awaiting_profile'],
  }),
  iccid,
  qr_code: Type.String({
    description: 'The text of the QR code, a secret: whoever installs it first owns the line. Empty before delivery.',
    examples: ['LPA:1$smdp.example.com$K2-1A2B3C'],
  }),
  reference,
};
const esim = {
  iccid,
  order_id: Type.Integer({ description: 'The order that brought it.' }),
  reference,
  usage: usageSchema,
};
const phone = {
  iccid,
  order_id: Type.Integer({ description: 'The order that brought it.' }),
  reference,
  profile: profileSchema,
};
const help = Type.Object(
  {
    id: Type.Integer({ description: 'The request, as the panel numbers it.' }),
    shows: Type.Enum([...helpTable.symptoms], { description: 'What the phone shows, as the traveller chose it.' }),
    step: Type.Enum([...helpTable.steps], { description: 'What the page advised before they asked.' }),
    language: Type.Enum(Object.keys(languages), { description: 'The language they read.' }),
    email: Type.String({ description: 'Where they want the answer; may be empty.' }),
    message: Type.String({ description: 'What they wrote; may be empty.' }),
    facts: Type.Object(
      {
        profile_state: Type.Enum([...profileStates], { description: 'The eSIM on the phone.' }),
        country: nullable(Type.String({ description: 'Where it was last seen (ISO code).' })),
        covered: nullable(Type.Boolean({ description: 'Whether the plan covers that country.' })),
        used: Type.Boolean({ description: 'Data was used.' }),
        data_left: Type.Boolean({ description: 'False: all data is used.' }),
        remaining_mb: nullable(Type.Number({ description: 'Null: unlimited, or never read.' })),
        ends_at: nullable(Type.String({ description: 'When the plan ends (ISO 8601).' })),
        ended: Type.Boolean({ description: 'The plan has ended.' }),
        suspended: Type.Boolean({ description: 'Its service is suspended.' }),
        delivered: Type.Boolean({ description: 'False: a new eSIM that replaces it is not there yet.' }),
        supplier_outage: Type.Boolean({ description: 'The supplier does not answer.' }),
        apn_needed: Type.Boolean({ description: 'The traveller has to enter an APN.' }),
      },
      { description: 'What was known when they asked.' },
    ),
  },
  { description: 'The request for help.' },
);
const balance = usd('What can be spent now; on credit terms the free credit');

/** The fields of each event beside those all events have. */
const own: Readonly<Record<EventName, Readonly<Record<string, TSchema>>>> = {
  'order.created': order,
  'order.paid': order,
  'order.delivered': order,
  'order.deferred': order,
  'order.failed': order,
  'order.test': {
    ...order,
    status: Type.Literal('test', { description: 'It describes no order.' }),
    note: Type.String({ description: 'Says that this is a test.' }),
  },
  'order.refunded': { ...order, refund },
  'order.refund_requested': { ...order, refund },
  'order.refund_rejected': { ...order, refund },
  'esim.activated': esim,
  'esim.usage_high': esim,
  'esim.depleted': esim,
  'esim.expiring': esim,
  'esim.expired': esim,
  'esim.installed': phone,
  'esim.removed': phone,
  'esim.country_changed': {
    ...phone,
    country: nullable(Type.String({ description: 'ISO code of the country where it was seen.', examples: ['FR'] })),
    covered: nullable(Type.Boolean({ description: 'Whether the plan covers it; null: not known.', examples: [true] })),
  },
  'esim.suspended': phone,
  'esim.resumed': phone,
  'esim.replaced': {
    iccid: Type.String({ description: 'The number of the eSIM that was replaced.' }),
    order_id: Type.Integer({ description: 'The order that brought it.' }),
    reference,
    replacement,
  },
  'esim.autorefill_stopped': {
    iccid,
    order_id: esim.order_id,
    reference,
    stopped: stoppedSchema,
    autorefill: autorefillRule,
  },
  'esim.help_requested': { iccid, order_id: esim.order_id, reference, help },
  'account.balance_low': { balance, level: usd('Your alert level') },
  'topup.succeeded': { balance, amount: usd('What was credited') },
  'account.limit_reached': { limit: limitSchema },
  'catalog.changed': {
    version: Type.String({ pattern: VERSION_PATTERN, description: 'Names the catalog as it is now.' }),
    since: Type.String({
      pattern: VERSION_PATTERN,
      description: 'The version before: `catalog/changes` with it answers what changed.',
    }),
    changed: Type.Integer({ description: 'Plans that are new, or different in any field.' }),
    removed: Type.Integer({ description: 'Plans that are no longer on sale.' }),
    prices_up: Type.Integer({ description: 'Plans that cost you more than before.' }),
    prices_down: Type.Integer({ description: 'Plans that cost you less than before.' }),
  },
  'invoice.issued': { invoice: invoiceRowSchema },
  'invoice.paid': { invoice: invoiceRowSchema },
  'invoice.overdue': { invoice: invoiceRowSchema },
  'invoice.voided': { invoice: invoiceRowSchema },
};

const eventTitle = (event: EventName): string =>
  `${event.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

export const eventSchema = (event: EventName) =>
  named(eventTitle(event), sentWhen[event], {
    event: Type.Literal(event, { description: 'What happened.' }),
    event_id: Type.String({
      description: 'Names the event. A repetition has the same one, so receivers recognise it.',
    }),
    occurred_at: Type.String({ description: 'When it happened: ISO 8601 with an offset.' }),
    livemode: Type.Optional(Type.Literal(false, { description: 'In sandbox events only.', examples: [false] })),
    ...own[event],
  });

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
});

/** The same for every event. */
export const eventHeaders: Readonly<Record<string, Json>> = {
  WebhookEvent: header('X-Webhook-Event', 'The name of the event.', 'order.delivered'),
  WebhookId: header('X-Webhook-Id', 'The number of the delivery; 0 for probes.', '5001'),
  WebhookTimestamp: header(
    'X-Webhook-Timestamp',
    'Unix seconds. Refuse one more than 300 s from your clock.',
    '1772366400',
  ),
  Signature: header(
    'X-Signature',
    '`sha256=` and the lower-case hex HMAC-SHA256 of timestamp, `.` and raw body. The key is the signing secret as shown, `whsec_` included. Compare in constant time.',
    'sha256=5f0f4a4d…',
  ),
  StandardId: header('webhook-id', 'The `event_id`, for Standard Webhooks libraries.', 'order.delivered:1042:1'),
  StandardTimestamp: header('webhook-timestamp', 'The same timestamp, for Standard Webhooks libraries.', '1772366400'),
  StandardSignature: header(
    'webhook-signature',
    'The signature as Standard Webhooks libraries check it. While a secret is being rotated, it has one per secret.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

export const webhookPaths = (components: Components): Json =>
  Object.fromEntries(
    eventNames.map((event) => [
      event,
      {
        post: {
          operationId: `event_${event.replace('.', '_')}`,
          summary: sentWhen[event],
          description:
            'Any 2xx within 10 seconds counts as received. Anything else is retried after 1 minute, 5 minutes, 30 minutes and 2 hours. Events can arrive more than once and in any order.',
          tags: ['events'],
          security: [],
          parameters: Object.keys(eventHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            description: 'Verify the signature over these bytes, before they are parsed.',
            content: {
              'application/json': {
                schema: components.schema(eventSchema(event), event),
                examples: { [event]: { summary: sentWhen[event], value: eventExample(event) } },
              },
            },
          },
          responses: {
            '200': { description: 'Received. Any other 2xx will do as well.' },
            '400': { description: 'Refused, for example because the signature is wrong. It is retried.' },
          },
        },
      },
    ]),
  );
