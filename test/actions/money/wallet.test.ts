import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { charge, delivered, posted, purchase } from '../../support/sales/sales.ts';

const refused = (code: string) => (error: Error & { code?: string }) => error.code === code;

/** The live transfers of a partner as `debit>credit amount`, in order. */
async function transfers(t: TestApp, partner: number): Promise<string[]> {
  const rows = await t.base.db.query<{ line: string }>(sql`
    select debit || '>' || credit || ' ' || amount as line from live.transfers where partner_id = ${partner} order by id`);
  return rows.map(({ line }) => line);
}

test('money commands of the operator', async (suite) => {
  await using t = await testApp();
  const operator = t.operator();

  await suite.test(
    'credit, promo, payment and adjust are ledger transfers, and the answer shows the balances',
    async () => {
      const partner = await t.partner({ billing: 'postpaid' });
      const command = (line: string) => run(operator, `${line} --partner ${partner}`);
      await command('wallet credit --amount 10');
      await command('wallet credit --amount 2 --promo');
      await command('wallet adjust --add 7 --debt --note n');
      await command('wallet payment --amount 3');
      await command('wallet adjust --add 0.5 --note n');
      await command('wallet adjust --subtract 1 --note n');
      await command('wallet adjust --subtract 0.25 --promo --note n');
      const last = await command('wallet adjust --subtract 2 --debt --note n');
      assert.deepEqual(last, { partner_id: partner, balance: '11.25', promo: '1.75', cash: '9.50', debt: '2.00' });
      assert.deepEqual(await transfers(t, partner), [
        'bank_clearing>cash 1000',
        'promo_expense>promo 200',
        'receivable>adjustment 700',
        'bank_clearing>receivable 300',
        'adjustment>cash 50',
        'cash>adjustment 100',
        'promo>adjustment 25',
        'adjustment>receivable 200',
      ]);
    },
  );

  await suite.test('every change has its audit entry: who, what, to whom, before, after, note', async () => {
    const partner = await t.partner();
    await run(operator, ['wallet', 'credit', '--partner', `${partner}`, '--amount', '12.34', '--note', 'wire 99']);
    const entry = await t.base.db.one<Record<string, unknown>>(sql`
      select who, what, before, after from audit_log where target = ${`partner ${partner}`}`);
    assert.deepEqual(entry, {
      who: 'test',
      what: 'wallet credit',
      before: { balance: '0.00', promo: '0.00', cash: '0.00', debt: '0.00' },
      after: { balance: '12.34', promo: '0.00', cash: '12.34', debt: '0.00', amount: '12.34', note: 'wire 99' },
    });
  });

  await suite.test('a payment above the debt is refused with the debt and what to do with the rest', async () => {
    const partner = await t.partner({ billing: 'postpaid' });
    const pay = (usd: string) => run(operator, `wallet payment --partner ${partner} --amount ${usd}`);
    const tooLarge = (debt: string) => ({
      code: 'payment_too_large',
      message: `partner ${partner} owes ${debt} USD: record at most that as a payment, and the rest with \`wallet credit\``,
    });
    await assert.rejects(pay('0.01'), tooLarge('0.00'));
    await run(operator, `wallet adjust --partner ${partner} --add 12 --debt --note n`);
    await assert.rejects(pay('12.01'), tooLarge('12.00'));
    assert.equal((await pay('12')).debt, '0.00');
    assert.equal((await transfers(t, partner)).length, 2);
  });

  await suite.test('wallet show: what is held and owed, with the latest lines of both books', async () => {
    const partner = await t.partner({ billing: 'postpaid' });
    await run(operator, `partner set ${partner} --credit-limit 50`);
    const { orderId } = await delivered(t, partner);
    await posted(t, partner, [charge(2000n, orderId)]);
    await run(operator, `wallet payment --partner ${partner} --amount 5`);
    await run(operator, `wallet credit --partner ${partner} --amount 3 --promo`);
    const { history, statement, ...figures } = await run(operator, `wallet show --partner ${partner}`);
    assert.deepEqual(figures, {
      ...{ partner_id: partner, billing_mode: 'postpaid', suspended: false, balance: '3.00', promo: '3.00' },
      ...{ cash: '0.00', debt: '15.00', credit_limit: '50.00', credit_left: '35.00' },
    });
    type Line = { type: string; amount: string; balance_after: string; order_id: bigint | null };
    const told = (lines: Line[]) =>
      lines.map(({ type, amount, balance_after, order_id }) => [type, amount, balance_after, order_id]);
    assert.deepEqual(told(history), [['promo', '3.00', '3.00', null]]);
    assert.deepEqual(told(statement), [
      ['payment', '-5.00', '15.00', null],
      ['charge', '20.00', '20.00', orderId],
    ]);
    const one = await run(operator, `wallet show --partner ${partner} --limit 1`);
    assert.deepEqual([one.history.length, one.statement.length], [1, 1]);
    await assert.rejects(run(operator, 'wallet show --partner 999999'), refused('partner_not_found'));
  });

  await suite.test('what cannot be done changes nothing and leaves no entry', async () => {
    const partner = await t.partner();
    const entries = () => t.base.db.one<{ n: bigint }>(sql`select count(*) as n from audit_log`);
    const before = await entries();
    const command = (line: string) => run(operator, `${line} --partner ${partner}`);
    await assert.rejects(command('wallet adjust --subtract 0.01 --note n'), refused('insufficient_balance'));
    await assert.rejects(command('wallet payment --amount 1'), refused('not_postpaid'));
    await assert.rejects(run(operator, 'wallet credit --partner 999999 --amount 1'), refused('partner_not_found'));
    await assert.rejects(run(operator, 'order refund 999999'), refused('order_not_found'));
    await assert.rejects(command('wallet credit --amount 0'), /more than zero/);
    await assert.rejects(command('wallet adjust --note n'), /either --add or --subtract/);
    await assert.rejects(command('wallet adjust --add 1 --subtract 1 --note n'), /either --add or --subtract/);
    await assert.rejects(command('wallet adjust --add 1 --promo --debt --note n'), /cannot be combined/);
    assert.deepEqual(await transfers(t, partner), []);
    assert.deepEqual(await entries(), before);
  });

  await suite.test(
    'order refund: part and rest go back to promo and cash as drawn, never more than was paid',
    async () => {
      const partner = await t.partner();
      await run(operator, `wallet credit --partner ${partner} --amount 6 --promo`);
      await run(operator, `wallet credit --partner ${partner} --amount 20`);
      const { orderId } = await delivered(t, partner);
      await posted(t, partner, [purchase({ promo: 600n, cash: 400n }, orderId)]);

      const part = await run(operator, `order refund ${orderId} --amount 5`);
      assert.deepEqual([part.refunded, part.promo, part.cash], ['5.00', '3.00', '18.00']);
      await assert.rejects(run(operator, `order refund ${orderId} --amount 5.01`), refused('refund_too_large'));
      const rest = await run(operator, `order refund ${orderId} --note goodwill`);
      assert.deepEqual([rest.refunded, rest.promo, rest.cash], ['5.00', '6.00', '20.00']);
      await assert.rejects(run(operator, `order refund ${orderId}`), refused('refund_too_large'));
      const { before, after } = await t.base.db.one<{ before: object; after: object }>(sql`
      select before, after from audit_log where target = ${`order ${orderId}`} order by id desc limit 1`);
      assert.deepEqual(before, { balance: '21.00', promo: '3.00', cash: '18.00', debt: '0.00' });
      assert.deepEqual(after, {
        ...{ balance: '26.00', promo: '6.00', cash: '20.00', debt: '0.00', note: 'goodwill' },
        ...{ order_id: String(orderId), refunded: '5.00' },
      });
    },
  );

  await suite.test(
    'order refund of a postpaid order lowers the debt, also below zero once the invoice was paid',
    async () => {
      const partner = await t.partner({ billing: 'postpaid' });
      const { orderId } = await delivered(t, partner);
      await posted(t, partner, [charge(2000n, orderId)]);
      await run(operator, `wallet payment --partner ${partner} --amount 20`);
      const { debt, balance } = await run(operator, `order refund ${orderId}`);
      assert.deepEqual([debt, balance], ['-20.00', '0.00']);
    },
  );

  await suite.test('an order that paid nothing has nothing to refund', async () => {
    const { orderId } = await delivered(t, await t.partner());
    await assert.rejects(run(operator, `order refund ${orderId}`), refused('refund_too_large'));
  });

  await suite.test('ten refunds of one order at once give back what was paid, once', async () => {
    const partner = await t.partner();
    await run(operator, `wallet credit --partner ${partner} --amount 10`);
    const { orderId } = await delivered(t, partner);
    await posted(t, partner, [purchase({ cash: 1000n }, orderId)]);
    const tries = Array.from({ length: 10 }, () => run(operator, `order refund ${orderId} --amount 4`));
    const done = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    assert.equal(done.length, 2);
    assert.equal((await run(operator, `order refund ${orderId}`)).balance, '10.00');
  });
});
