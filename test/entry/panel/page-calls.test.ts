import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Written } from '../../../src/entry/site/json/action.ts';
import { type AnswerOf, address, type BodyOf, get, post } from '../../../web/src/parts/server/calls.ts';

/* What pages may call is checked when this file is compiled; none of it is sent. */

/** Never run. */
export const misspelled = () => [
  get('/api/members'),
  get('/api/{mode}/help-requests/{id}', { mode: 'live', id: '7' }),
  get('/operator/api/partners', { status: 'active' }),
  // @ts-expect-error: there is no such address
  get('/api/memberz'),
  // @ts-expect-error: it is declared as a change
  get('/api/members/{id}/remove', { id: 7 }),
  // @ts-expect-error: a parameter of the path is missing
  get('/api/{mode}/help-requests/{id}', { mode: 'live' }),
  // @ts-expect-error: neither live nor sandbox
  get('/api/{mode}/notices', { mode: 'test' }),
  post('/api/balance-alert', { level: '50' }),
  post('/api/members/{id}/role', { id: 7 }, { role: 'finance' }),
  // @ts-expect-error: it takes a body
  post('/api/balance-alert'),
  // @ts-expect-error: a field of the body is missing
  post('/api/members', { role: 'finance' }),
  // @ts-expect-error: there is no such field
  post('/api/balance-alert', { level: '50', levle: '50' }),
  // @ts-expect-error: there is no such role
  post('/api/members/{id}/role', { id: 7 }, { role: 'king' }),
  // @ts-expect-error: it takes no body
  post('/api/members/{id}/remove', { id: 7 }, { reason: 'gone' }),
  // @ts-expect-error: it is an address of the console
  post('/api/proposals/{id}/approve', { id: 7 }),
];

export const misread = (
  members: AnswerOf<'GET /api/members'>,
  applied: AnswerOf<'POST /api/live-application'>,
  sent: Written<{ readonly at: Date; readonly state: 'open' | 'closed' }>,
) => {
  const [member] = members.members;
  const email: string | undefined = member?.email;
  // @ts-expect-error: it is called `email`
  member?.mail;
  // @ts-expect-error: it is called `application`
  applied.live;
  const texts: [string, 'open' | 'closed'] = [sent.at, sent.state];
  // @ts-expect-error: a time is text once it was sent
  sent.at.getTime();
  return [email, texts];
};

test('a page may leave a field out by setting it to undefined', () => {
  const body: BodyOf<'POST /api/keys/{id}'> = { name: 'shop', note: undefined };
  assert.equal(JSON.stringify(body), '{"name":"shop"}');
});

test('parameters are encoded into the path, and the rest is the query', () => {
  assert.equal(
    address('/api/{mode}/requests/{id}', { mode: 'live', id: '../a b?' }),
    '/api/live/requests/..%2Fa%20b%3F',
  );
  assert.equal(
    address('/operator/api/{mode}/orders', { mode: 'sandbox', status: 'failed', before: undefined, partner: 7 }),
    '/operator/api/sandbox/orders?status=failed&partner=7',
  );
});
