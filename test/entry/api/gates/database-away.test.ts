import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newKey } from '../../../../src/domains/partners/keys/key-rows.ts';
import { newToken } from '../../../../src/domains/partners/people/register.ts';
import { testApp } from '../../../support/program/app.ts';
import { ORIGIN } from '../../../support/program/panel.ts';
import { refused, sandbox } from '../../../support/refusal.ts';
import { eventually } from '../../../support/sales/catalog.ts';
import { outage } from '../../../support/servers/outage.ts';

test('503 with Retry-After while the database is away, on every host; it recovers by itself', async () => {
  await using t = await testApp();
  const partner = await t.partner();
  const [live, play] = [await t.key(partner), await t.key(partner, 'sandbox')];
  for (const key of [live, play]) assert.equal((await t.get('/account/balance', { key })).status, 200);
  const ready = async () => {
    // The answer is kept for a second.
    t.clock.advance(1000);
    return (await t.get('/readyz', { host: 'panel' })).status;
  };
  assert.equal(await ready(), 200);
  {
    await using _away = await outage(t);
    // The connections end a moment after the word is given; from then on nothing is believed from memory.
    await eventually(async () => refused(await t.get('/account/balance', { key: live }), 'service_unavailable'));
    refused(await t.get('/account/balance', { key: play }), 'service_unavailable', sandbox);
    refused(await t.get('/catalog/countries', { key: play }), 'service_unavailable', sandbox);
    // What needs no database is answered as ever.
    refused(await t.get('/account/balance', { host: 'live' }), 'api_key_required');
    refused(await t.get('/account/balance', { host: 'sandbox', key: live }), 'live_key_on_sandbox_host', sandbox);
    refused(await t.get('/account/balance', { key: newKey('live').slice(0, -1) }), 'invalid_api_key');
    assert.equal((await t.get('/openapi.json', { host: 'live' })).status, 200);
    assert.equal(await ready(), 503);
    const anna = { cookie: `wayfare_session=${newToken('session')}`, origin: ORIGIN };
    for (const answer of [
      await t.get('/account/balance', { key: live }),
      await t.get('/readyz', { host: 'panel' }),
      await t.get('/api/me', { host: 'panel', headers: anna }),
      await t.get(`/pay/sim_${'a'.repeat(24)}_secret_${'a'.repeat(32)}`, { host: 'panel' }),
    ])
      assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '5'], answer.text);
    assert.equal((await t.get('/healthz', { host: 'panel' })).status, 200);
  }
  await eventually(async () => {
    for (const key of [live, play]) assert.equal((await t.get('/account/balance', { key })).status, 200);
  });
  assert.equal(await ready(), 200);
});
