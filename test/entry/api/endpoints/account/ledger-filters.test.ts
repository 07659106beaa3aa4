import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HOUR, timestamp } from '../../../../../src/platform/clock.ts';
import type { Mode } from '../../../../../src/platform/contract/mode.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { buy, catalogKnows } from '../../../../support/sales/shop.ts';

const START = Date.UTC(2026, 2, 1, 12);
const times = (hours: number) => timestamp(new Date(START + hours * HOUR));

let t: TestApp;
/** Each bought three times, an hour apart, the first and the last under one reference. `order` is the second. */
interface Account {
  readonly list: string;
  readonly key: string;
  readonly mode: Mode;
  readonly order: number;
  readonly charge: string;
  readonly extra: string;
}
let accounts: Account[];

before(async () => {
  t = await testApp();
  t.clock.freeze(START);
  const product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
  const account = async (list: string, mode: Mode, billing: 'prepaid' | 'postpaid', charge: string) => {
    t.clock.freeze(START);
    const partner = await t.partner({ billing });
    const key = await t.key(partner, mode);
    await run(t.operator(), `wallet credit --partner ${partner} --amount 100`);
    await run(t.operator(), `partner set ${partner} --credit-limit 100`);
    const orders: number[] = [];
    for (const reference of ['trip-1', 'trip-2', 'trip-1']) {
      t.clock.freeze(t.clock.now() + HOUR);
      orders.push((await buy(t, key, product, { reference })).body.order_id);
    }
    const extra = mode === 'sandbox' ? '&sandbox_ledger=1' : '';
    return { list, key, mode, order: orders[1] ?? 0, charge, extra };
  };
  accounts = [
    await account('history', 'live', 'prepaid', 'purchase'),
    await account('statement', 'live', 'postpaid', 'charge'),
    await account('history', 'sandbox', 'prepaid', 'purchase'),
    await account('statement', 'sandbox', 'prepaid', 'charge'),
  ];
});
after(() => t[Symbol.asyncDispose]());

type Row = { id: number; type: string; reference: string; product_title: string; date: string };

async function rows({ list, key, extra }: Account, query: string): Promise<{ ledger: Row[]; more: boolean }> {
  const { status, body } = await t.get(`/account/${list}?${query}${extra}`, { key });
  assert.equal(status, 200, JSON.stringify(body));
  return { ledger: body.ledger, more: body.has_more };
}

test('history and statement find movements by time, order and reference, and page by number', async () => {
  for (const account of accounts) {
    const references = async (query: string) => (await rows(account, query)).ledger.map(({ reference }) => reference);
    const all = (await rows(account, '')).ledger.filter(({ type }) => type === account.charge);
    assert.deepEqual(
      all.map(({ reference, product_title, date }) => [reference, product_title !== '', date]),
      [
        ['trip-1', true, times(3)],
        ['trip-2', true, times(2)],
        ['trip-1', true, times(1)],
      ],
    );
    assert.deepEqual(await references(`from=${times(1)}&to=${times(3)}`), ['trip-2', 'trip-1']);
    assert.deepEqual(await references(`from=${times(3)}`), ['trip-1']);
    assert.deepEqual(await references(`from=${times(4)}`), []);
    assert.deepEqual(await references(`order_id=${account.order}`), ['trip-2']);
    assert.deepEqual(await references('order_id=9999999'), []);
    assert.deepEqual(await references('reference=trip-1'), ['trip-1', 'trip-1']);
    assert.deepEqual(await references(`reference=trip-1&to=${times(2)}`), ['trip-1']);
    assert.deepEqual(await references(`reference=trip-1&order_id=${account.order}`), []);
    assert.deepEqual(await references('reference=unknown&before_id=&from=&order_id='), []);

    const first = await rows(account, 'limit=1');
    const second = await rows(account, `limit=1&start=7&before_id=${first.ledger[0]?.id}`);
    assert.deepEqual([first.more, first.ledger[0], second.ledger[0]], [true, all[0], all[1]]);
    const byReference = await rows(account, 'limit=1&start=2&reference=trip-1');
    assert.deepEqual([byReference.more, byReference.ledger[0]], [false, all[2]]);
  }
});

test('what a filter cannot be read from is refused with its code', async () => {
  for (const { list, key } of accounts) {
    const refusal = async (query: string) => (await t.get(`/account/${list}?${query}`, { key })).body.error;
    assert.equal(await refusal('from=yesterday'), 'invalid_from');
    assert.equal(await refusal('to=2026-13-01'), 'invalid_to');
    assert.equal(await refusal('before_id=0'), 'invalid_before_id');
    assert.equal(await refusal('order_id=x'), 'invalid_order_id');
    assert.equal(await refusal('reference=a&reference=b'), 'invalid_reference');
  }
});

test('without sandbox_ledger=1 the sandbox answers as the contract says; with it the rows have the live shape and add up', async () => {
  for (const list of ['history', 'statement']) {
    const [live, sandbox] = accounts.filter((account) => account.list === list);
    assert.ok(live && sandbox);
    for (const extra of ['', '&sandbox_ledger=0', '&sandbox_ledger=yes'])
      assert.deepEqual(await rows({ ...sandbox, extra }, 'limit=5'), { ledger: [], more: false });
    const [real, { ledger }] = [await rows(live, ''), await rows(sandbox, '')];
    assert.deepEqual(Object.entries(ledger[0] ?? {}).map(shape), Object.entries(real.ledger[0] ?? {}).map(shape));
    const amounts = ledger.map((row) => row as unknown as { amount: unknown; balance_after: unknown });
    amounts.forEach(({ amount, balance_after }, i) => {
      const before = Number(amounts[i + 1]?.balance_after ?? 0);
      assert.equal((before + Number(amount)).toFixed(2), Number(balance_after).toFixed(2));
    });
  }
  const [, , , statement] = accounts;
  assert.ok(statement);
  const { body } = await t.get('/account/statement?sandbox_ledger=1&type=charge&limit=1', { key: statement.key });
  const { body: balance } = await t.get('/account/balance', { key: statement.key });
  assert.equal(body.ledger[0].balance_after, body.outstanding);
  assert.equal(Number(body.available), balance.balance);
});

test('the books of play money start over with a reset, and a clock that went back hides nothing', async () => {
  const [, , history] = accounts;
  assert.ok(history);
  await t.post('/account/sandboxReset', {}, { key: history.key });
  t.clock.freeze(START - 24 * HOUR);
  await t.post('/account/sandboxBalance', { operation: 'add', amount: '5' }, { key: history.key });
  const { ledger } = await rows(history, '');
  assert.deepEqual(
    ledger.map(({ type, id: _, ...row }) => [type, (row as { amount?: number }).amount]),
    [
      ['adjust', 5],
      ['adjust', 1000],
    ],
  );
  assert.equal((await rows(history, `to=${times(-1)}`)).ledger.length, 1);
  assert.equal((await rows(history, `from=${times(-1)}`)).ledger.length, 1);
});

const shape = ([name, value]: [string, unknown]) => `${name} ${typeof value}`;
