import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../../proving/fuzz/described.ts';
import { judge, parsed } from '../../../proving/fuzz/judge.ts';
import type { Shot } from '../../../proving/fuzz/shot.ts';
import type { Got } from '../../../proving/fuzz/wire.ts';

const operation = operations.find(({ path }) => path === '/account/sandboxReset');
assert.ok(operation);
const shot: Shot = {
  target: 'sandbox',
  method: 'POST',
  path: '/v3/account/sandboxReset',
  headers: [],
  query: [],
  body: [],
  operation,
};

const envelope = { result: 'fail', title: 'Unsuccessful', message: 'Do this.', api_version: 3, livemode: false };
const tooFast = {
  ...envelope,
  code: '429',
  error: 'rate_limited',
  limit_per_minute: 30,
  tier: 'money',
  retry_after: 2,
};
const limits = {
  'x-request-id': 'r',
  'x-ratelimit-limit': '30',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': '2',
};

function answer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Got {
  const sent = { 'content-type': 'application/json', ...limits, ...headers };
  return { status, headers: sent, body: Buffer.from(JSON.stringify(body)), ms: 1 };
}

const found = (got: Got, of: Shot = shot) => judge(of, got, parsed(got));

test('an answer as it is described is no finding', () => {
  assert.equal(found(answer(429, tooFast, { 'retry-after': '2' })), undefined);
});

test('a status, a code, a field or a header that is not described is a finding', () => {
  assert.match(found(answer(418, { ...tooFast, code: '418' }))?.about ?? '', /status 418/);
  assert.match(
    found(answer(429, { ...tooFast, error: 'too_fast' }, { 'retry-after': '2' }))?.about ?? '',
    /not declared/,
  );
  assert.match(found(answer(429, { ...tooFast, more: 1 }, { 'retry-after': '2' }))?.about ?? '', /not as described/);
  assert.match(
    found(answer(429, { ...tooFast, retry_after: '2' }, { 'retry-after': '2' }))?.about ?? '',
    /retry_after/,
  );
  assert.match(found(answer(429, tooFast))?.about ?? '', /without retry-after/);
  assert.match(found(answer(400, tooFast))?.about ?? '', /names another status/);
});

test('a 500 is a finding even where it is declared, unless it was asked for', () => {
  const broken = { ...envelope, code: '500', error: 'internal_error' };
  assert.equal(found(answer(500, broken))?.kind, 'server error');
  assert.equal(found(answer(500, { ...broken, sandbox_simulated: true })), undefined);
  const head = { ...shot, method: 'HEAD' };
  const empty = { ...answer(500, {}), body: Buffer.alloc(0) };
  assert.equal(found(empty, head)?.kind, 'server error');
  assert.equal(found(empty, { ...head, query: ['sandbox_error=internal_error'] })?.kind, undefined);
});

test('a key that must be refused is granted nothing', () => {
  const ok = answer(200, { result: 'ok', code: '200' });
  assert.equal(found(ok, { ...shot, mustBeRefused: true })?.kind, 'granted');
  assert.notEqual(found(ok, { ...shot, mustBeRefused: true, path: '/v3/openapi.json' })?.kind, 'granted');
});

test('no answer is a finding, unless the request itself broke off', () => {
  assert.equal(judge(shot, undefined, undefined)?.kind, 'no answer');
  assert.equal(judge({ ...shot, isCut: true }, undefined, undefined), undefined);
});
