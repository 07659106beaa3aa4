import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY, HOUR, parseTimestamp, SECOND } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { rowCounts } from '../../support/database/rows.ts';
import { eventually } from '../../support/eventually.ts';
import { record, type TestApp, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit, pausedSubscription } from '../../support/sales/shop.ts';
import { type Receiver, receiver } from '../../support/servers/receiver.ts';

let t: TestApp;
let hook: Receiver;
let product: string;
before(async () => {
  hook = await receiver();
  t = await testApp({ config: { webhookTrustedHosts: [hook.host] } });
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
});
after(async () => {
  await t[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

async function account() {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  await t.get('/account/balance', { key });
  return { partnerId, key };
}

/** Turns the clock, and waits until the running program has been notified. */
async function advance(partnerId: number, key: string, by: string) {
  const shown = await run(t.operator(), `sandbox clock advance --partner ${partnerId} --by ${by}`);
  await seen(key, (header) => aheadOf(header) > (shown.ahead_seconds - 5) * SECOND);
  return shown;
}
const seen = (key: string, holds: (header: string | undefined) => boolean, app = t) =>
  eventually('the clock is seen', async () =>
    holds((await app.get('/account/balance', { key })).headers['x-sandbox-clock'] as string | undefined),
  );
const aheadOf = (written: string | undefined) =>
  written === undefined ? 0 : (parseTimestamp(written)?.getTime() ?? 0) - t.clock.now();
const near = (written: string, expectedMs: number) =>
  assert.ok(Math.abs(aheadOf(written) - expectedMs) < 20 * SECOND, `${written} is ${aheadOf(written)} ms ahead`);

test('advancing delivers what was deferred, dates what happens, and shows on every answer', async () => {
  const { partnerId, key } = await account();
  await pausedSubscription(t, partnerId);
  const { id } = (await buy(t, key, product, { sandbox_scenario: 'deferred' })).body;
  assert.equal((await t.get(`/order/detail/${id}`, { key })).body.order.status, '4');
  await advance(partnerId, key, '90s');
  const detail = await t.get(`/order/detail/${id}`, { key });
  assert.equal(detail.body.order.status, '1');
  near(String(detail.headers['x-sandbox-clock']), 90 * SECOND);

  await advance(partnerId, key, '2d');
  const bought = await buy(t, key, product);
  near(bought.body.order.date, 2 * DAY + 90 * SECOND);
  const [delivered] = (await t.get('/webhook/deliveries', { key })).body.deliveries;
  near(delivered.date, 2 * DAY + 90 * SECOND);
  const { payload } = (await t.get(`/webhook/deliveries?id=${delivered.id}`, { key })).body;
  near(JSON.parse(payload).occurred_at, 2 * DAY + 90 * SECOND);
  const refused = await t.get('/order/detail/1', { key });
  assert.ok(refused.status === 404 && refused.headers['x-sandbox-clock'], 'on refusals too');
});

test('an eSIM runs out when its time is over, and its reading is taken anew', async () => {
  const { partnerId, key } = await account();
  const { id } = (await buy(t, key, product, { sandbox_usage: 'active' })).body;
  const { iccid } = (await t.get(`/order/detail/${id}`, { key })).body.esim;
  const usage = async () => (await t.get(`/order/usage/${iccid}`, { key })).body.usage;
  const first = await usage();
  assert.deepEqual([first.status, first.days_left], ['active', 7]);
  near(first.expires_at, 7 * DAY);
  await advance(partnerId, key, '6d');
  const later = await usage();
  assert.deepEqual([later.status, later.days_left, later.tone], ['active', 1, 'warning']);
  assert.equal(later.expires_at, first.expires_at);
  near(later.fetched_at, 6 * DAY);
  await advance(partnerId, key, '25h');
  assert.deepEqual([(await usage()).status, (await usage()).days_left], ['expired', 0]);
  await run(t.operator(), `sandbox clock reset --partner ${partnerId}`);
  await seen(key, (header) => header === undefined);
  assert.equal((await usage()).status, 'active', 'back in the present it is not over');
});

test('retry waits come nearer; what is sent is signed at the real time and dated in the account’s own', async () => {
  const { partnerId, key } = await account();
  const url = `http://${hook.host}/hook`;
  const made = await run(t.operator(), `webhook create --partner ${partnerId} --mode sandbox --url ${url}`);
  record('secrets', `${made.secret}\n`);
  await advance(partnerId, key, '3d');
  hook.answer = 500;
  await t.post('/webhook/test', {}, { key });
  const logged = async () => (await t.get('/webhook/deliveries', { key })).body.deliveries[0];
  await eventually('the first attempt failed', async () => (await logged()).status === 'failed');
  hook.answer = 200;
  await advance(partnerId, key, '61s');
  await eventually('the second attempt was made', async () => (await logged()).status === 'sent');
  const [, second] = await hook.got(2);
  assert.ok(Math.abs(Number(second?.headers['x-webhook-timestamp']) * SECOND - t.clock.now()) < 30 * SECOND);
  const { attempts, sent_at, date } = await logged();
  assert.equal(attempts, '2');
  near(date, 3 * DAY);
  near(sent_at, 3 * DAY + 61 * SECOND);
  assert.ok(sent_at >= date);
});

test('no other time moves: not another account’s, not live, not the rate limiter’s', async () => {
  const { partnerId, key } = await account();
  const other = await account();
  const live = await t.key(partnerId);
  await credit(t, partnerId, '50.00');
  await advance(partnerId, key, '300d');
  const sold = await buy(t, live, product);
  near(sold.body.order.date, 0);
  assert.equal(sold.headers['x-sandbox-clock'], undefined);
  const theirs = await buy(t, other.key, product);
  near(theirs.body.order.date, 0);
  assert.equal(theirs.headers['x-sandbox-clock'], undefined);
  const remaining = async () => Number((await t.get('/order/get', { key })).headers['x-ratelimit-remaining']);
  const before = await remaining();
  await run(t.operator(), `sandbox clock advance --partner ${partnerId} --by 1h`);
  assert.ok((await remaining()) < before, 'an hour of sandbox time empties no window');
});

test('two years ahead is the most; a wrong partner or time is refused; every turn is on the audit log', async () => {
  const { partnerId } = await account();
  const turn = (line: string) => run(t.operator(), `sandbox clock ${line} --partner ${partnerId}`);
  assert.deepEqual((({ is_turned, ahead_seconds }) => [is_turned, ahead_seconds])(await turn('show')), [false, 0]);
  await turn('advance --by 729d');
  await assert.rejects(turn('advance --by 25h'), {
    code: 'clock_too_far',
    message: /at most two years \(730 days\) ahead/,
  });
  const most = await turn('advance --by 24h');
  assert.deepEqual([most.is_turned, most.ahead_seconds], [true, (2 * 365 * DAY) / SECOND]);
  assert.equal((await turn('show')).ahead_seconds, most.ahead_seconds);
  assert.equal((await turn('reset')).is_turned, false);
  for (const by of ['0s', '-1h', '1w', '90', '1.5h']) await assert.rejects(turn(`advance --by=${by}`));
  await assert.rejects(run(t.operator(), 'sandbox clock advance --partner 999999 --by 1h'), {
    code: 'partner_not_found',
  });
  const entries = await t.base.db.query<{ what: string }>(sql`
    select what from audit_log where target = ${`partner ${partnerId}`} order by id`);
  assert.deepEqual(
    entries.map(({ what }) => what),
    ['sandbox clock advance', 'sandbox clock advance', 'sandbox clock reset'],
  );
});

test('two moves at once both count, and another process is notified', async () => {
  const { partnerId, key } = await account();
  await using other = await t.another();
  await other.get('/account/balance', { key });
  await Promise.all(
    Array.from({ length: 4 }, () => run(t.operator(), `sandbox clock advance --partner ${partnerId} --by 1h`)),
  );
  await seen(key, (header) => aheadOf(header) > 4 * HOUR - 20 * SECOND, other);
});

test('live time cannot be moved by anyone', async () => {
  const { partnerId } = await account();
  const before = await rowCounts(t, ['live']);
  const write = sql`insert into live.account_clocks (partner_id, ahead) values (${partnerId}, interval '1 day')`;
  await assert.rejects(t.base.db.run(write), /only sandbox time can be turned/);
  assert.deepEqual(await rowCounts(t, ['live']), before);
});
