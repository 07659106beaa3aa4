import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { errors, SIMULATED_EVERYWHERE } from '../../../../src/platform/contract/errors.ts';
import { keyPermissions, tiers } from '../../../../src/platform/contract/key-terms.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { refused, sandbox } from '../../../support/refusal.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner();
const { key, key_id } = await run(
  t.operator(),
  `key create --partner ${partner} --mode sandbox --permissions ${keyPermissions}`,
);
await run(t.operator(), `key set ${key_id} --ceilings outbound=1000,money=1000`);
const header = (code: string) => ({ 'x-sandbox-error': code });

test('every endpoint without checks of its own simulates each code it lists, with its status and its extra fields', async () => {
  for (const { path, verb, tier, simulated, check } of endpoints) {
    if (check) continue;
    for (const code of [...SIMULATED_EVERYWHERE, ...simulated]) {
      const answer = await t.get(path, { key, method: verb, headers: header(code) });
      const sample: Record<string, unknown> = errors[code].sample;
      const real =
        code === 'rate_limited' ? { tier, limit_per_minute: { ...tiers, outbound: 1000, money: 1000 }[tier] } : {};
      refused(answer, code, { ...sandbox, ...sample, ...real, sandbox_simulated: true });
    }
  }
});

test('header over query over body; empty is not sent', async () => {
  const code = async (path: string, form: string, headers = {}) =>
    (await t.post(path, form, { key, headers })).body.error;
  const body = 'sandbox_error=no_subscription';
  assert.equal(
    await code('/webhook/test?sandbox_error=subscription_not_found', body, header('partner_disabled')),
    'partner_disabled',
  );
  assert.equal(await code('/webhook/test?sandbox_error=subscription_not_found', body), 'subscription_not_found');
  assert.equal(await code('/webhook/test', body), 'no_subscription');
  assert.equal(await code('/webhook/test?sandbox_error=', body, header('')), 'no_subscription');
});

test('a code the endpoint cannot return, sent twice or with brackets: 400 with endpoint and allowed', async () => {
  const allowed = [...SIMULATED_EVERYWHERE, 'country_not_found'];
  for (const query of ['order_not_found', 'nonsense', 'constructor', 'rate_limited&sandbox_error=rate_limited']) {
    const answer = await t.get(`/catalog/products?sandbox_error=${query}`, { key });
    refused(answer, 'invalid_sandbox_error', { ...sandbox, endpoint: 'catalog/products', allowed });
  }
  const bracketed = await t.get('/catalog/products?sandbox_error[]=rate_limited', { key });
  refused(bracketed, 'invalid_sandbox_error', { ...sandbox, endpoint: 'catalog/products', allowed });
});

test('live keys ignore it, wherever it is sent', async () => {
  const live = await t.key(partner);
  const answer = await t.get('/account/balance?sandbox_error=rate_limited', {
    key: live,
    headers: header('rate_limited'),
  });
  assert.deepEqual([answer.status, answer.body.balance], [200, 0]);
  assert.equal((await t.post('/webhook/test', 'sandbox_error=nonsense', { key: live })).body.error, 'no_subscription');
});
