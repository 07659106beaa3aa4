import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readPartner } from '../../../../src/domains/catalog/prices/read.ts';
import { proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explaining } from '../../../support/database/explain.ts';
import { eventually } from '../../../support/eventually.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows } from '../../../support/sales/shop.ts';
import { stripeApp, walletLines } from '../../../support/sales/topups.ts';

/*
 * The share tier counts what was topped up and not returned. Without jobs of its own: the test says when a payment is checked.
 */

const s = await stripeApp({ role: 'api' });
const { t, stripe } = s;
after(() => s[Symbol.asyncDispose]());

/** A partner of its own, with its live key. */
async function partner() {
  const id = await t.partner();
  const key = await t.key(id);
  await t.base.db.run(sql`
    update api_keys set tier_ceilings = '{"money": 1000000, "read": 1000000}' where partner_id = ${id}`);
  const pay = async (amount: number) => {
    const { body } = await t.post('/account/topup', { amount: String(amount) }, { key });
    const intent = stripe.intentOf(body.payment_key);
    stripe.pay(intent);
    const confirmed = await t.post('/account/topupConfirm', { payment_key: body.payment_key }, { key });
    assert.equal(confirmed.body.status, 'succeeded');
    return { paymentKey: body.payment_key as string, intent, amount };
  };
  /** What the API says, once no process has older prices in memory. */
  const requireTier = async (topup_usd: number, current_pct: number) => {
    await eventually(`the tier counts ${topup_usd}`, async () => {
      const { tier } = (await t.get('/account/pricing', { key })).body.pricing;
      return tier.topup_usd === topup_usd && tier.current_pct === current_pct;
    });
  };
  return { id, key, pay, requireTier };
}

const check = (paymentKey: string) => run(t.operator(), `topup check ${paymentKey}`);

test('a refunded top-up no longer counts toward the tier, and a part of it only in part', async () => {
  const { id, pay, requireTier } = await partner();
  const [first, second] = [await pay(600), await pay(500)];
  await requireTier(1100, 10);
  stripe.refund(second.intent, 200_00);
  await check(second.paymentKey);
  await requireTier(900, 0);
  stripe.refund(second.intent, 500_00);
  await check(second.paymentKey);
  await requireTier(600, 0);
  stripe.refund(first.intent, 600_00);
  await check(first.paymentKey);
  await requireTier(0, 0);
  assert.deepEqual(
    (await walletLines(t.base.worlds.live, id)).map(([type]) => type),
    ['topup', 'topup', 'adjust', 'adjust', 'adjust'],
  );
});

test('a disputed top-up does not count while its money is away, and counts again when the dispute is won', async () => {
  const { pay, requireTier } = await partner();
  const { intent, paymentKey } = await pay(1000);
  await requireTier(1000, 10);
  stripe.dispute(intent, 1000_00, 'needs_response');
  await check(paymentKey);
  await requireTier(0, 0);
  stripe.dispute(intent, 1000_00, 'won');
  await check(paymentKey);
  await requireTier(1000, 10);
});

test('a refund and a dispute of one payment take off no more than the payment', async () => {
  const { pay, requireTier } = await partner();
  const [kept, gone] = [await pay(700), await pay(400)];
  await requireTier(kept.amount + gone.amount, 10);
  stripe.refund(gone.intent, 300_00);
  stripe.dispute(gone.intent, 400_00, 'lost');
  await check(gone.paymentKey);
  await requireTier(kept.amount, 0);
});

test('a returned top-up stops counting even if it is spent and the wallet cannot give it back', async () => {
  const { key, pay, requireTier } = await partner();
  const { intent, paymentKey } = await pay(1000);
  const { alias } = await testPlan(t, { price: 995, cost: 995 });
  await catalogKnows(t, alias);
  assert.equal((await buy(t, key, alias)).status, 200);
  stripe.refund(intent, 1000_00);
  assert.equal((await check(paymentKey)).recovered, '5.00');
  await requireTier(0, 0);
});

test('the return of a top-up that has left the window takes nothing off those inside it', async () => {
  const { pay, requireTier } = await partner();
  const old = await pay(1000);
  t.clock.advance(60 * DAY);
  await pay(1000);
  await requireTier(2000, 10);
  t.clock.advance(31 * DAY);
  await requireTier(1000, 10);
  stripe.refund(old.intent, 1000_00);
  await check(old.paymentKey);
  await requireTier(1000, 10);
});

test('a top-up that expired and was paid late counts from its payment on, and so does its return', async () => {
  const { id, key, requireTier } = await partner();
  const { body } = await t.post('/account/topup', { amount: '1000' }, { key });
  const intent = stripe.intentOf(body.payment_key);
  await t.base.db.run(sql`
    update live.topups set status = 'expired', closed_at = now() - interval '400 days' where payment_key = ${body.payment_key}`);
  stripe.pay(intent);
  await check(body.payment_key);
  await requireTier(1000, 10);
  stripe.refund(intent, 400_00);
  await check(body.payment_key);
  await requireTier(600, 0);
  assert.equal((await t.get('/account/balance', { key })).body.balance, 600, `partner ${id}`);
});

test('bank transfers count, and a correction by hand changes the balance only', async () => {
  const { id, requireTier } = await partner();
  await run(t.operator(), `wallet credit --partner ${id} --amount 1000`);
  await requireTier(1000, 10);
  await run(t.operator(), `wallet adjust --partner ${id} --subtract 300 --note fee`);
  await run(t.operator(), `wallet credit --partner ${id} --amount 1`);
  await requireTier(1001, 10);
});

test('the tier is read off indexes, however many top-ups there are', async () => {
  const { id } = await partner();
  await t.base.db.run(sql`
    insert into live.topups (partner_id, payment_key, provider, amount, currency, status, refunded, created_at, closed_at)
    select ${id}, 'topup_' || n, 'stripe', 100, 'USD', 'succeeded', case when n % 100 = 0 then 50 else 0 end,
      now() - n * interval '1 hour', now() - n * interval '1 hour' from generate_series(1, 10000) n`);
  await t.base.db.run(sql`analyze live.topups`);
  const { db, plans } = explaining(t.base.db);
  await readPartner(db, id, new Date(t.clock.now() - 90 * DAY)).catch(() => {});
  assert.match(plans.join(), /Scan.* (using|on) topups_returned/);
  assert.match(plans.join(), /Scan.* (using|on) movements_topups/);
  await t.base.db.run(
    sql`delete from live.topups where payment_key like 'topup\_%' and intent_id is null and partner_id = ${id}`,
  );
});

test('the books add up', async () => {
  const { drift } = await proveBooks(t.base.worlds.live.db, () => {});
  assert.deepEqual(drift, []);
});
