import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { checkEvents, createSubscription } from '../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { jobSuccesses } from '../../../src/platform/jobs/successes.ts';
import { databaseFigures } from '../../../src/platform/measure/database-figures.ts';
import { createMetrics } from '../../../src/platform/measure/metrics.ts';
import { type Stage, stage } from '../../domains/messages/webhooks/stage.ts';
import { watchQueries } from '../../support/database/queries.ts';
import { testApp } from '../../support/program/app.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';

/** The value of one line, or undefined when it is not printed. */
function figure(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

test('a histogram counts each observation in its bucket and all above it', async () => {
  const metrics = createMetrics();
  for (const ms of [1, 2, 2, 30_000]) metrics.countRequest('/a/b', 'read', 200, ms);
  const text = await metrics.print();
  const bucket = (le: string) =>
    figure(text, `wayfare_request_seconds_bucket{le="${le}",endpoint="/a/b",status="200"}`);
  assert.deepEqual([bucket('0.001'), bucket('0.0025'), bucket('10'), bucket('+Inf')], [1, 3, 3, 4]);
  assert.equal(figure(text, 'wayfare_request_seconds_sum{endpoint="/a/b",status="200"}'), 30.005);
  assert.equal(figure(text, 'wayfare_requests_total{tier="read",status="200"}'), 4);
});

suite('a partner who buys and subscribes', () => {
  let s: Stage;
  before(async () => {
    s = await stage();
  });
  after(() => s[Symbol.asyncDispose]());
  const print = async () => (await s.t.get('/metrics', { host: 'panel' })).text;

  test('purchases by outcome, calls to suppliers and deliveries are counted', async () => {
    const { t, partnerId, key } = s;
    const plan = await testPlan(t);
    await s.subscribe('live');
    await catalogKnows(t, plan.alias);
    assert.equal((await buy(t, key.live, plan.alias)).body.error, 'insufficient_balance');
    await credit(t, partnerId, '100');
    assert.equal((await buy(t, key.live, plan.alias)).body.delivery, 'delivered');
    await s.settled({ status: 'sent' });
    const text = await print();
    const purchases = (outcome: string) => figure(text, `wayfare_purchases_total{world="live",outcome="${outcome}"}`);
    assert.deepEqual([purchases('insufficient_balance'), purchases('delivered')], [1, 1]);
    assert.match(text, /^wayfare_supplier_call_seconds_count\{supplier="[^"]+",call="order",outcome="delivered"\} 1$/m);
    const sent = figure(text, 'wayfare_delivery_seconds_count{world="live",outcome="sent"}') ?? 0;
    assert.ok(sent > 0);
    assert.equal(figure(text, 'wayfare_delivery_delay_seconds_count{world="live"}'), sent);
  });

  test('calls over the rate limit are counted by tier', async () => {
    const { t, key } = s;
    while ((await t.get('/webhook/list', { key: key.sandbox })).status !== 429);
    assert.equal(figure(await print(), 'wayfare_rate_limit_refusals_total{tier="read"}'), 1);
  });

  test('what waits in the database is read with one query, shared by scrapes within five seconds', async () => {
    const { t, operate, publish, subscribe } = s;
    const { id } = await subscribe('sandbox');
    await operate(`webhook pause ${id}`);
    await publish([{}, {}], 'sandbox');
    t.clock.freeze(t.clock.now() + 5_000);
    using queries = watchQueries();
    const scrapes = () => queries.seen.filter((text) => text.includes('webhook_oldest_due_seconds')).length;
    const text = await print();
    await Promise.all([print(), print()]);
    assert.equal(scrapes(), 1);
    t.clock.advance(5_000);
    await print();
    assert.equal(scrapes(), 2);
    const gauges = ['webhook_backlog', 'webhook_held', 'webhook_dead', 'orders_deferred', 'orders_overdue'];
    const values = gauges.map((name) => figure(text, `wayfare_${name}{world="sandbox"}`));
    assert.deepEqual(values, [0, 2, 0, 0, 0]);
    assert.equal(figure(text, 'wayfare_card_payments_open{world="live"}'), 0);
    assert.match(text, /^wayfare_supplier_list_age_seconds\{supplier="[^"]+"\} [\d.]+$/m);
  });
});

test('any process reports the age of the oldest due delivery, of jobs and of the ledger’s proofs, and what is disabled', async () => {
  await using t = await testApp({ role: 'api' });
  const now = t.clock.now();
  t.clock.freeze(now);
  const successes = jobSuccesses(t.base.db, t.clock);
  successes.note('deliver live');
  await successes.job.run(AbortSignal.abort());
  const { db } = t.base.worlds.live;
  const partnerId = await t.partner();
  const wanted = { partnerId, url: 'https://example.com/hook', events: checkEvents([]) };
  const { subscriptionId } = await db.tx((tx) => createSubscription(tx, t.base.vault, wanted, now));
  await db.run(sql`
    insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
    values (1, ${subscriptionId}, ${new Date(now)}, 5)`);
  const stopped = await db.tx((tx) => createSubscription(tx, t.base.vault, { ...wanted, url: `${wanted.url}/2` }, now));
  await db.run(
    sql`update webhook_subscriptions set status = 3, held_since = ${new Date(now)} where id = ${stopped.subscriptionId}`,
  );
  const neverProved = await databaseFigures(t.base.db, { ...t.clock, now: () => Date.now() + 3 * 86_400_000 }, 30)();
  const ages = neverProved.filter(({ gauge }) => gauge === 'ledger_proof_age_seconds');
  assert.deepEqual(
    ages.map(({ of }) => of),
    ['whole'],
  );
  assert.ok(ages.every(({ value }) => value >= 3 * 86_400 && value < 4 * 86_400));
  const proved = (ok: boolean, at: number) =>
    t.base.db.run(sql`
      insert into proofs (asked_by, asked_at, finished_at, result)
      values ('eva', ${new Date(at)}, ${new Date(at)}, ${JSON.stringify({ ok })}::jsonb)`);
  await proved(true, now - 100_000);
  await proved(false, now);
  t.clock.advance(90_000);
  const figures = await databaseFigures(t.base.db, t.clock, 30)();
  const age = (gauge: string, of: string) => figures.find((one) => one.gauge === gauge && one.of === of)?.value;
  assert.equal(age('webhook_oldest_due_seconds', 'live'), 90);
  assert.deepEqual([age('webhook_disabled', 'live'), age('webhook_disabled', 'sandbox')], [1, 0]);
  assert.equal(age('job_success_age_seconds', 'deliver live'), 90);
  assert.deepEqual([age('ledger_proof_age_seconds', 'whole'), age('ledger_broken', 'whole')], [90, 1]);
  assert.equal(figure(await t.base.metrics.print(), 'wayfare_job_success_age_seconds{job="deliver live"}'), 90);
});
