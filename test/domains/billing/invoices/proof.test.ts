import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { raw, type Sql, sql } from '../../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../../src/platform/db/search-path.ts';
import { TestClock } from '../../../support/clock.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { breaches, closeAll, giveBack, invoicing, pay, sell } from '../../../support/sales/invoices.ts';

const clock = new TestClock();
clock.freeze(Date.UTC(2026, 11, 1, 1));
const t = await testApp({ role: 'panel', clock, config: { invoicing } });
after(() => t[Symbol.asyncDispose]());
const found = async () => (await breaches(t)).map(({ rule }) => rule);

/** Past the triggers that keep documents as they are, as somebody with the rights of the server's owner could. */
const tamper = (...statements: Sql[]) =>
  t.base.db.tx(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await enterSchema(tx, 'live');
    for (const statement of statements) await tx.run(statement);
  });

// On terms: two months, one of them paid in part, a later refund, an invoice that was voided, and one that was issued again.
const owing = await t.partner({ billing: 'postpaid', creditLimit: toCents(1_000_000n) });
const at = (day: string) => new Date(`${day}T12:00:00Z`);
const order = await sell(t, owing, { price: 5_000n, at: at('2026-10-10'), book: 'debt' });
await sell(t, owing, { price: 2_000n, at: at('2026-11-10'), book: 'debt' });
const prepaid = await t.partner();
const bought = await sell(t, prepaid, { price: 450n, at: at('2026-10-10') });
await sell(t, prepaid, { price: 700n, at: at('2026-11-10') });
await giveBack(t, prepaid, bought, { at: at('2026-11-11'), amount: 50n });
await closeAll(t);
await pay(t, owing, 3_000n, at('2026-12-01'));
await giveBack(t, owing, order, { at: at('2026-12-02'), amount: 1_000n });
await sell(t, owing, { price: 900n, at: at('2026-12-03'), book: 'debt' });
clock.freeze(Date.UTC(2027, 0, 1, 1));
await closeAll(t);
const numberOf = async (partnerId: number, month: string) =>
  (await t.base.worlds.live.invoices.list({ partnerId, month, limit: 9 })).find(({ kind }) => kind === 'invoice')
    ?.number ?? '';
await run(t.operator(), ['invoice', 'credit', await numberOf(prepaid, '2026-11'), '--reason', 'wrong name']);
await run(t.operator(), `invoice issue --partner ${prepaid} --month 2026-11`);
const voided = await numberOf(owing, '2026-11');
await run(t.operator(), ['invoice', 'credit', voided, '--reason', 'wrong name']);

const ofMonth = (partnerId: number, month: string) =>
  sql`(select id from invoices where partner_id = ${partnerId} and month = ${`${month}-01`}::date and kind = 'invoice' order by id desc limit 1)`;
const october = ofMonth(owing, '2026-10');
const december = ofMonth(owing, '2026-12');
const noteOf = (invoice: Sql) => sql`(select id from invoices where credits = ${invoice} limit 1)`;
const gone = (table: string, where: Sql): Sql[] => [
  sql`create table gone as select * from ${raw(table)} where ${where}`,
  sql`delete from ${raw(table)} where ${where}`,
];
const back = (table: string): Sql[] => [
  sql`insert into ${raw(table)} overriding system value select * from gone`,
  sql`drop table gone`,
];

const SALES = 'every invoice that stands is the purchases of its month less their refunds in it';
const NOTES = 'every later refund of an order on an invoice is in one credit note';
const NUMBERS = 'the numbers of documents have no gaps';
const VOIDS = 'every voided invoice has a credit note over all of it, and no other has';
const PAID = 'payments settle invoices exactly, the oldest first';

for (const [what, rule, change, undo] of [
  [
    'the total of an invoice',
    SALES,
    [sql`update invoices set total = total + 1, net = net + 1 where id = ${october}`],
    [sql`update invoices set total = total - 1, net = net - 1 where id = ${october}`],
  ],
  [
    'a sale of a closed month that became another in the ledger',
    SALES,
    [sql`update movements set amount = amount + 1 where order_id = ${order} and type = 'charge'`],
    [sql`update movements set amount = amount - 1 where order_id = ${order} and type = 'charge'`],
  ],
  [
    'the amount of a credit note',
    NOTES,
    [sql`update invoices set total = total - 1, net = net - 1 where id = ${noteOf(october)}`],
    [sql`update invoices set total = total + 1, net = net + 1 where id = ${noteOf(october)}`],
  ],
  [
    'a credit note that is for another invoice',
    NOTES,
    [sql`update invoices set credits = ${december} where id = ${noteOf(october)}`],
    [sql`update invoices set credits = ${october} where id = ${noteOf(december)}`],
  ],
  [
    'a closed month whose invoice is gone',
    'every closed month with purchases has an invoice, and a voided one its credit note',
    gone('invoices', sql`id = ${december}`),
    back('invoices'),
  ],
  [
    'an invoice that is gone leaves a gap',
    NUMBERS,
    gone('invoices', sql`id = (select max(id) from invoices)`),
    back('invoices'),
  ],
  [
    'a number that was skipped',
    NUMBERS,
    [sql`update invoice_numbers set last = last + 1 where year = 2026`],
    [sql`update invoice_numbers set last = last - 1 where year = 2026`],
  ],
  [
    'a number that says something else',
    NUMBERS,
    [sql`update invoices set number = 'INV2026-900001' where number = ${voided}`],
    [sql`update invoices set number = ${voided} where number = 'INV2026-900001'`],
  ],
  [
    'a voided invoice that stands again',
    VOIDS,
    [
      sql`update invoice_states set status = 'open' where invoice_id = (select id from invoices where number = ${voided})`,
    ],
    [
      sql`update invoice_states set status = 'void' where invoice_id = (select id from invoices where number = ${voided})`,
    ],
  ],
  [
    'a credit note over less than the invoice it voids',
    VOIDS,
    [sql`update invoices set total = total - 1, net = net - 1 where voids and partner_id = ${owing}`],
    [sql`update invoices set total = total + 1, net = net + 1 where voids and partner_id = ${owing}`],
  ],
  [
    'the amount of a line',
    'every document is the sum of its lines',
    [
      sql`update invoice_lines set unit_price = unit_price + 1, amount = amount + quantity where invoice_id = ${october}`,
    ],
    [
      sql`update invoice_lines set unit_price = unit_price - 1, amount = amount - quantity where invoice_id = ${october}`,
    ],
  ],
  [
    'a payment that settled more than it was',
    PAID,
    [sql`update invoice_states set settled = settled + 1 where invoice_id = ${october}`],
    [sql`update invoice_states set settled = settled - 1 where invoice_id = ${october}`],
  ],
  [
    'a payment that settled the later month first',
    PAID,
    [
      sql`update invoice_states set settled = settled - 1 where invoice_id = ${october}`,
      sql`update invoice_states set settled = settled + 1 where invoice_id = ${december}`,
    ],
    [
      sql`update invoice_states set settled = settled + 1 where invoice_id = ${october}`,
      sql`update invoice_states set settled = settled - 1 where invoice_id = ${december}`,
    ],
  ],
  [
    'an invoice that says it is paid',
    PAID,
    [sql`update invoice_states set status = 'paid' where invoice_id = ${december}`],
    [sql`update invoice_states set status = 'open' where invoice_id = ${december}`],
  ],
  [
    'a payment that is counted twice',
    PAID,
    [sql`update invoice_accounts set paid = paid + 3000 where partner_id = ${owing}`],
    [sql`update invoice_accounts set paid = paid - 3000 where partner_id = ${owing}`],
  ],
] as const satisfies readonly (readonly [string, string, readonly Sql[], readonly Sql[]])[])
  test(`audit finds ${what}`, async () => {
    assert.deepEqual(await found(), []);
    await tamper(...change);
    const rules = await found();
    await tamper(...undo);
    assert.ok(rules.includes(rule), JSON.stringify(rules));
  });

test('`audit` reads these rules, and counts what was issued', async () => {
  const wrong = sql`update invoice_states set settled = settled + 1 where invoice_id = ${october}`;
  await tamper(wrong);
  const { live } = await run(t.operator(), 'audit');
  assert.ok(
    live.drift.some((one: { rule: string }) => one.rule === PAID),
    JSON.stringify(live.drift),
  );
  assert.deepEqual([live.invoices, live.credit_notes], [6n, 4n]);
});
