import { type EventName, eventNames, sentWhen } from '../../../../domains/messages/events/events.ts';
import { signing } from '../../../../domains/messages/webhooks/webhooks.ts';
import { described, nullable, said } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { oneOf } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { eventName, url } from './fields.ts';

export const probe = endpoint({
  path: '/webhook/probe',
  verb: 'POST',
  tier: 'outbound',
  permission: 'webhooks',
  summary: 'Send one signed request to a public URL and return request and response; nothing is saved',
  fields: {
    url: url('The address to call: https, on a public host.'),
    event: described(
      'The event to simulate.',
      oneOf<EventName, 'order.test'>(eventNames, 'invalid_event', 'order.test'),
      { meanings: sentWhen },
    ),
  },
  errors: ['probe_blocked', 'probe_unavailable'],
  about:
    'The request differs from a real event: `X-Webhook-Id` is 0, the header `X-Webhook-Probe: 1` is added, the event describes no order, and the secret is used for this call only. A receiver that refuses or does not answer is a result, not an error.',
  reply: Type.Object({
    request_sent: said.boolean('Whether a request was sent.'),
    saved: Type.Literal(false, { description: 'Nothing is recorded.' }),
    url: said.text('The address that was called.'),
    event: eventName('The event that was simulated.'),
    event_id: said.text('The `event_id` of the body. It belongs to no order.'),
    http_status: nullable(said.integer('What the receiver answered; null if it did not.', 200)),
    accepted: said.boolean('Whether the receiver answered with a 2xx.'),
    duration_ms: said.integer('How long it took, in ms.'),
    response_body: said.text('The first 1000 characters of the answer.'),
    error: said.text('The transport error; empty when the receiver answered.', 'connect ECONNREFUSED'),
    payload: said.text('The body, exactly as it was signed.'),
    timestamp: said.integer('The Unix time that was signed.'),
    signature: said.text('The `X-Signature` that was sent.'),
    probe_secret: said.text("The secret of this call. It is not your subscription's."),
    signature_rule: said.text('How the signature is made, in words.'),
  }),
  async handle({ world }, input) {
    const { url: target, event } = input;
    const probed = await world.webhooks.probe(target, event);
    if (probed.outcome === 'blocked') throw fail('probe_blocked', { request_sent: false, reason: probed.reason });
    if (probed.outcome === 'unavailable') throw fail('probe_unavailable');
    const { answer, eventId, payload, timestamp, signature, secret } = probed;
    const { requestSent, httpStatus, durationMs, responseBody, error } = answer;
    return {
      body: {
        request_sent: requestSent,
        saved: false,
        url: target,
        event,
        event_id: eventId,
        http_status: httpStatus ?? null,
        accepted: httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300,
        duration_ms: durationMs,
        response_body: responseBody,
        error,
        payload,
        timestamp: Number(timestamp),
        signature,
        probe_secret: secret,
        signature_rule: signing.rule,
      },
    };
  },
});
