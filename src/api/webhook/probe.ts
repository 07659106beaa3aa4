import { Type } from 'typebox';
import { fail } from '../../contract/errors.ts';
import { custom, notPlain, oneOf } from '../../contract/fields.ts';
import { type EventName, eventNames, MAX_URL_LENGTH, signatureRule } from '../../webhooks/webhooks.ts';
import { endpoint } from '../endpoint.ts';

export const probe = endpoint({
  path: '/webhook/probe',
  verb: 'POST',
  tier: 'outbound',
  summary: 'Send one signed request to a public URL and return request and response; nothing is saved',
  fields: {
    url: custom<string>({
      schema: Type.String({ maxLength: MAX_URL_LENGTH }),
      required: true,
      errors: ['url_required', 'url_too_long'],
      parse(raw) {
        if (raw === undefined || raw === notPlain || raw.trim() === '') throw fail('url_required');
        if ([...raw].length > MAX_URL_LENGTH) throw fail('url_too_long');
        return raw;
      },
    }),
    event: oneOf<EventName, 'order.test'>(eventNames, { invalid: 'invalid_event', default: 'order.test' }),
  },
  errors: ['probe_blocked', 'probe_unavailable'],
  simulated: ['probe_blocked', 'probe_unavailable'],
  reply: Type.Object({
    request_sent: Type.Boolean(),
    saved: Type.Literal(false),
    url: Type.String(),
    event: Type.Enum([...eventNames]),
    event_id: Type.String(),
    http_status: Type.Union([Type.Integer(), Type.Null()]),
    accepted: Type.Boolean(),
    duration_ms: Type.Integer(),
    response_body: Type.String(),
    error: Type.String({ description: 'The transport error; empty when the receiver answered' }),
    payload: Type.String(),
    timestamp: Type.Integer(),
    signature: Type.String(),
    probe_secret: Type.String(),
    signature_rule: Type.String(),
  }),
  async handle({ world }, { url, event }) {
    const probed = await world.webhooks.probe(url, event);
    if (probed.outcome === 'blocked') throw fail('probe_blocked', { request_sent: false, reason: probed.reason });
    if (probed.outcome === 'unavailable') throw fail('probe_unavailable');
    const { answer, eventId, payload, timestamp, signature, secret } = probed;
    const { requestSent, httpStatus, durationMs, responseBody, error } = answer;
    return {
      body: {
        request_sent: requestSent,
        saved: false,
        url,
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
        signature_rule: signatureRule,
      },
    };
  },
});
