import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOrder } from '../../../../src/domains/sales/order-lists/lookup.ts';
import {
  MOST_CHARACTERS,
  masked,
  pruneSupplierCalls,
  SUPPLIER_CALLS_KEPT_MS,
} from '../../../../src/domains/supply/calls/rows.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explain } from '../../../support/database/measured-plan.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { testApp } from '../../../support/program/app.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';
import { fakeAiralo } from '../../../support/suppliers/fake-airalo.ts';
import { fakeEsimAccess } from '../../../support/suppliers/fake-esim-access.ts';
import { type FakeZendit, fakeZendit, type ZenditTransaction } from '../../../support/suppliers/fake-zendit.ts';
import { type SupplierShop, supplierShop } from '../../../support/suppliers/supplier-shop.ts';

test('a call to a supplier is on record with what was asked and answered, and the purchase sends no statement for it', async () => {
  await using t = await testApp({ role: 'api' });
  const plan = await testPlan(t);
  await catalogKnows(t, plan.alias);
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '100.00');
  const { supplierLog } = t.base.worlds.live;
  await buy(t, key, plan.alias);
  await supplierLog.flush();

  // The process's own timer would write it within the second; what matters is that the purchase does not.
  const { seen, ...watching } = watchQueries();
  const bought = await buy(t, key, plan.alias);
  const during = seen.filter((statement) => /supplier_calls/.test(statement) && !/^copy/.test(statement));
  watching[Symbol.dispose]();
  assert.deepEqual(during, []);
  await supplierLog.flush();

  const id = BigInt(bought.body.order_id);
  const [call, ...others] = await supplierLog.ofOrder(id);
  assert.deepEqual(others, []);
  assert.ok(call);
  assert.deepEqual([call.supplier, call.operation, call.outcome, call.reason], ['aurora', 'order', 'delivered', '']);
  const [exchange] = call.exchanges;
  assert.equal(exchange?.method, 'PUT');
  assert.equal(exchange?.path, `/orders/wf-live-${id}?plan=aurora%2F${plan.code}&amount_mb=1024&day=7`);
  assert.equal(exchange?.status, 200);
  const { esim } = (await t.get(`/order/detail/${id}`, { key })).body;
  assert.deepEqual(JSON.parse(exchange?.answered ?? ''), {
    reference: `wf-live-${id}`,
    state: 'delivered',
    order: (await readOrder(t.base.worlds.live.db, id))?.supplierOrder,
    iccid: esim.iccid,
    smdp: '[hidden]',
    matching_id: '[hidden]',
  });
});

/** All that is kept of calls to suppliers, as text. */
async function kept(t: SupplierShop): Promise<string> {
  await t.base.worlds.live.supplierLog.flush();
  const rows = await t.base.db.query<{ text: string }>(
    sql`select supplier_calls::text as text from live.supplier_calls`,
  );
  return rows.map(({ text }) => text).join('\n');
}

for (const [name, open, secrets] of [
  [
    'Airalo',
    () => supplierShop('airalo', fakeAiralo, (fake) => ({ airalo: { ...fake.settings, url: fake.url } })),
    (t: SupplierShop) => Object.values((t as unknown as { fake: { settings: object } }).fake.settings),
  ],
  [
    'eSIM Access',
    () => supplierShop('esim-access', fakeEsimAccess, (fake) => ({ esimAccess: fake.settings })),
    (t: SupplierShop) => Object.values((t as unknown as { fake: { settings: object } }).fake.settings),
  ],
  [
    'Zendit',
    () => supplierShop('zendit', fakeZendit, (fake) => ({ zendit: fake.settings })),
    (t: SupplierShop) => {
      const { fake } = t as unknown as { fake: FakeZendit };
      const [{ confirmation }] = [...fake.transactions.values()] as [ZenditTransaction];
      return [fake.settings.apiKey, confirmation.activationCode, confirmation.externalReferenceId];
    },
  ],
] as const)
  test(`of ${name}'s answers neither activation data nor credentials are kept`, async () => {
    await using t = await open();
    const bought = await buy(t, t.key1, await t.alias('one-gb'));
    await t.delivered(bought.body.order_id);
    const { esim } = await t.detail(bought.body.order_id);
    const text = await kept(t);
    assert.ok(text.includes(`wf-live-${bought.body.order_id}`) && text.includes(esim.iccid), text);
    assert.match(text, /\[hidden\]/);
    const codes = [esim.qrcode, esim.matching_id, esim.smdpAddress, esim.confirmation_code, esim.apple_url];
    for (const secret of [...codes, ...secrets(t)])
      if (typeof secret === 'string' && secret !== '') assert.ok(!text.includes(secret), `${secret} in ${text}`);
    assert.ok(!/LPA:1|LPA%3A1|Bearer/i.test(text), text);
  });

test('a secret is masked by its name, by its form and wherever the answer repeats it', () => {
  const hidden = '[hidden]';
  const json = (value: unknown) => JSON.parse(masked(JSON.stringify(value), ['K2-ABCD']));
  assert.deepEqual(
    json({
      ac: 'LPA:1$a$b',
      qrCodeUrl: 'https://x/1',
      list: [{ matchingId: 'M', iccid: '8901', pin: '0000', orderNo: 'B1' }],
    }),
    { ac: hidden, qrCodeUrl: hidden, list: [{ matchingId: hidden, iccid: '8901', pin: hidden, orderNo: 'B1' }] },
  );
  assert.deepEqual(json({ manual: 'enter K2-ABCD at LPA:1$host$K2-ABCD.', price: 4.5, ok: true, none: null }), {
    manual: `enter ${hidden} at ${hidden}`,
    price: 4.5,
    ok: true,
    none: null,
  });
  assert.deepEqual(json({ client_id: 'a', client_secret: 'b', data: { access_token: 'c', token_type: 'Bearer' } }), {
    client_id: hidden,
    client_secret: hidden,
    data: { access_token: hidden, token_type: hidden },
  });
  assert.equal(
    masked('<p>502 {"matching_id":"ABCDEFGHIJ1234567890XYZ"</p>', []),
    '<p>502 {"matching_id":"[hidden]"</p>',
  );
});

test('a long answer is cut, a call that got none says why, and text no column can hold is kept without it', async () => {
  await using t = await testApp({ role: 'api' });
  const plan = await testPlan(t);
  const partnerId = await t.partner();
  const order = await paidOrder(t, { partnerId, plan });
  const { supplierLog } = t.base.worlds.live;
  const asked = { orderId: order.id, supplier: 'aurora', operation: 'find', request: {} as never } as const;
  await supplierLog.record(asked, async () => ({
    outcome: 'unavailable',
    reason: `time-out\t\n\\ \u0000 ${'x'.repeat(9_000)}`,
  }));
  await assert.rejects(
    supplierLog.record(asked, () => Promise.reject(new Error('a bug'))),
    /a bug/,
  );
  await supplierLog.flush();
  const [long, thrown] = await supplierLog.ofOrder(order.id);
  assert.match(long?.reason ?? '', /^time-out\t\n\\ {2}x+… \(\d+ characters\)$/);
  assert.ok((long?.exchanges[0]?.answered.length ?? 0) < MOST_CHARACTERS + 50);
  assert.deepEqual([thrown?.outcome, thrown?.reason], ['failed', '']);
  assert.deepEqual(supplierLog.missing, { full: 0, unwritten: 0 });
});

test('calls are swept after 30 days, and those of one order are read off an index', async () => {
  await using t = await testApp({ role: 'api' });
  const { db, supplierLog } = t.base.worlds.live;
  const now = t.clock.now();
  await t.base.db.run(sql`
    insert into live.supplier_calls (order_id, supplier, operation, at, duration_ms, outcome, reason, exchanges)
    select n % 9000, 'aurora', 'find', ${new Date(now)}::timestamptz - (20000 - n) * interval '5 minutes', 1, 'pending', '', '[]'
    from generate_series(1, 20000) n`);
  await t.base.db.run(sql`analyze live.supplier_calls`);
  const { rowsRead, steps } = await explain(db, (through) =>
    through.query(sql`select id from supplier_calls where order_id = ${77n} order by id desc limit 100`),
  );
  assert.ok(rowsRead <= 10, steps.join('\n'));
  assert.equal((await supplierLog.ofOrder(77n)).length, 3);
  while ((await pruneSupplierCalls(db, now)) > 0);
  const { oldest, n } = await db.one<{ oldest: Date; n: number }>(sql`
    select min(at) as oldest, count(*)::int as n from supplier_calls`);
  assert.ok(oldest.getTime() >= now - SUPPLIER_CALLS_KEPT_MS && n === (30 * DAY) / 300_000 + 1, `${n}`);
});
