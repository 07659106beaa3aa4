import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '../../../../src/platform/contract/errors.ts';
import { type Answer, type Ask, type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { refused, sandbox } from '../../../support/refusal.ts';

const UNKNOWN_KEY = `esk_test_${'0'.repeat(40)}`;
/** Documentation range: never the address a test comes from. */
const ELSEWHERE = '192.0.2.1';

/** Every state a key can be in that some check refuses. */
async function cast(t: TestApp) {
  const partner = await t.partner();
  const disabled = await t.partner();
  const gone = await t.partner();
  const made = async (of: number, mode = 'sandbox', more = ''): Promise<{ key: string; key_id: number }> =>
    run(t.operator(), `key create --partner ${of} --mode ${mode}${more}`);
  const good = await made(partner);
  const live = await made(partner, 'live');
  const elsewhere = await made(partner, 'live', ` --allow ${ELSEWHERE}`);
  const ofDisabled = await made(disabled, 'sandbox', ` --allow ${ELSEWHERE}`);
  const ofGone = await made(gone, 'sandbox', ` --allow ${ELSEWHERE}`);
  const revoked = await made(disabled);
  const expired = await made(gone);
  await run(t.operator(), `key set ${expired.key_id} --expires-at 2020-01-01T00:00:00Z`);
  await run(t.operator(), `key revoke ${revoked.key_id}`);
  await run(t.operator(), `partner set ${disabled} --disabled true`);
  await run(t.operator(), `partner set ${gone} --disabled true`);
  await run(t.operator(), `partner delete ${gone}`);
  /** Nothing left in any tier. */
  const spent = await made(partner);
  await run(t.operator(), `key set ${spent.key_id} --ceilings catalog=1,read=1,purchase=1,money=1,outbound=1`);
  for (const path of ['/catalog/countries', '/account/balance']) await t.get(path, { key: spent.key });
  await t.post('/webhook/test', '', { key: spent.key });
  await t.post('/purchase/buy', '', { key: spent.key });
  const readsOnly = await made(await t.partner(), 'sandbox', ' --permissions read');
  const buysOnly = await made(await t.partner(), 'live', ' --permissions buy');
  const spentAndRestricted = await made(await t.partner(), 'sandbox', ' --permissions read');
  await run(t.operator(), `key set ${spentAndRestricted.key_id} --ceilings purchase=1`);
  await t.post('/purchase/buy', '', { key: spentAndRestricted.key });
  return {
    readsOnly,
    buysOnly,
    spentAndRestricted,
    good,
    live,
    elsewhere,
    ofDisabled,
    ofGone,
    revoked,
    expired,
    spent,
  };
}

type Cast = Awaited<ReturnType<typeof cast>>;
interface Step {
  fails: string;
  answeredBy: ErrorCode;
  ask: (t: TestApp, who: Cast) => Promise<Answer>;
  extra?: object;
}

const get = (path: string, who: (all: Cast) => string | undefined, more: Ask = {}): Step['ask'] => {
  return (t, all) => {
    const key = who(all);
    return t.get(path, { host: 'sandbox', ...(key === undefined ? {} : { key }), ...more });
  };
};
const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };

/** Each line fails two neighbouring checks (the numbers), and is answered by the earlier one. */
const walk: readonly Step[] = [
  {
    fails: '1 key of the other host, and the body is not a form',
    answeredBy: 'live_key_on_sandbox_host',
    ask: get('/account/balance', ({ live }) => live.key, json),
  },
  {
    fails: '1 key of the other host (an invented one), and the query is not UTF-8',
    answeredBy: 'sandbox_key_on_live_host',
    ask: get('/account/balance?x=%ff', () => UNKNOWN_KEY, { host: 'live' }),
    extra: {},
  },
  {
    fails: 'not a form, and 2 api_key in the query',
    answeredBy: 'unsupported_media_type',
    ask: get('/account/balance?api_key=x', ({ good }) => good.key, json),
  },
  {
    fails: 'not UTF-8, and 2 api_key in the query',
    answeredBy: 'malformed_request',
    ask: get('/account/balance?x=%ff&api_key=x', ({ good }) => good.key),
  },
  {
    fails: '2 api_key in the query, and 3 no header',
    answeredBy: 'api_key_header_required',
    ask: get('/account/balance?api_key=x', () => undefined),
  },
  {
    fails: '3 an empty header, and 4 no key we know',
    answeredBy: 'api_key_required',
    ask: get('/account/balance', () => ''),
  },
  {
    fails: '4 a revoked key, and 5 a disabled partner',
    answeredBy: 'invalid_api_key',
    ask: get('/account/balance', ({ revoked }) => revoked.key),
  },
  {
    fails: '4 an expired key, and 5 a partner that is gone',
    answeredBy: 'invalid_api_key',
    ask: get('/account/balance', ({ expired }) => expired.key),
  },
  {
    fails: '5 a partner that is gone, and was disabled before',
    answeredBy: 'partner_not_found',
    ask: get('/account/balance', ({ ofGone }) => ofGone.key),
  },
  {
    fails: '5 a disabled partner, and 6 a source that is not allowed',
    answeredBy: 'partner_disabled',
    ask: get('/account/balance', ({ ofDisabled }) => ofDisabled.key),
  },
  {
    fails: '6 a source that is not allowed, and 7 no such resource',
    answeredBy: 'ip_not_allowed',
    ask: get('/nothing/here', ({ elsewhere }) => elsewhere.key, { host: 'live' }),
    extra: {},
  },
  {
    fails: '7 no such resource, and no such action',
    answeredBy: 'unknown_endpoint',
    ask: get('/nothing/here', ({ good }) => good.key),
  },
  {
    fails: '7 no such action, and the wrong verb for any',
    answeredBy: 'unknown_method',
    ask: get('/account/nothing', ({ good }) => good.key, { method: 'DELETE' }),
  },
  {
    fails: '7 no such action, and 8 nothing left of the quota',
    answeredBy: 'unknown_method',
    ask: get('/account/nothing', ({ spent }) => spent.key),
  },
  {
    fails: '7 the wrong verb, and 8 nothing left of the quota',
    answeredBy: 'method_not_allowed',
    ask: get('/account/balance', ({ spent }) => spent.key, { method: 'PUT' }),
    extra: { ...sandbox, allow: 'GET' },
  },
  {
    fails: '8 nothing left of the quota, and 10 a simulated error',
    answeredBy: 'rate_limited',
    ask: get('/account/balance?sandbox_error=partner_disabled', ({ spent }) => spent.key),
    extra: { ...sandbox, limit_per_minute: 1, tier: 'read' },
  },
  {
    fails: '8 nothing left of the quota, and 9 input the endpoint checks first',
    answeredBy: 'rate_limited',
    ask: (t, { spent }) => t.post('/purchase/buy', '', { key: spent.key }),
    extra: { ...sandbox, limit_per_minute: 1, tier: 'purchase' },
  },
  {
    fails: '8 nothing left of the quota, and the key may not do it',
    answeredBy: 'rate_limited',
    ask: (t, { spentAndRestricted }) => t.post('/purchase/buy', '', { key: spentAndRestricted.key }),
    extra: { ...sandbox, limit_per_minute: 1, tier: 'purchase' },
  },
  {
    fails: 'the key may not do it, and the action is of the sandbox only',
    answeredBy: 'key_not_permitted',
    ask: (t, { buysOnly }) => t.post('/sandbox/clock', '', { key: buysOnly.key }),
    extra: { permission: 'money' },
  },
  {
    fails: 'the key may not do it, 9 input the endpoint checks first, and 10 a simulated error',
    answeredBy: 'key_not_permitted',
    ask: (t, { readsOnly }) => t.post('/purchase/buy', 'sandbox_error=insufficient_balance', { key: readsOnly.key }),
    extra: { ...sandbox, permission: 'buy' },
  },
  {
    fails: '9 input the endpoint checks first, and 10 a simulated error',
    answeredBy: 'product_id_required',
    ask: (t, { good }) => t.post('/purchase/buy', 'sandbox_error=insufficient_balance', { key: good.key }),
  },
  {
    fails: '10 a simulated error, and 11 what the endpoint itself refuses',
    answeredBy: 'country_not_found',
    ask: get('/catalog/products?sandbox_error=country_not_found', ({ good }) => good.key),
    extra: { ...sandbox, sandbox_simulated: true },
  },
  {
    fails: '10 an error that cannot be simulated, and 11 what the endpoint itself refuses',
    answeredBy: 'invalid_sandbox_error',
    ask: get('/catalog/products?sandbox_error=order_not_found', ({ good }) => good.key),
    extra: {
      ...sandbox,
      endpoint: 'catalog/products',
      allowed: ['invalid_api_key', 'partner_disabled', 'ip_not_allowed', 'rate_limited', 'country_not_found'],
    },
  },
  {
    fails: '11 what the endpoint itself refuses, and nothing before it',
    answeredBy: 'country_required',
    ask: get('/catalog/products', ({ good }) => good.key),
  },
];

test('a request that fails two neighbouring checks is answered by the earlier one', async (context) => {
  await using t = await testApp();
  const all = await cast(t);
  t.clock.freeze();
  for (const { fails, answeredBy, ask, extra = sandbox } of walk) {
    await context.test(`${fails}: ${answeredBy}`, async () => {
      const answer = await ask(t, all);
      const { retry_after, ...body } = answer.body;
      if (answeredBy === 'rate_limited') assert.equal(String(retry_after), answer.headers['retry-after']);
      refused({ ...answer, body }, answeredBy, extra);
    });
  }
});
