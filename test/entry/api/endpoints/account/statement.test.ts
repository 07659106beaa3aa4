import assert from 'node:assert/strict';
import test from 'node:test';
import { testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { charge, delivered, posted } from '../../../../support/sales/sales.ts';

test('account/statement', async (suite) => {
  await using t = await testApp();
  t.clock.freeze(Date.UTC(2026, 2, 1));
  const operator = t.operator();

  await suite.test('404 partner_account_not_found when no billing account was ever opened', async () => {
    const partner = await t.partner({ billing: undefined });
    const key = await t.key(partner);
    const before = await t.get('/account/statement', { key });
    assert.deepEqual([before.status, before.body.error], [404, 'partner_account_not_found']);
    await run(operator, `partner set ${partner} --billing prepaid`);
    assert.equal((await t.get('/account/statement', { key })).status, 200);
  });

  await suite.test('a prepaid partner with an account gets zeros, a credit limit kept for later included', async () => {
    const partner = await t.partner({ billing: 'prepaid' });
    await run(operator, `partner set ${partner} --credit-limit 500`);
    await run(operator, `wallet credit --partner ${partner} --amount 20`);
    const { status, body } = await t.get('/account/statement', { key: await t.key(partner) });
    assert.equal(status, 200);
    assert.deepEqual(own(body), {
      billing_mode: 'prepaid',
      credit_limit: '0.00',
      outstanding: '0.00',
      available: '0.00',
      profit_share_enabled: 0,
      status: 1,
      currency: 'USD',
      ledger: [],
      count: 0,
      has_more: false,
    });
  });

  await suite.test('debt movements newest first in decimal strings, signed as they change the debt', async () => {
    const partner = await t.partner({ billing: 'postpaid' });
    await run(operator, `partner set ${partner} --credit-limit 100 --revenue-share 40`);
    const sale = await delivered(t, partner);
    await posted(t, partner, [charge(12_050n, sale.orderId)]);
    await run(operator, `wallet payment --partner ${partner} --amount 20 --note INV-1`);
    await run(operator, [
      'wallet',
      'adjust',
      '--debt',
      '--partner',
      `${partner}`,
      '--add',
      '1.25',
      '--note',
      'late fee',
    ]);
    await run(operator, `order refund ${sale.orderId} --amount 0.5`);
    const { body } = await t.get('/account/statement', { key: await t.key(partner) });
    const date = '2026-03-01 00:00:00';
    const none = { reference: '', product_title: '' };
    const order = { reference: '', product_title: 'France 5 GB' };
    assert.deepEqual(
      { ...own(body), ledger: body.ledger.map(({ id, ...line }: { id: number }) => line) },
      {
        billing_mode: 'postpaid',
        credit_limit: '100.00',
        outstanding: '101.25',
        available: '-1.25',
        profit_share_enabled: 1,
        status: 1,
        currency: 'USD',
        ledger: [
          { type: 'refund', amount: '-0.50', balance_after: '101.25', ...order, note: '', date },
          { type: 'adjust', amount: '1.25', balance_after: '101.75', ...none, note: 'late fee', date },
          { type: 'payment', amount: '-20.00', balance_after: '100.50', ...none, note: 'INV-1', date },
          { type: 'charge', amount: '120.50', balance_after: '120.50', ...order, note: '', date },
        ],
        count: 4,
        has_more: false,
      },
    );
  });

  await suite.test('type selects; any other value is ignored; count is of the rows returned', async () => {
    const partner = await t.partner({ billing: 'postpaid' });
    const key = await t.key(partner);
    for (let i = 1; i <= 3; i++) {
      const { orderId } = await delivered(t, partner);
      await posted(t, partner, [charge(1000n * BigInt(i), orderId)]);
    }
    await run(operator, `wallet payment --partner ${partner} --amount 5`);
    const amounts = async (query: string) => {
      const { body } = await t.get(`/account/statement${query}`, { key });
      assert.equal(body.count, body.ledger.length);
      assert.equal(body.outstanding, '55.00');
      return body.ledger.map((line: { amount: string }) => line.amount);
    };
    assert.deepEqual(await amounts('?type=charge'), ['30.00', '20.00', '10.00']);
    assert.deepEqual(await amounts('?type=charge&limit=1&start=2'), ['20.00']);
    assert.deepEqual(await amounts('?type=payment'), ['-5.00']);
    assert.deepEqual(await amounts('?type=profit_share'), []);
    for (const ignored of ['topup', 'CHARGE', 'charge&type=payment', ''])
      assert.deepEqual(await amounts(`?type=${ignored}`), ['-5.00', '30.00', '20.00', '10.00']);
    assert.deepEqual(await amounts('?limit=501&start=0'), ['-5.00', '30.00', '20.00', '10.00']);
  });

  await suite.test('a suspended billing account can still be read, and says so in status', async () => {
    const partner = await t.partner({ billing: 'postpaid' });
    await run(operator, `partner set ${partner} --suspended true`);
    const { status, body } = await t.get('/account/statement', { key: await t.key(partner) });
    assert.deepEqual([status, body.status], [200, 2]);
  });

  await suite.test('sandbox keys see a prepaid account with zeros, whatever the live one is', async () => {
    const partner = await t.partner({ billing: 'postpaid' });
    await run(operator, `partner set ${partner} --credit-limit 100 --revenue-share 40 --suspended true`);
    for (const id of [partner, await t.partner({ billing: undefined })]) {
      const { status, body } = await t.get('/account/statement', { key: await t.key(id, 'sandbox') });
      assert.equal(status, 200);
      assert.equal(body.livemode, false);
      const { billing_mode, credit_limit, outstanding, available, profit_share_enabled, ledger, count } = body;
      assert.deepEqual([billing_mode, credit_limit, outstanding, available], ['prepaid', '0.00', '0.00', '0.00']);
      assert.deepEqual([profit_share_enabled, body.status, ledger, count], [0, 1, [], 0]);
    }
  });
});

/** The answer without its envelope. */
function own({ result, code, title, api_version, ...body }: Record<string, unknown>) {
  return body;
}
