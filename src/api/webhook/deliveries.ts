import { Type } from 'typebox';
import { timestamp } from '../../clock.ts';
import { fail } from '../../contract/errors.ts';
import { custom, type Field, integer, notPlain, oneOf } from '../../contract/fields.ts';
import {
  contractEvents,
  deliveryStatuses,
  eventNames,
  type LoggedDelivery,
  signatureRule,
} from '../../webhooks/webhooks.ts';
import { type Context, type Described, endpoint, type Reply } from '../endpoint.ts';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const DIGITS = /^\d{1,20}$/;
const MAX_ID = 9_223_372_036_854_775_807n;

/** An id that could exist; undefined for anything else. */
function readId(text: string): bigint | undefined {
  const id = DIGITS.test(text) ? BigInt(text) : 0n;
  return id >= 1n && id <= MAX_ID ? id : undefined;
}

/** Parsed only when needed: next to an `id` the other filters are ignored, even malformed ones. */
function filter<T>(field: Field<T>): Field<() => T> {
  return { ...field, parse: (raw) => () => field.parse(raw) };
}

const subscriptionId = custom<bigint | undefined>({
  schema: Type.String({ pattern: '^[0-9]{1,20}$' }),
  required: false,
  errors: ['invalid_subscription_id'],
  parse(raw) {
    if (raw === undefined) return undefined;
    if (raw === notPlain || !DIGITS.test(raw)) throw fail('invalid_subscription_id');
    // Well formed but larger than any id: nothing matches.
    return readId(raw) ?? 0n;
  },
});

const delivery = Type.Object({
  id: Type.String(),
  subscription_id: Type.String(),
  event_id: Type.String(),
  event_type: Type.Enum([...eventNames]),
  sale_id: Type.String(),
  status: Type.Enum([...deliveryStatuses]),
  held: Type.Optional(Type.Literal(true, { description: 'Waits because its subscription is paused or disabled.' })),
  attempts: Type.String(),
  max_attempts: Type.String(),
  http_code: Type.String(),
  duration_ms: Type.String(),
  response_body: Type.String(),
  error: Type.String(),
  sent_at: Type.Union([Type.String(), Type.Null()]),
  date: Type.String(),
});

const reply = Type.Union([
  Type.Object({
    count: Type.Integer(),
    limit: Type.Integer(),
    statuses: Type.Array(Type.String()),
    events: Type.Array(Type.String()),
    deliveries: Type.Array(delivery),
  }),
  Type.Object({ delivery, payload: Type.String(), payload_pruned: Type.Boolean(), signature_rule: Type.String() }),
]);

export const deliveries = endpoint({
  path: '/webhook/deliveries',
  verb: 'GET',
  tier: 'read',
  summary: 'The delivery log; with `id` one delivery and the exact body that was signed',
  fields: {
    /** Null: what was sent cannot be an id. */
    id: custom<bigint | null | undefined>({
      schema: Type.Integer({ minimum: 1 }),
      required: false,
      errors: [],
      parse: (raw) => (raw === undefined ? undefined : raw === notPlain ? null : (readId(raw) ?? null)),
    }),
    status: filter(oneOf(deliveryStatuses, { invalid: 'invalid_status', default: undefined })),
    event: filter(oneOf(eventNames, { invalid: 'invalid_event', default: undefined })),
    subscription_id: filter(subscriptionId),
    limit: filter(integer<number>({ min: 1, max: MAX_LIMIT }, { invalid: 'invalid_limit', default: DEFAULT_LIMIT })),
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
      signature_rule: signatureRule,
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
