import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../../support/program/app.ts';
import { refused, sandbox } from '../../../support/refusal.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner();
const key = await t.key(partner, 'sandbox');
const live = await t.key(partner);

test('401 api_key_header_required: in the query or the body, empty, repeated or bracketed, even beside the right header', async () => {
  for (const field of [
    'api_key=x',
    'api_key=',
    'api_key',
    'api_key[]=x',
    'x=1&api%5Fkey=x',
    'api_key=a&api_key=b',
    `api_key=${key}`,
  ]) {
    const other = field.startsWith('x=') ? { ignored: ['x'] } : {};
    refused(await t.get(`/account/balance?${field}`, { key }), 'api_key_header_required', { ...sandbox, ...other });
    refused(await t.post('/webhook/test', field, { key }), 'api_key_header_required', { ...sandbox, ...other });
    refused(await t.get(`/account/balance?${field}`, { host: 'live' }), 'api_key_header_required', other);
  }
  assert.equal((await t.get('/account/balance?API_KEY=x&apikey=x', { key })).status, 200);
});

test('401 api_key_required: no header, or an empty one', async () => {
  refused(await t.get('/account/balance', { host: 'live' }), 'api_key_required');
  for (const empty of ['', ' ', '\t'])
    refused(await t.get('/account/balance', { host: 'sandbox', key: empty }), 'api_key_required', sandbox);
});

test('401 invalid_api_key: anything that is no key of ours, however near', async () => {
  const near = [
    key.toUpperCase(),
    `${key}0`,
    key.slice(0, -1),
    key.replace('esk_test_', ''),
    `${key}, ${key}`,
    'Bearer x',
  ];
  for (const wrong of near) {
    refused(await t.get('/account/balance', { host: 'sandbox', key: wrong }), 'invalid_api_key', sandbox);
  }
  assert.equal(
    (await t.get('/account/balance', { host: 'sandbox', key: ` ${key} ` })).status,
    200,
    'spaces around it are not part of it',
  );
});

test('the prefix alone is held against the host, before anything is known of the key', async () => {
  refused(await t.get('/account/balance', { host: 'sandbox', key: live }), 'live_key_on_sandbox_host', sandbox);
  refused(
    await t.get('/account/balance', { host: 'sandbox', key: 'esk_nonsense' }),
    'live_key_on_sandbox_host',
    sandbox,
  );
  refused(await t.get('/account/balance', { host: 'live', key }), 'sandbox_key_on_live_host');
  refused(await t.get('/account/balance', { host: 'live', key: 'esk_test_' }), 'sandbox_key_on_live_host');
});

test('no query or body value changes the mode', async () => {
  const asked = 'livemode=false&sandbox=1&mode=sandbox&sandbox_scenario=failed';
  const answer = await t.get(`/account/balance?${asked}`, { key: live });
  assert.deepEqual([answer.body.balance, 'livemode' in answer.body], [0, false]);
});
