import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';
import { signedIn } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows } from '../../../support/sales/shop.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { alias } = await testPlan(t);
await catalogKnows(t, alias);

test('advancing delivers a deferred order, shows in /api/me and on every sandbox answer; resetting ends it', async () => {
  const partner = await t.partner();
  const ana = await signedIn(t, partner);
  const clock = async () => (await ana.get('/api/sandbox/clock')).body.test_clock;
  const real = await clock();
  assert.deepEqual([real.on, real.ahead_seconds, real.now], [false, 0, real.real]);
  const key = await t.key(partner, 'sandbox');
  const { id } = (await buy(t, key, alias, { sandbox_scenario: 'deferred' })).body;
  const status = async () => (await ana.v3('sandbox', `/order/detail/${id}`)).body.order.status;
  assert.equal(await status(), '4');
  const turned = await ana.post('/api/sandbox/clock/advance', { by: '3h' });
  assert.deepEqual([turned.body.test_clock.on, turned.body.test_clock.ahead_seconds], [true, 3 * 3600]);
  const { test_clock } = (await ana.get('/api/me')).body;
  assert.equal(Date.parse(test_clock.now) - Date.parse(test_clock.real), 3 * 3_600_000);
  assert.ok(Math.abs(Date.parse(test_clock.real) - t.clock.now()) < 5000);
  assert.equal(await status(), '1');
  assert.ok((await ana.v3('sandbox', '/account/balance')).headers['x-sandbox-clock']);
  assert.equal((await ana.v3('live', '/account/balance')).headers['x-sandbox-clock'], undefined);
  assert.equal(
    (await ana.post('/api/sandbox/clock/advance', { by: '40d' })).body.test_clock.ahead_seconds,
    40 * 86_400 + 3 * 3600,
  );
  const back = await ana.post('/api/sandbox/clock/reset');
  assert.deepEqual([back.body.test_clock.on, (await clock()).on], [false, false]);
  assert.equal((await ana.v3('sandbox', '/account/balance')).headers['x-sandbox-clock'], undefined);
  const what = await t.base.db.query<{ what: string }>(
    sql`select what from audit_log where target = ${`partner ${partner}`} and who like 'member:%' order by id`,
  );
  assert.deepEqual(
    what.map((entry) => entry.what.split(' ').at(-1)),
    ['advance', 'advance', 'reset'],
  );
});

test('refusals: not a duration, and more than two years ahead; other partners keep their time', async () => {
  const [ana, other] = [await signedIn(t, await t.partner()), await signedIn(t, await t.partner())];
  const advance = (by: string) => ana.post('/api/sandbox/clock/advance', { by });
  for (const bad of ['', '0s', '-1h', '1.5h', '3', 'h', '1w', '1h 2m', '3H'])
    assert.deepEqual(
      [(await advance(bad)).status, (await advance(bad)).body.error.code],
      [400, 'invalid_duration'],
      bad,
    );
  assert.equal((await advance('730d')).status, 200);
  const far = await advance('1s');
  assert.deepEqual([far.status, far.body.error.code], [409, 'clock_too_far']);
  assert.equal(
    far.body.error.message,
    'A sandbox clock can be at most two years (730 days) ahead of real time; this would make it 731 days.',
  );
  assert.equal((await other.get('/api/me')).body.test_clock.on, false);
});
