import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { invoicesJob } from '../../../../src/domains/billing/invoices/invoices.ts';
import { allocate } from '../../../../src/domains/billing/invoices/settle.ts';
import { sendDue } from '../../../../src/domains/messages/mail/job.ts';
import type { Letter, Post } from '../../../../src/domains/messages/mail/send.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { readMailSettings } from '../../../../src/platform/settings/mail.ts';
import { mailContents } from '../../../../src/work.ts';
import { TestClock } from '../../../support/clock.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { breaches, closeAll, invoicing, sell } from '../../../support/sales/invoices.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows } from '../../../support/sales/shop.ts';

const clock = new TestClock();
const NOVEMBER = new Date('2026-11-10T12:00:00Z');
const mail = readMailSettings('smtp://127.0.0.1:9', 'ops@example.com');
assert.ok(mail && typeof mail !== 'string');
clock.freeze(Date.UTC(2026, 11, 1, 1));
const t = await testApp({ role: 'api', clock, config: { mail, invoicing: { ...invoicing, suspendDays: 10 } } });
after(() => t[Symbol.asyncDispose]());
const plan = await testPlan(t);
await catalogKnows(t, plan.alias);
const { live } = t.base.worlds;
const on = async (day: string) => {
  clock.freeze(new Date(`${day}T00:00:01Z`).getTime());
  await invoicesJob(live).run(new AbortController().signal);
};
const statusOf = async (partnerId: number) => (await live.invoices.list({ partnerId, limit: 1 }))[0]?.status;
const debtor = async (price: bigint) => {
  clock.freeze(Date.UTC(2026, 11, 1, 1));
  const id = await t.partner({ billing: 'postpaid', creditLimit: toCents(1_000_000n) });
  await sell(t, id, { price, at: NOVEMBER, book: 'debt' });
  await closeAll(t);
  return id;
};
const notices = (partnerId: number) =>
  t.base.db
    .query<{ facts: { days?: string; to: string } }>(sql`
      select facts from shared.notices where partner_id = ${partnerId} and kind = 'invoice_reminder' order by id`)
    .then((rows) => rows.map(({ facts }) => facts.days));

test('an invoice is overdue from the day after it was due; payments make it paid, and corrections open again', async () => {
  const id = await debtor(5_000n);
  await on('2026-12-31');
  assert.equal(await statusOf(id), 'open', 'due today');
  await on('2027-01-01');
  assert.equal(await statusOf(id), 'overdue');
  await run(t.operator(), `wallet payment --partner ${id} --amount 50`);
  assert.equal(await statusOf(id), 'paid');
  await run(t.operator(), `wallet adjust --partner ${id} --debt --add 50 --note returned`);
  assert.equal(await statusOf(id), 'overdue');
  assert.deepEqual(await breaches(t), []);
});

test('reminders are mailed three days before, on the day, 7 and 14 days after, each once, until it is paid', async () => {
  const id = await debtor(5_000n);
  for (let day = Date.UTC(2026, 11, 20); day <= Date.UTC(2027, 0, 10); day += DAY)
    for (const _ of [1, 2]) await on(new Date(day).toISOString().slice(0, 10));
  assert.deepEqual(await notices(id), ['-3', '0', '7']);
  await run(t.operator(), `wallet payment --partner ${id} --amount 50`);
  await on('2027-01-20');
  assert.deepEqual(await notices(id), ['-3', '0', '7']);
  const late = await debtor(5_000n);
  await on('2027-02-20');
  assert.equal((await notices(late)).length, 1, 'those that were missed are not sent one after the other');
});

test('so many days after the due date purchases are refused as for a suspended account, and go through once it is paid', async () => {
  const id = await debtor(5_000n);
  const key = await t.key(id);
  await on('2027-01-09');
  assert.equal((await buy(t, key, plan.alias)).body.result, 'ok');
  await on('2027-01-10');
  const refused = await buy(t, key, plan.alias);
  assert.equal(refused.body.error, 'partner_account_suspended');
  assert.equal(refused.body.status, 2);
  await run(t.operator(), `wallet payment --partner ${id} --amount 50`);
  assert.equal((await buy(t, key, plan.alias)).body.result, 'ok');
});

test('an amount of at most OVERDUE_MIN_USD refuses nothing', async () => {
  const id = await debtor(1_000n);
  const key = await t.key(id);
  await on('2027-02-10');
  assert.equal(await statusOf(id), 'overdue');
  assert.equal((await buy(t, key, plan.alias)).body.result, 'ok');
});

test('a voided invoice keeps what it had settled until its month is issued again', () => {
  const slot = (month: string, status: 'open' | 'void', onTerms: bigint, settled = 0n) => ({
    ...{ month, status, onTerms: toCents(onTerms), settled: toCents(settled) },
  });
  const settled = (...slots: ReturnType<typeof slot>[]) => allocate(slots, toCents(100n)).map((one) => one.settled);
  assert.deepEqual(settled(slot('1', 'open', 70n), slot('2', 'open', 70n)), [70n, 30n]);
  assert.deepEqual(settled(slot('1', 'void', 70n, 40n), slot('2', 'open', 70n)), [40n, 60n]);
  assert.deepEqual(settled(slot('1', 'void', 70n, 40n), slot('1', 'open', 70n), slot('2', 'open', 70n)), [
    0n,
    70n,
    30n,
  ]);
});

test('an invoice is mailed with its PDF to the billing address when it is issued', async () => {
  const id = await t.partner();
  await run(t.operator(), `partner set ${id} --billing-email accounts@kite.example`);
  await sell(t, id, { price: 450n, at: NOVEMBER });
  clock.freeze(Date.UTC(2026, 11, 1, 1));
  await t.base.db.run(sql`delete from shared.notices`);
  await closeAll(t);
  const letters: Letter[] = [];
  const post: Post = async (given) => {
    letters.push(...given);
    return given.map(() => ({ sent: true }));
  };
  await sendDue({ ...t.base, post, ...mailContents(t.base, { destination: () => undefined }) });
  const [letter, ...more] = letters.filter(({ to }) => to === 'accounts@kite.example');
  assert.ok(letter && more.length === 0);
  assert.match(letter.subject, /^Your invoice INV2026-\d{6}$/);
  assert.equal(
    Buffer.from(letter.attached?.[0]?.bytes ?? [])
      .subarray(0, 4)
      .toString(),
    '%PDF',
  );
});
