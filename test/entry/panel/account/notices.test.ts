import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { lastFailed } from '../../../../src/domains/billing/topups/rows.ts';
import { listStopped, MOST_COUNTED } from '../../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { ledgerWallets } from '../../../../src/domains/money/books/books.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explaining } from '../../../support/database/explain.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, signedIn } from '../../../support/program/panel.ts';
import { credit } from '../../../support/sales/shop.ts';

// Delivers nothing by itself, so what is queued stays.
const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());

const NONE = {
  suspended: false,
  is_overdue: false,
  credit_used: false,
  balance_low: null,
  failed_topup: null,
  missing_billing_details: [],
  webhooks: [],
};
const noticesOf = async (ana: Browser, mode = 'live') => (await ana.get(`/api/${mode}/notices`)).body;
const set = (partnerId: number, words: string) => run(t.operator(), `partner set ${partnerId} ${words}`);
const subtract = (partnerId: number, usd: string) =>
  run(t.operator(), ['wallet', 'adjust', '--partner', `${partnerId}`, '--subtract', usd, '--note', 'typo']);

async function member() {
  const partnerId = await t.partner();
  return { partnerId, ana: await signedIn(t, partnerId) };
}

test('without a cause there is no notice, in either world, and there is no third one', async () => {
  const { ana } = await member();
  assert.deepEqual([await noticesOf(ana), await noticesOf(ana, 'sandbox')], [NONE, NONE]);
  const { status, body } = await ana.get('/api/elsewhere/notices');
  assert.deepEqual([status, body.error.code], [404, 'not_found']);
});

test('a balance below the level has a notice until it is at the level again or the alert is off', async () => {
  const { partnerId, ana } = await member();
  const low = async () => (await noticesOf(ana)).balance_low;
  await set(partnerId, '--balance-alert 20');
  assert.deepEqual(await low(), { available: '0.00', level: '20.00', is_credit: false });
  await credit(t, partnerId, '19.99');
  assert.equal((await low()).available, '19.99');
  await credit(t, partnerId, '0.01');
  assert.equal(await low(), null);
  await subtract(partnerId, '1');
  assert.equal((await low()).available, '19.00');
  await set(partnerId, '--balance-alert off');
  assert.equal(await low(), null);
});

test('play money has a notice of its own', async () => {
  const { partnerId, ana } = await member();
  await credit(t, partnerId, '100');
  await set(partnerId, '--balance-alert 20');
  const play = (amount: string) => ana.v3('sandbox', '/account/sandboxBalance', { operation: 'set', amount });
  assert.equal((await play('5.00')).status, 200);
  assert.deepEqual((await noticesOf(ana, 'sandbox')).balance_low, {
    available: '5.00',
    level: '20.00',
    is_credit: false,
  });
  assert.deepEqual(await noticesOf(ana), NONE);
  await play('20.00');
  assert.deepEqual(await noticesOf(ana, 'sandbox'), NONE);
});

test('a suspended account and a used-up credit limit have a notice in live only, and only while they last', async () => {
  const { partnerId, ana } = await member();
  await set(partnerId, '--billing postpaid --credit-limit 0 --suspended true --balance-alert 20');
  assert.deepEqual(await noticesOf(ana), { ...NONE, suspended: true, credit_used: true });
  assert.deepEqual(await noticesOf(ana, 'sandbox'), NONE);
  await set(partnerId, '--credit-limit 15 --suspended false');
  const low = { available: '15.00', level: '20.00', is_credit: true };
  assert.deepEqual(await noticesOf(ana), { ...NONE, balance_low: low });
});

test('a paused webhook has a notice once it holds events, a disabled one at once; resuming ends both', async () => {
  const { partnerId, ana } = await member();
  const stranger = await member();
  const url = 'https://93.184.215.14/hook';
  const made = await ana.post('/api/live/webhooks', { url, events: ['account.balance_low'] });
  const { id } = made.body.subscription;
  const act = (what: string) => ana.post(`/api/live/webhooks/${id}/${what}`);
  const hooks = async () => (await noticesOf(ana)).webhooks;
  await act('pause');
  assert.deepEqual(await hooks(), []);
  await credit(t, partnerId, '30');
  await set(partnerId, '--balance-alert 10');
  await subtract(partnerId, '25');
  const held = { id, url, is_disabled: false, next_try_at: null, held: 1, more: false };
  assert.deepEqual(await hooks(), [held]);
  await act('resume');
  assert.deepEqual(await hooks(), [], 'what waits to be sent is not held');
  const { db } = t.base.worlds.live;
  await db.run(sql`update webhook_subscriptions set status = 3, held_since = now() where id = ${id}`);
  const [{ next_try_at }] = await hooks();
  assert.match(next_try_at, /^20/);
  const disabled = { ...held, is_disabled: true, next_try_at };
  assert.deepEqual(await hooks(), [disabled]);
  await db.run(sql`
    insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
    select -n, ${id}, now(), 1 from generate_series(1, ${2 * MOST_COUNTED}) n`);
  assert.deepEqual(await hooks(), [{ ...disabled, held: MOST_COUNTED, more: true }]);
  assert.deepEqual((await noticesOf(ana, 'sandbox')).webhooks, []);
  assert.deepEqual(await noticesOf(stranger.ana), NONE);
  await db.run(sql`delete from webhook_queue where delivery_id < 0`);
  await act('resume');
  assert.deepEqual(await hooks(), []);
});

test('a failed top-up has a notice for seven days, unless a later one succeeds; an abandoned one has none', async () => {
  const { partnerId, ana } = await member();
  const stranger = await member();
  const now = t.clock.now();
  const topup = (key: string, status: string, closedAt: number, of = partnerId) =>
    t.base.worlds.live.db.run(sql`
      insert into topups (partner_id, payment_key, provider, amount, currency, status, created_at, closed_at)
      values (${of}, ${`topup_${of}_${key}`}, 'simulated', 2500, 'USD', ${status}, ${new Date(now - 9 * DAY)}, ${new Date(closedAt)})`);
  const failed = async () => (await noticesOf(ana)).failed_topup;
  await topup('old', 'failed', now - 7 * DAY - 1);
  await topup('left', 'expired', now - 1000);
  assert.equal(await failed(), null);
  await topup('declined', 'failed', now - 5000);
  await topup('left later', 'expired', now - 1000);
  assert.deepEqual(await failed(), {
    payment_key: `topup_${partnerId}_declined`,
    amount: '25.00',
    failed_at: new Date(now - 5000).toISOString(),
  });
  assert.deepEqual(await noticesOf(stranger.ana), NONE);
  assert.equal((await noticesOf(ana, 'sandbox')).failed_topup, null);
  await topup('paid', 'succeeded', now - 500);
  assert.equal(await failed(), null);
});

test('what a notice is read from has an index', async () => {
  const { partnerId } = await member();
  const now = new Date(t.clock.now());
  await t.base.db.run(sql`
    insert into live.topups (partner_id, payment_key, provider, amount, currency, status, created_at)
    select ${partnerId}, 'many_' || n, 'simulated', 100, 'USD', 'expired', ${now} from generate_series(1, 5000) n`);
  await t.base.db.run(sql`
    insert into live.webhook_subscriptions (partner_id, url, events, secret, secret_last4, created_at, updated_at)
    select ${partnerId}, 'https://many.example/' || n, '{order.paid}', '', 'aaaa', ${now}, ${now} from generate_series(1, 2000) n`);
  await t.base.db.run(sql`
    insert into live.webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
    select -1000 - n, 1000 + n % 50, ${now}, 1 from generate_series(1, 5000) n`);
  await t.base.db.run(sql`analyze live.topups, live.webhook_subscriptions, live.webhook_queue`);
  const other = await t.partner();
  const { db, plans } = explaining(t.base.worlds.live.db);
  await listStopped(db, other);
  await lastFailed(db, other, now);
  await ledgerWallets(db)
    .spendingPower(other)
    .catch(() => {});
  const [stopped = '', failed = '', standing = ''] = plans;
  assert.match(stopped, /webhook_subscriptions_of_partner/);
  assert.match(stopped, /webhook_queue_lanes/);
  assert.match(failed, /topups_of_partner/);
  assert.doesNotMatch(stopped + failed, /Seq Scan/);
  assert.match(standing, /on wallets/);
});
