import assert from 'node:assert/strict';
import test from 'node:test';
import { afterRefund } from '../../../../src/domains/billing/revenue-share/formula.ts';
import { lockWallets, post } from '../../../../src/domains/money/ledger/transfers.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { charge, delivered, keepReading, posted, purchase, type Sold } from '../../../support/sales/sales.ts';
import { drift, revenueShare } from '../../../support/sales/shares.ts';

const NOW = Date.UTC(2026, 5, 1);

/** A paid and expired sale at 20.00 whose share is 3.00: 6.00 of unused cost at 50 percent. */
async function sale(t: TestApp, billing: 'prepaid' | 'postpaid', draws: { promo?: bigint } = {}) {
  const partnerId = await t.partner({ billing });
  const operator = t.operator();
  await run(operator, `partner set ${partnerId} --revenue-share 50`);
  if (billing === 'postpaid') await run(operator, `partner set ${partnerId} --credit-limit 1000`);
  const sold: Sold = await delivered(t, partnerId, { deliveredAt: NOW - 40 * DAY });
  await keepReading(t, sold, { usedMb: 1280, expiresAt: NOW - 10 * DAY });
  if (billing === 'postpaid') await posted(t, partnerId, [charge(2000n, sold.orderId)]);
  else {
    const promo = draws.promo ?? 0n;
    if (promo > 0n) await run(operator, `wallet credit --partner ${partnerId} --amount ${Number(promo) / 100} --promo`);
    if (promo < 2000n)
      await run(operator, `wallet credit --partner ${partnerId} --amount ${(2000 - Number(promo)) / 100}`);
    await posted(t, partnerId, [purchase({ promo, cash: 2000n - promo }, sold.orderId)]);
  }
  const key = await t.key(partnerId);
  return { partnerId, key, orderId: sold.orderId };
}

const refund = (t: TestApp, orderId: bigint, amount?: string) =>
  run(t.operator(), `order refund ${orderId}${amount === undefined ? '' : ` --amount ${amount}`}`);

const shareOf = async (t: TestApp, key: string) => {
  const { items, total_share } = (await t.get('/account/profitshare', { key })).body;
  const [item] = items;
  return item
    ? {
        amount: item.amount,
        channel: item.channel,
        debt: item.settle_debt,
        wallet: item.settle_wallet,
        total: total_share,
      }
    : undefined;
};

test('a share counts only what was not refunded, in proportion and exact at both ends', () => {
  const [full, price] = [toCents(300n), toCents(2000n)];
  const left = (refunded: bigint) => afterRefund(full, price, toCents(refunded));
  assert.deepEqual([left(0n), left(1000n), left(1999n), left(2000n)], [300n, 150n, 0n, 0n]);
  assert.equal(left(1997n), 0n);
  assert.equal(left(1996n), 1n);
});

test('refunds and revenue share', async (suite) => {
  await using t = await testApp();
  t.clock.freeze(NOW);
  const { live } = t.base.worlds;
  const { settle } = revenueShare(t);
  const balance = (partnerId: number) => live.books.balance(partnerId);

  await suite.test('settled, then refunded: the share goes back with the price', async () => {
    const { partnerId, key, orderId } = await sale(t, 'prepaid');
    await settle(NOW);
    assert.equal(await balance(partnerId), 300n);
    const { refunded, share_taken_back } = (await refund(t, orderId)) as Record<string, string>;
    assert.deepEqual([refunded, share_taken_back], ['20.00', '3.00']);
    assert.equal(await balance(partnerId), 2000n);
    assert.deepEqual(await shareOf(t, key), {
      amount: '0.00',
      channel: 'none',
      debt: '0.00',
      wallet: '0.00',
      total: '0.00',
    });
    const [line] = (await t.get('/account/history', { key })).body.ledger;
    assert.deepEqual([line.type, line.amount, line.order_id], ['profit_share', -3, Number(orderId)]);
  });

  await suite.test(
    'settled, then refunded in parts: each part takes its own, and the last leaves nothing',
    async () => {
      const { partnerId, key, orderId } = await sale(t, 'prepaid');
      await settle(NOW);
      await refund(t, orderId, '5');
      assert.equal(await balance(partnerId), 500n + 225n);
      assert.equal((await shareOf(t, key))?.amount, '2.25');
      await refund(t, orderId, '14.99');
      assert.equal(await balance(partnerId), 1999n);
      await refund(t, orderId);
      assert.equal(await balance(partnerId), 2000n);
    },
  );

  await suite.test('refunded all but a cent, then settled: the share is that of a cent', async () => {
    const { partnerId, key, orderId } = await sale(t, 'prepaid');
    await refund(t, orderId, '19.99');
    await settle(NOW);
    assert.equal(await balance(partnerId), 1999n);
    assert.deepEqual((await shareOf(t, key))?.channel, 'none');
  });

  await suite.test('refunded between the calculation and the payment: what is paid knows of the refund', async () => {
    const { partnerId, key, orderId } = await sale(t, 'prepaid');
    await live.db.tx(async (tx) => {
      await tx.run(sql`
        insert into revenue_shares (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost_micros,
          unused_cost_micros, share_pct, full_amount, amount, capped, created_at)
        values (${orderId}, ${partnerId}, 5120, 1280, 3840, 1563, 6000000, 50, 300, 300, false, ${new Date(NOW)})`);
      await tx.run(sql`
        insert into revenue_share_totals (partner_id, kind, amount, unused_mb) values (${partnerId}, 'shadow', 300, 3840)`);
      await tx.run(sql`update orders set usage_due_at = 'infinity' where id = ${orderId}`);
    });
    await refund(t, orderId, '10');
    await settle(NOW);
    assert.equal(await balance(partnerId), 1000n + 150n);
    assert.equal((await shareOf(t, key))?.total, '1.50');
  });

  await suite.test('postpaid: what had lowered the debt raises it again', async () => {
    const { partnerId, key, orderId } = await sale(t, 'postpaid');
    await settle(NOW);
    const outstanding = async () => (await t.get('/account/statement', { key })).body.outstanding;
    assert.equal(await outstanding(), '17.00');
    await refund(t, orderId, '10');
    assert.equal(await outstanding(), '8.50');
    assert.deepEqual(await shareOf(t, key), {
      amount: '1.50',
      channel: 'debt',
      debt: '1.50',
      wallet: '0.00',
      total: '1.50',
    });
    await refund(t, orderId);
    assert.equal(await outstanding(), '0.00');
    assert.equal(await balance(partnerId), 0n);
  });

  await suite.test('a wallet too short for it owes the rest: gift money is not taken', async () => {
    const { partnerId, orderId } = await sale(t, 'prepaid', { promo: 2000n });
    await settle(NOW);
    await run(t.operator(), `wallet adjust --partner ${partnerId} --subtract 2 --note spent`);
    await refund(t, orderId);
    const { cash, promo, outstanding } = (await live.books.history(partnerId, { limit: 1, start: 1 })).balances;
    assert.deepEqual({ cash, promo, outstanding }, { cash: 0n, promo: 2000n, outstanding: 200n });
  });

  await suite.test('a refund that is only requested, or rejected, leaves the share as it is', async () => {
    const { partnerId, key, orderId } = await sale(t, 'prepaid');
    const { body } = await t.post('/order/refund', { order_id: String(orderId) }, { key });
    assert.equal(body.refund.status, 'requested');
    await settle(NOW);
    assert.equal(await balance(partnerId), 300n);
    await run(t.operator(), `refund reject ${orderId}`);
    assert.equal((await shareOf(t, key))?.amount, '3.00');
    const { share_taken_back } = await run(t.operator(), `refund approve ${orderId} --amount 10`);
    assert.equal(share_taken_back, '1.50');
    assert.equal(await balance(partnerId), 1000n + 150n);
  });

  await suite.test('wholly refunded: no share is ever calculated, and its eSIM is not read for one', async () => {
    const { partnerId, key, orderId } = await sale(t, 'prepaid');
    await refund(t, orderId);
    assert.deepEqual(await settle(NOW), { looked: 0, accrued: 0, settled: 0 });
    assert.equal(await balance(partnerId), 2000n);
    assert.equal(await shareOf(t, key), undefined);
    const part = await sale(t, 'prepaid');
    await refund(t, part.orderId, '19.99');
    assert.equal((await settle(NOW)).looked, 1, 'a part leaves it a sale');
  });

  await suite.test('the audit proves it, and sees a share that was paid past a refund', async () => {
    assert.deepEqual(await drift(live.db), []);
    const { orderId } = await sale(t, 'prepaid');
    await settle(NOW);
    await live.db.tx(async (tx) => {
      const { partnerId } = await tx.one<{ partnerId: number }>(sql`
        select partner_id as "partnerId" from orders where id = ${orderId}`);
      const transfers = [{ debit: 'revenue', credit: 'cash', amount: toCents(1000n) }] as const;
      const at = new Date(NOW);
      await post(tx, await lockWallets(tx, [partnerId]), [
        { partnerId, orderId, book: 'wallet', type: 'refund', transfers, at },
      ]);
    });
    const [found, ...more] = await drift(live.db);
    assert.deepEqual(more, []);
    assert.equal(found?.rule, 'every settled revenue share counts only what was not refunded');
    assert.deepEqual(found?.examples, [String(orderId)]);
  });
});
