import assert from 'node:assert/strict';
import test from 'node:test';
import { toCents } from '../../../../../src/platform/amounts/cents.ts';
import { testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { delivered, posted, purchase } from '../../../../support/sales/sales.ts';

test('account/history', async (suite) => {
  await using t = await testApp();
  t.clock.freeze(Date.UTC(2026, 2, 1, 12, 30, 45));
  const operator = t.operator();

  await suite.test('movements newest first, each with the resulting balance; amounts are signed numbers', async () => {
    const partner = await t.partner();
    const key = await t.key(partner);
    await run(operator, ['wallet', 'credit', '--partner', `${partner}`, '--amount', '50', '--note', 'invoice 7']);
    await run(operator, `wallet credit --partner ${partner} --amount 5.5 --promo`);
    const { orderId } = await delivered(t, partner);
    await posted(t, partner, [purchase({ promo: 550n, cash: 1450n }, orderId)]);

    const { status, body } = await t.get('/account/history', { key });
    assert.equal(status, 200);
    assert.equal(body.livemode, undefined);
    assert.equal(body.balance, 35.5);
    assert.deepEqual(body.balances, { balance: 35.5, promo: 0, cash: 35.5, debt: 0 });
    const date = '2026-03-01 12:30:45';
    const none = { order_id: null, reference: '', product_title: '' };
    const order = { order_id: Number(orderId), reference: '', product_title: 'France 5 GB' };
    assert.deepEqual(
      body.ledger.map(({ id, ...line }: { id: number }) => line),
      [
        { type: 'purchase', amount: -20, balance_after: 35.5, ...order, note: '', date },
        { type: 'promo', amount: 5.5, balance_after: 55.5, ...none, note: '', date },
        { type: 'topup', amount: 50, balance_after: 50, ...none, note: 'invoice 7', date },
      ],
    );
    const ids = body.ledger.map((line: { id: number }) => line.id);
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => b - a),
    );
  });

  await suite.test(
    'pages by limit and 1-based start; 500 at most; what is no page number counts as not sent',
    async () => {
      const partner = await t.partner();
      const key = await t.key(partner);
      const lines = Array.from({ length: 510 }, () => ({
        book: 'wallet',
        type: 'topup',
        transfers: [{ debit: 'bank_clearing', credit: 'cash', amount: toCents(100n) }],
      }));
      await posted(t, partner, lines as Parameters<typeof posted>[2]);
      const after = async (query: string) => {
        const { status, body } = await t.get(`/account/history${query}`, { key });
        assert.equal(status, 200);
        assert.equal(body.balance, 510);
        return body.ledger.map((line: { balance_after: number }) => line.balance_after);
      };
      const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first - i);
      assert.deepEqual(await after(''), from(510, 50));
      assert.deepEqual(await after('?limit=3&start=2'), from(507, 3));
      assert.deepEqual(await after('?limit=500&start=2'), from(10, 10));
      assert.deepEqual(await after('?limit=501'), from(510, 500));
      assert.deepEqual(await after('?limit=999999999999'), from(510, 500));
      assert.deepEqual(await after('?start=12'), []);
      assert.deepEqual(await after('?start=99999999999999999999'), []);
      for (const unusable of ['0', '-1', 'x', '1.5', '']) {
        assert.deepEqual(await after(`?limit=${unusable}&start=${unusable}`), from(510, 50));
      }
      assert.deepEqual(await after('?limit=2&limit=3'), from(510, 50));
    },
  );

  await suite.test('sandbox keys get an empty ledger and the sandbox balance', async () => {
    const partner = await t.partner();
    await run(operator, `wallet credit --partner ${partner} --amount 70`);
    const { body } = await t.get('/account/history', { key: await t.key(partner, 'sandbox') });
    assert.equal(body.livemode, false);
    assert.deepEqual([body.ledger, body.has_more], [[], false]);
    assert.equal(body.balance, 1000);
    assert.deepEqual(body.balances, { balance: 1000, promo: 0, cash: 1000, debt: 0 });
  });

  await suite.test('a partner sees its own movements only', async () => {
    const [one, other] = [await t.partner(), await t.partner()];
    await run(operator, `wallet credit --partner ${one} --amount 10`);
    const { body } = await t.get('/account/history', { key: await t.key(other) });
    assert.deepEqual([body.ledger, body.balance], [[], 0]);
  });

  await suite.test('history_read_failed can be simulated with a sandbox key', async () => {
    const key = await t.key(await t.partner(), 'sandbox');
    const { status, body } = await t.get('/account/history?sandbox_error=history_read_failed', { key });
    assert.deepEqual([status, body.error, body.sandbox_simulated], [500, 'history_read_failed', true]);
  });
});
