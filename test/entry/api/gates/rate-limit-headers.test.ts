import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MINUTE, SECOND } from '../../../../src/platform/clock.ts';
import { type Answer, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { rateHeaders, refused, sandbox } from '../../../support/refusal.ts';
import { until } from '../../../support/servers/receiver.ts';

const START = Date.UTC(2026, 4, 1, 12, 0, 15);

const t = await testApp();
after(() => t[Symbol.asyncDispose]());

/** A partner and an unused key, at the start of a minute. */
async function frozen() {
  t.clock.freeze(START);
  const partner = await t.partner();
  const made: { key: string; key_id: number } = await run(
    t.operator(),
    `key create --partner ${partner} --mode sandbox`,
  );
  return { partner, key: made.key, keyId: made.key_id };
}

const figures = (answer: Answer) => Object.values(rateHeaders(answer));

test('a request without a known key shows the whole ceiling of the tier its path is in', async () => {
  await frozen();
  for (const [path, limit] of [
    ['/catalog/countries', 900],
    ['/account/balance', 360],
    ['/account/pricing', 360],
    ['/webhook/probe', 18],
    ['/nothing', 360],
  ] as const) {
    const answer = await t.get(path, { host: 'live' });
    assert.deepEqual([answer.body.error, ...figures(answer)], ['api_key_required', limit, limit, 45]);
  }
});

test('remaining counts the call it answers; a call that stops before the limiter shows what is left and costs nothing', async () => {
  const { key } = await frozen();
  assert.deepEqual(figures(await t.get('/account/balance', { key })), [360, 359, 45]);
  assert.deepEqual(
    figures(await t.get('/account/balance?api_key=x', { key })),
    [360, 360, 45],
    'key not looked up yet',
  );
  assert.deepEqual(figures(await t.get('/account/balance', { key, method: 'POST' })), [360, 359, 45]);
  assert.deepEqual(figures(await t.get('/nothing', { key })), [360, 359, 45]);
  assert.deepEqual(figures(await t.get('/account/balance', { key })), [360, 358, 45]);
});

test('every admitted call counts, errors included', async () => {
  const { key } = await frozen();
  assert.deepEqual(figures(await t.get('/catalog/products', { key })), [900, 899, 45]);
  assert.deepEqual(figures(await t.get('/catalog/products?sandbox_error=partner_disabled', { key })), [900, 898, 45]);
  assert.deepEqual(figures(await t.get('/catalog/countries', { key })), [900, 897, 45], 'the tier is shared');
});

test('the quota is per key and tier: two keys of one account do not share, nor do two tiers', async () => {
  const { partner, key } = await frozen();
  const other = await t.key(partner, 'live');
  await t.get('/account/balance', { key });
  assert.deepEqual(figures(await t.get('/account/balance', { key: other })), [360, 359, 45]);
  assert.deepEqual(figures(await t.get('/catalog/countries', { key })), [900, 899, 45]);
});

test('over the ceiling: 429 with tier, limit and an honest Retry-After; the refused call does not count', async () => {
  const { key } = await frozen();
  for (let call = 1; call <= 18; call++) {
    assert.deepEqual(figures(await t.post('/webhook/test', '', { key })), [18, 18 - call, 45]);
  }
  // All 18 calls fell into this minute. In the next, one fits as soon as they weigh no more than 17: 60/18 s into it.
  const wait = 45 + Math.ceil(60 - (17 * 60) / 18);
  for (let again = 0; again < 3; again++) {
    const answer = await t.post('/webhook/test', '', { key });
    refused(answer, 'rate_limited', { ...sandbox, limit_per_minute: 18, tier: 'outbound', retry_after: wait });
    assert.equal(answer.headers['retry-after'], String(wait));
    assert.deepEqual(figures(answer), [18, 0, 45]);
  }
  t.clock.advance(wait * SECOND - 1 * SECOND);
  assert.equal((await t.post('/webhook/test', '', { key })).status, 429, 'a second early is too early');
  t.clock.advance(1 * SECOND);
  assert.equal((await t.post('/webhook/test', '', { key })).status, 404, 'as promised');
  t.clock.advance(2 * MINUTE);
  assert.deepEqual(figures(await t.post('/webhook/test', '', { key })).slice(0, 2), [18, 17]);
});

test('an operator sets another ceiling for one key and tier, and takes it back; it holds at once', async () => {
  const { key, keyId } = await frozen();
  await run(t.operator(), `key set ${keyId} --ceilings read=2,outbound=100`);
  await until(async () => rateHeaders(await t.get('/nothing', { key })).limit === 2);
  await t.get('/account/balance', { key });
  await t.get('/account/balance', { key });
  const over = await t.get('/account/balance', { key });
  assert.deepEqual(
    [over.body.error, over.body.limit_per_minute, ...figures(over).slice(0, 2)],
    ['rate_limited', 2, 2, 0],
  );
  assert.equal(rateHeaders(await t.post('/webhook/test', '', { key })).limit, 100);
  assert.equal(rateHeaders(await t.get('/catalog/countries', { key })).limit, 900);
  await run(t.operator(), `key set ${keyId} --ceilings read=none`);
  await until(async () => rateHeaders(await t.get('/nothing', { key })).limit === 360);
  assert.deepEqual(figures(await t.get('/account/balance', { key })), [360, 357, 45]);
});

test('a simulated rate_limited: Retry-After 30, Remaining 0, the real tier and ceiling; and the call counts', async () => {
  const { key } = await frozen();
  const answer = await t.get('/account/balance', { key, headers: { 'x-sandbox-error': 'rate_limited' } });
  const simulated = { limit_per_minute: 360, tier: 'read', retry_after: 30, sandbox_simulated: true };
  refused(answer, 'rate_limited', { ...sandbox, ...simulated });
  assert.equal(answer.headers['retry-after'], '30');
  assert.deepEqual(figures(answer), [360, 0, 45]);
  assert.deepEqual(figures(await t.get('/account/balance', { key })), [360, 358, 45]);
});
