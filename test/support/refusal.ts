import assert from 'node:assert/strict';
import { type ErrorCode, errors } from '../../src/platform/contract/errors.ts';
import { messagesOf } from '../../src/platform/contract/messages.ts';
import type { Answer } from './program/app.ts';

/** The whole failure envelope: exactly these fields, the status in three places alike, and the headers every answer has. */
export function refused(answer: Answer, code: ErrorCode, extra: object = {}): void {
  const status = errors[code].status;
  assert.deepEqual(answer.body, {
    result: 'fail',
    code: String(status),
    error: code,
    title: 'Unsuccessful',
    message: messagesOf(code).find((message) => message === answer.body.message) ?? messagesOf(code)[0],
    api_version: 3,
    ...extra,
  });
  assert.equal(answer.status, status);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/);
  rateHeaders(answer);
}

/** Limit, remaining and reset as numbers; whole and inside their bounds. */
export function rateHeaders(answer: Answer): { limit: number; remaining: number; reset: number } {
  const [limit = -1, remaining = -1, reset = -1] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = String(answer.headers[`x-ratelimit-${name}`]);
    assert.match(value, /^\d+$/, `X-RateLimit-${name}`);
    return Number(value);
  });
  assert.ok(remaining >= 0 && remaining <= limit, 'remaining is between 0 and the limit');
  assert.ok(reset >= 1 && reset <= 60, 'reset is 1 to 60 seconds');
  return { limit, remaining, reset };
}

export const sandbox = { livemode: false };
