import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MINUTE } from '../../../src/platform/clock.ts';
import { testApp } from '../../support/program/app.ts';
import { accepted, PASSWORD, signedIn, someEmail } from '../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
t.clock.freeze();

test('a member can make 30 changes of any kind per minute; then the refusal says how long to wait', async () => {
  const partner = await t.partner();
  const [ana, colleague] = [await accepted(t, partner), await signedIn(t, partner)];
  const { body } = await ana.post('/api/keys', { mode: 'sandbox', allow_list: '' });
  const changes = [
    () => ana.post(`/api/keys/${body.key.id}`, { allow_list: '' }),
    () => ana.post(`/api/keys/${body.key.id}/revoke`),
    () => ana.post('/api/members', { email: someEmail() }),
    () => ana.post('/api/members/99999/remove'),
    () => ana.post('/api/sandbox/clock/advance', { by: '1s' }),
    () => ana.post('/api/sandbox/clock/reset'),
    () => ana.post('/api/live/webhooks/1/rotate'),
    () => ana.post('/api/live/webhooks/1/pause'),
    () => ana.post('/api/live/webhooks/1/delete'),
    () => ana.post('/api/live/deliveries/1/resend', { as_of: '2026-11-15T00:00:00Z' }),
  ];
  for (let i = 0; i < 29; i += 1) assert.notEqual((await changes[i % changes.length]?.())?.status, 429);
  for (const change of changes) {
    const { status, body, headers } = await change();
    assert.deepEqual([status, body.error.code], [429, 'too_many_attempts']);
    assert.equal(headers['retry-after'], String(body.error.retry_after));
    assert.ok(body.error.retry_after >= 1 && body.error.retry_after <= 2 * 60);
  }
  assert.equal((await ana.get('/api/keys')).status, 200, 'they can still read');
  assert.equal((await colleague.post('/api/sandbox/clock/reset')).status, 200, 'a colleague has their own limit');
  const changed = await ana.post('/api/password', { current: PASSWORD, password: 'another password' });
  assert.equal(changed.status, 200, 'and they can end the session of somebody who did this in their name');
  t.clock.advance(2 * MINUTE);
  assert.equal((await ana.post('/api/sandbox/clock/reset')).status, 200);
});

test('looking up webhook addresses shares the limit of probes', async () => {
  const ana = await signedIn(t, await t.partner());
  const wanted = { url: 'https://10.0.0.1/', events: [] };
  for (let i = 0; i < 9; i += 1) {
    assert.equal((await ana.post('/api/sandbox/webhooks', wanted)).body.error.code, 'url_blocked');
    assert.equal((await ana.v3('sandbox', '/webhook/probe', { url: wanted.url })).body.error, 'probe_blocked');
  }
  for (const path of ['/api/sandbox/webhooks', '/api/live/webhooks', '/api/live/webhooks/1'])
    assert.equal((await ana.post(path, wanted)).status, 429, path);
});
