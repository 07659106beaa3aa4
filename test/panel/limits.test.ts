import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MINUTE } from '../../src/clock.ts';
import { testApp } from '../support/app.ts';
import { accepted, PASSWORD, signedIn, someEmail } from '../support/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
t.clock.freeze();

test('a member makes 30 changes in a minute, whatever they are; then she is told when to go on', async () => {
  const partner = await t.partner();
  const [her, colleague] = [await accepted(t, partner), await signedIn(t, partner)];
  const { body } = await her.post('/api/keys', { mode: 'sandbox', allow_list: '' });
  const changes = [
    () => her.post(`/api/keys/${body.key.id}`, { allow_list: '' }),
    () => her.post(`/api/keys/${body.key.id}/revoke`),
    () => her.post('/api/members', { email: someEmail() }),
    () => her.post('/api/members/99999/remove'),
    () => her.post('/api/sandbox/clock/advance', { by: '1s' }),
    () => her.post('/api/sandbox/clock/reset'),
    () => her.post('/api/live/webhooks/1/rotate'),
    () => her.post('/api/live/webhooks/1/pause'),
    () => her.post('/api/live/webhooks/1/delete'),
    () => her.post('/api/live/deliveries/1/requeue'),
  ];
  for (let i = 0; i < 29; i += 1) assert.notEqual((await changes[i % changes.length]?.())?.status, 429);
  for (const change of changes) {
    const { status, body, headers } = await change();
    assert.deepEqual([status, body.error.code], [429, 'too_many_attempts']);
    assert.equal(headers['retry-after'], String(body.error.retry_after));
    assert.ok(body.error.retry_after >= 1 && body.error.retry_after <= 2 * 60);
  }
  assert.equal((await her.get('/api/keys')).status, 200, 'she still reads');
  assert.equal((await colleague.post('/api/sandbox/clock/reset')).status, 200, 'a colleague has her own');
  const changed = await her.post('/api/password', { current: PASSWORD, password: 'another password' });
  assert.equal(changed.status, 200, 'and she can end the session of whoever did this in her name');
  t.clock.advance(2 * MINUTE);
  assert.equal((await her.post('/api/sandbox/clock/reset')).status, 200);
});

test('addresses of webhooks are looked up as often as probes, and with them', async () => {
  const her = await signedIn(t, await t.partner());
  const wanted = { url: 'https://10.0.0.1/', events: [] };
  for (let i = 0; i < 9; i += 1) {
    assert.equal((await her.post('/api/sandbox/webhooks', wanted)).body.error.code, 'url_blocked');
    assert.equal((await her.v3('sandbox', '/webhook/probe', { url: wanted.url })).body.error, 'probe_blocked');
  }
  for (const path of ['/api/sandbox/webhooks', '/api/live/webhooks', '/api/live/webhooks/1'])
    assert.equal((await her.post(path, wanted)).status, 429, path);
});
