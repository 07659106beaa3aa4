import assert from 'node:assert/strict';
import { sql } from '../../src/platform/db/query/sql.ts';
import { testApp } from '../../test/support/program/app.ts';
import { run } from '../../test/support/program/operator.ts';
import { refundShop, withdrawals } from '../../test/support/suppliers/withdrawals.ts';
import { type Attack, sized } from './attack.ts';

/** Requests about one order that are sent at the same time, each several times. */
const AT_ONCE = 4;

export const refundRaces: Attack = {
  name: 'refund-races',
  tries: 'a partner and operators refund the same orders at once, whole and in parts, in two processes',
  async run(attempt) {
    await using t = await testApp();
    await using other = await t.another();
    const shop = await refundShop(t);
    for (const app of [t, other]) await withdrawals(app, { outcome: 'withdrawn' });
    const { books } = t.base.worlds.live;
    const had = await books.balance(shop.partnerId);
    const orders = sized(attempt, 12, 40);
    let asked = 0;
    let given = 0;
    for (let n = 0; n < orders; n += 1) {
      const { id } = await shop.order(shop.live);
      const byOperator = (words: string) =>
        run((asked % 2 ? t : other).operator(), words).then(
          () => 200,
          (error: { code?: string }) => error.code ?? error,
        );
      const tries = Array.from({ length: AT_ONCE }, () => [
        t.post('/order/refund', { order_id: id }, { key: shop.live }).then(({ status }) => status),
        other.post('/order/refund', { order_id: id }, { key: shop.live }).then(({ status }) => status),
        byOperator(`order refund ${id}`),
        byOperator(`order refund ${id} --amount 6`),
        byOperator(`refund approve ${id} --amount 7`),
      ]).flat();
      asked += tries.length;
      for (const outcome of await Promise.all(tries)) {
        assert.ok(typeof outcome === 'string' || (typeof outcome === 'number' && outcome < 500), String(outcome));
        if (outcome === 200) given += 1;
      }
      const { back, price } = await t.base.worlds.live.db.one<{ back: bigint; price: bigint }>(sql`
        select coalesce(sum(amount), 0)::bigint as back, min(sale_price)::bigint as price
        from orders left join movements on movements.order_id = orders.id and type = 'refund' where orders.id = ${id}`);
      assert.ok(back <= price, `order ${id} cost ${price} and gave ${back} back`);
    }
    assert.ok((await books.balance(shop.partnerId)) <= had, 'the balance is not higher than before');
    assert.equal((await run(t.operator(), 'audit')).ok, true, 'the books add up');
    attempt.held(
      `${asked} refunds of ${orders} orders, ${given} of them granted: no order gave back more than it cost`,
    );
  },
};
