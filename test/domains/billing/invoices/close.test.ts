import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formatCents, toCents } from '../../../../src/platform/amounts/cents.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { TestClock } from '../../../support/clock.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { breaches, closeAll, giveBack, invoicing, pay, sell } from '../../../support/sales/invoices.ts';

const NOVEMBER = new Date('2026-11-10T12:00:00Z');
const DECEMBER = new Date('2026-12-05T12:00:00Z');
const clock = new TestClock();
clock.freeze(Date.UTC(2026, 11, 1, 1));
// A panel alone: no job closes anything beside the tests.
const t = await testApp({ role: 'panel', clock, config: { invoicing } });
after(() => t[Symbol.asyncDispose]());
const { invoices, db } = t.base.worlds.live;
const at = (time: string) => clock.freeze(new Date(time).getTime());
const onTerms = () => t.partner({ billing: 'postpaid', creditLimit: toCents(1_000_000n) });
const rows = async (partnerId: number) =>
  (await invoices.list({ partnerId, limit: 100 })).map(
    ({ kind, month, status, total, amountPaid, amountDue }) =>
      `${kind} ${month} ${status} ${formatCents(total)} paid ${formatCents(amountPaid)} due ${formatCents(amountDue)}`,
  );
const only = async (partnerId: number) => {
  const [row, ...more] = await invoices.list({ partnerId, limit: 100 });
  assert.ok(row && more.length === 0);
  const found = await invoices.find(row.number);
  assert.ok(found);
  return found;
};

test('a prepaid month has one invoice, paid as it is issued, with a line per plan and price and refunds of their own', async () => {
  at('2026-12-01T01:00:00Z');
  const id = await t.partner();
  await sell(t, id, { price: 450n, at: NOVEMBER });
  const refunded = await sell(t, id, { price: 450n, at: NOVEMBER });
  await sell(t, id, { price: 500n, at: NOVEMBER });
  await sell(t, id, { price: 999n, at: NOVEMBER, title: 'Spain 1 GB' });
  const failed = await sell(t, id, { price: 777n, at: NOVEMBER });
  await giveBack(t, id, refunded, { at: NOVEMBER, amount: 100n });
  await giveBack(t, id, failed, { at: NOVEMBER, failed: true });
  await closeAll(t);
  const invoice = await only(id);
  assert.deepEqual(
    invoice.lines.map(({ description, quantity, unitPrice, amount }) => [description, quantity, unitPrice, amount]),
    [
      ['France 5 GB', 1, 500n, 500n],
      ['France 5 GB', 2, 450n, 900n],
      ['Spain 1 GB', 1, 999n, 999n],
      ['Refund: France 5 GB', -1, 100n, -100n],
    ],
  );
  assert.equal(invoice.total, 2299n);
  assert.equal(invoice.tax, 367n, '2299 × 19 / 119 = 367.07');
  assert.deepEqual([invoice.status, invoice.dueAt, invoice.isPrepaid, invoice.amountDue], ['paid', null, true, 0n]);
  assert.match(invoice.number, /^INV2026-\d{6}$/);
  assert.deepEqual(await breaches(t), []);
});

test('a refund of an earlier month makes a credit note with the next close, and a month without purchases no invoice', async () => {
  at('2026-12-01T01:00:00Z');
  const id = await t.partner();
  const order = await sell(t, id, { price: 450n, at: NOVEMBER });
  await closeAll(t);
  await giveBack(t, id, order, { at: DECEMBER, amount: 200n });
  at('2027-01-01T01:00:00Z');
  await closeAll(t);
  assert.deepEqual(await rows(id), [
    'credit_note 2026-12 paid 2.00 paid 2.00 due 0.00',
    'invoice 2026-11 paid 4.50 paid 4.50 due 0.00',
  ]);
  const [note] = await invoices.list({ partnerId: id, limit: 1 });
  assert.match(note?.credits ?? '', /^INV2026-/);
  assert.match(note?.number ?? '', /^INV2027-/, 'the year is that of its issue');
  assert.deepEqual(await breaches(t), []);
});

test('a month is closed once six minutes have passed, however many close it at once', async () => {
  at('2026-12-01T00:05:00Z');
  const id = await t.partner();
  await sell(t, id, { price: 450n, at: NOVEMBER });
  await closeAll(t);
  assert.deepEqual(await rows(id), []);
  at('2026-12-01T00:06:00Z');
  await using other = await t.another('panel');
  await Promise.all([closeAll(t), closeAll(other), closeAll(t)]);
  assert.equal((await rows(id)).length, 1);
  assert.deepEqual(await breaches(t), []);
});

test('on credit terms payments settle the oldest month first, and what was paid before the issue counts', async () => {
  at('2026-12-01T01:00:00Z');
  const id = await onTerms();
  await sell(t, id, { price: 10_000n, at: new Date('2026-10-10T00:00:00Z'), book: 'debt' });
  await sell(t, id, { price: 5_000n, at: NOVEMBER, book: 'debt' });
  await pay(t, id, 3_000n, NOVEMBER);
  await closeAll(t);
  assert.deepEqual(await rows(id), [
    'invoice 2026-11 open 50.00 paid 0.00 due 50.00',
    'invoice 2026-10 open 100.00 paid 30.00 due 70.00',
  ]);
  await pay(t, id, 8_000n, DECEMBER);
  assert.deepEqual(await rows(id), [
    'invoice 2026-11 open 50.00 paid 10.00 due 40.00',
    'invoice 2026-10 paid 100.00 paid 100.00 due 0.00',
  ]);
  const [{ dueAt } = {}] = await invoices.list({ partnerId: id, limit: 1 });
  assert.equal(dueAt?.toISOString(), '2026-12-31T00:00:00.000Z', '30 days after issue');
  assert.deepEqual(await breaches(t), []);
});

test('a credit note settles like a payment on terms, so what is due is what is owed', async () => {
  at('2026-12-01T01:00:00Z');
  const id = await onTerms();
  const order = await sell(t, id, { price: 10_000n, at: NOVEMBER, book: 'debt' });
  await closeAll(t);
  await giveBack(t, id, order, { at: DECEMBER, amount: 2_500n });
  at('2027-01-01T01:00:00Z');
  await closeAll(t);
  assert.deepEqual(await rows(id), [
    'credit_note 2026-12 paid 25.00 paid 25.00 due 0.00',
    'invoice 2026-11 overdue 100.00 paid 25.00 due 75.00',
  ]);
  assert.deepEqual(await breaches(t), []);
});

test('a voided invoice is credited whole; its month can be issued again and takes over the payments', async () => {
  at('2026-12-01T01:00:00Z');
  const id = await onTerms();
  await sell(t, id, { price: 10_000n, at: NOVEMBER, book: 'debt' });
  await closeAll(t);
  await pay(t, id, 4_000n, DECEMBER);
  const { number } = await only(id);
  const credited = await run(t.operator(), ['invoice', 'credit', number, '--reason', 'wrong name']);
  assert.match(credited.credit_note, /^INV2026-/);
  assert.deepEqual(await rows(id), [
    'credit_note 2026-11 paid 100.00 paid 100.00 due 0.00',
    'invoice 2026-11 void 100.00 paid 40.00 due 0.00',
  ]);
  assert.deepEqual(await breaches(t), []);
  await assert.rejects(run(t.operator(), ['invoice', 'credit', number, '--reason', 'again']), { code: 'invoice_void' });
  await assert.rejects(run(t.operator(), ['invoice', 'credit', credited.credit_note, '--reason', 'again']), {
    code: 'not_an_invoice',
  });
  await run(t.operator(), `partner set ${id} --legal-name Right`);
  const issued = await run(t.operator(), `invoice issue --partner ${id} --month 2026-11`);
  assert.equal(issued.numbers.length, 1);
  assert.deepEqual((await rows(id))[0], 'invoice 2026-11 open 100.00 paid 40.00 due 60.00');
  assert.equal((await invoices.find(issued.numbers[0]))?.buyer.name, 'Right');
  assert.equal((await invoices.find(number))?.buyer.name, 'Test', 'the first one stays as it was');
  assert.deepEqual(await breaches(t), []);
  await assert.rejects(run(t.operator(), `invoice issue --partner ${id} --month 2026-11`), { code: 'invoice_issued' });
  await assert.rejects(run(t.operator(), `invoice issue --partner ${id} --month 2026-12`), { code: 'month_not_over' });
  await assert.rejects(run(t.operator(), `invoice issue --partner ${id} --month 2026-09`), {
    code: 'nothing_to_invoice',
  });
});

test('what is written after its month was closed is on the next invoice', async () => {
  at('2026-12-01T01:00:00Z');
  const id = await t.partner();
  await sell(t, id, { price: 450n, at: NOVEMBER });
  await closeAll(t);
  await sell(t, id, { price: 111n, at: new Date('2026-11-30T23:59:59Z') });
  await sell(t, id, { price: 222n, at: DECEMBER });
  at('2027-01-01T01:00:00Z');
  await closeAll(t);
  assert.deepEqual(await rows(id), [
    'invoice 2026-12 paid 3.33 paid 3.33 due 0.00',
    'invoice 2026-11 paid 4.50 paid 4.50 due 0.00',
  ]);
  assert.deepEqual(await breaches(t), []);
});

test('a clock that was a year ahead and came back neither loses nor repeats a sale', async () => {
  at('2026-11-15T00:00:00Z');
  const id = await t.partner();
  await sell(t, id, { price: 450n, at: NOVEMBER });
  at('2027-11-15T00:00:00Z');
  await closeAll(t);
  at('2026-11-15T00:10:00Z');
  await closeAll(t);
  await sell(t, id, { price: 111n, at: new Date('2026-11-20T00:00:00Z') });
  await sell(t, id, { price: 222n, at: DECEMBER });
  at('2027-01-01T01:00:00Z');
  await closeAll(t);
  assert.deepEqual(await rows(id), [
    'invoice 2026-12 paid 3.33 paid 3.33 due 0.00',
    'invoice 2026-11 paid 4.50 paid 4.50 due 0.00',
  ]);
  assert.deepEqual(await breaches(t), []);
});

test('without a seller nothing is issued, and what waited is issued once there is one', async () => {
  at('2026-12-01T01:00:00Z');
  const id = await t.partner();
  await sell(t, id, { price: 450n, at: NOVEMBER });
  {
    await using without = await testApp({ role: 'panel', clock, url: t.base.url, secret: t.base.config.secret ?? '' });
    await closeAll(without);
    assert.deepEqual(await rows(id), []);
    await assert.rejects(run(without.operator(), `invoice issue --partner ${id} --month 2026-11`), {
      code: 'seller_not_set',
    });
  }
  await closeAll(t);
  assert.equal((await rows(id)).length, 1);
});

test('documents and their lines cannot be changed or deleted', async () => {
  await assert.rejects(t.base.db.run(sql`update live.invoices set total = total`), /append-only/);
  await assert.rejects(t.base.db.run(sql`delete from live.invoice_lines`), /append-only/);
  await assert.rejects(db.run(sql`update invoices set total = total`), /permission denied/);
});
