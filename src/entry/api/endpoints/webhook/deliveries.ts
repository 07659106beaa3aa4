import { contractEvents, eventNames, sentWhen } from '../../../../domains/messages/events/events.ts';
import {
  type DeliveryStatus,
  deliveryStatuses,
  type LoggedDelivery,
  signing,
} from '../../../../domains/messages/webhooks/webhooks.ts';
import { timestamp } from '../../../../platform/clock.ts';
import {
  described,
  type Meanings,
  named,
  nullable,
  said,
  utcTime,
  vocabulary,
} from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { custom, type Field, integer, notPlain, oneOf } from '../../../../platform/contract/fields.ts';
import { typedBigIdIn } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { type Context, type Described, endpoint, type Reply } from '../../endpoint.ts';
import { eventName } from './fields.ts';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const DIGITS = /^\d{1,20}$/;

/** Parsed only when needed: next to an `id` the other filters are ignored, even malformed ones. */
function filter<T>(field: Field<T>): Field<() => T> {
  return { ...field, parse: (raw) => () => field.parse(raw) };
}

const subscriptionId = custom<bigint | undefined>({
  schema: Type.String({
    pattern: '^[0-9]{1,20}$',
    description: 'Only deliveries to this subscription.',
    examples: ['12'],
  }),
  required: false,
  errors: ['invalid_subscription_id'],
  parse(raw) {
    if (raw === undefined) return undefined;
    if (raw === notPlain || !DIGITS.test(raw)) throw fail('invalid_subscription_id');
    // Well formed but larger than any id: nothing matches.
    return typedBigIdIn(raw) ?? 0n;
  },
});

const statusMeanings = {
  pending: 'Not tried yet.',
  sent: 'The receiver answered with a 2xx.',
  failed: 'Tried, and will be retried.',
  dead: 'Given up. The operator can send it again.',
} satisfies Meanings<DeliveryStatus>;

const Delivery = named('Delivery', 'One event on its way to one subscription.', {
  id: said.text('The number of the delivery.'),
  subscription_id: said.text('The subscription it goes to.'),
  event_id: said.text('The event. Receivers recognise a repetition by it.'),
  event_type: eventName('What happened.'),
  sale_id: said.text('The order it is about; 0 if it is about none.'),
  status: vocabulary('How far the delivery is.', statusMeanings),
  held: Type.Optional(
    Type.Literal(true, { description: 'Waits because its subscription is paused or disabled.', examples: [true] }),
  ),
  attempts: said.text('How often it was tried, without tries of a disabled subscription.'),
  max_attempts: said.text('How often it is tried at most.'),
  http_code: said.text('The status of the last answer; empty if there was none.', '200'),
  duration_ms: said.text('How long the last attempt took, in ms; empty: not tried.', '87'),
  response_body: said.text('The beginning of the last answer.', 'ok'),
  error: said.text('Why the last attempt got no answer; may be empty.', 'timeout'),
  sent_at: nullable(utcTime('When it was delivered; null: not yet.')),
  date: utcTime('When the event happened.'),
});

export const DeliveryList = named('DeliveryList', 'The latest deliveries.', {
  count: said.integer('How many this answer has.'),
  limit: said.integer('The limit that was applied.'),
  statuses: Type.Array(Type.String(), { description: 'Every status there is, for `status`.' }),
  events: Type.Array(Type.String(), { description: "The contract's events, for `event`." }),
  deliveries: Type.Array(Delivery, { description: 'The deliveries, newest first.' }),
});

const DeliveryDetail = named('DeliveryDetail', 'One delivery with its body.', {
  delivery: Delivery,
  payload: said.text('Exactly what was signed and sent; empty once it was pruned.'),
  payload_pruned: said.boolean('Whether the body is gone. Bodies are kept for 30 days.'),
  signature_rule: said.text('How the signature is made, in words.'),
});

const reply = Type.Union([DeliveryList, DeliveryDetail]);

export const deliveries = endpoint({
  path: '/webhook/deliveries',
  verb: 'GET',
  tier: 'read',
  summary: 'The delivery log; with `id` one delivery and the exact body that was signed',
  about: 'Without `id` it lists the latest deliveries without their bodies.',
  fields: {
    /** Null: what was sent cannot be an id. */
    id: custom<bigint | null | undefined>({
      schema: Type.Integer({
        minimum: 1,
        description: 'One delivery, with its body. Other filters are then ignored.',
        examples: [5001],
      }),
      required: false,
      errors: [],
      parse: (raw) => (raw === undefined ? undefined : raw === notPlain ? null : (typedBigIdIn(raw) ?? null)),
    }),
    status: described('Only deliveries that are this far.', filter(oneOf(deliveryStatuses, 'invalid_status')), {
      meanings: statusMeanings,
    }),
    event: described('Only deliveries of this event.', filter(oneOf(eventNames, 'invalid_event')), {
      meanings: sentWhen,
    }),
    subscription_id: filter(subscriptionId),
    limit: described(
      'How many deliveries at most.',
      filter(integer<number>({ min: 1, max: MAX_LIMIT }, 'invalid_limit', DEFAULT_LIMIT)),
    ),
  },
  errors: ['delivery_not_found'],
  simulated: ['delivery_not_found', 'webhook_read_failed'],
  reply,
  storeFailure: (codes) => codes.webhookRead,
  async handle(context, { id, ...filters }) {
    if (id !== undefined) return single(context, id);
    const { world, partnerId } = context;
    const wanted = { status: filters.status(), event: filters.event(), subscriptionId: filters.subscription_id() };
    const limit = filters.limit();
    const found = (await world.webhooks.deliveries(partnerId, { ...wanted, limit })).map(view);
    return {
      body: { count: found.length, limit, statuses: deliveryStatuses, events: contractEvents, deliveries: found },
    };
  },
});

async function single({ world, partnerId }: Context, id: bigint | null): Promise<Reply<Described<typeof reply>>> {
  const found = id === null ? undefined : await world.webhooks.delivery(partnerId, id);
  if (!found) throw fail('delivery_not_found');
  const { payload } = found;
  return {
    body: {
      delivery: view(found.delivery),
      payload: payload ?? '',
      payload_pruned: payload === undefined,
      signature_rule: signing.rule,
    },
  };
}

function view(row: LoggedDelivery) {
  return {
    id: String(row.id),
    subscription_id: String(row.subscriptionId),
    event_id: row.eventId,
    event_type: row.event,
    sale_id: String(row.orderId),
    status: row.status,
    ...(row.held && { held: true as const }),
    attempts: String(row.attempts),
    max_attempts: String(row.maxAttempts),
    http_code: String(row.httpStatus ?? ''),
    duration_ms: String(row.durationMs ?? ''),
    response_body: row.responseBody,
    error: row.error,
    sent_at: timestamp(row.sentAt),
    date: timestamp(row.createdAt),
  };
}
