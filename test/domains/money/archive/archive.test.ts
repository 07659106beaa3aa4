import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { addToMonths } from '../../../../src/domains/insight/rollups/ledger-by-month.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../../src/platform/db/search-path.ts';
import { archiveBefore } from '../../../../src/worlds/books.ts';
import { TestClock } from '../../../support/clock.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { refused } from '../../../support/refusal.ts';
import { closeAll, giveBack, invoicing, pay, sell } from '../../../support/sales/invoices.ts';

const clock = new TestClock();
clock.freeze(Date.UTC(2027, 0, 2, 1));
const t = await testApp({ role: 'api', clock, config: { invoicing } });
after(() => t[Symbol.asyncDispose]());
const folder = await mkdtemp(join(tmpdir(), 'wayfare-archive-'));
after(() => rm(folder, { recursive: true, force: true }));
const { live } = t.base.worlds;
const at = (day: string) => new Date(`${day}T12:00:00Z`);
const fileOf = (year: number, inFolder = folder) => join(inFolder, `wayfare-live-${year}.archive.gz`);

/** Delivered, and later refunded by an operator: its lines stay. */
async function refund(orderId: bigint, day: string, amount: bigint): Promise<void> {
  await giveBack(t, prepaid, orderId, { at: at(day), amount });
  await live.db.run(sql`update orders set refunded = ${amount} where id = ${orderId}`);
  await live.db.run(sql`
    insert into refunds (order_id, partner_id, status, amount, requested_at, decided_at)
    values (${orderId}, ${prepaid}, 'refunded', ${amount}, ${at(day)}, ${at(day)})`);
}

const prepaid = await t.partner();
const owing = await t.partner({ billing: 'postpaid', creditLimit: toCents(1_000_000n) });
const young = await t.partner();
const key = await t.key(prepaid);

// 2024
const oldest = await sell(t, prepaid, { price: 1_200n, at: at('2024-11-10') });
// 2025
const plain = await sell(t, prepaid, { price: 450n, at: at('2025-03-10') });
const failed = await sell(t, prepaid, { price: 700n, at: at('2025-05-30') });
await giveBack(t, prepaid, failed, { at: at('2025-06-02'), failed: true });
const refunded = await sell(t, prepaid, { price: 900n, at: at('2025-07-01') });
await refund(refunded, '2025-08-01', 300n);
await sell(t, owing, { price: 5_000n, at: at('2025-10-10'), book: 'debt' });
await sell(t, owing, { price: 2_000n, at: at('2025-11-10'), book: 'debt' });
const lateFailure = await sell(t, prepaid, { price: 800n, at: at('2025-12-31') });
// 2026
await giveBack(t, prepaid, lateFailure, { at: at('2026-01-01'), failed: true });
const recent = await sell(t, prepaid, { price: 1_000n, at: at('2026-02-01') });
await sell(t, young, { price: 333n, at: at('2026-03-01') });
await sell(t, owing, { price: 250n, at: at('2026-04-01'), book: 'debt' });
const ofFuture = await sell(t, prepaid, { price: 110n, at: at('2027-01-01') });

const rows = (table: string) =>
  live.db.one<{ n: number }>(
    table === 'movements'
      ? sql`select count(*)::int as n from movements`
      : sql`select count(*)::int as n from transfers`,
  );
const audit = (files: readonly string[] = []) =>
  run(t.operator(), ['audit', ...files.flatMap((file) => ['--archive', file])]);
const archive = (before: number, to = folder) => run(t.operator(), `archive --before ${before} --to ${to}`);
const isRefused = (code: string, says: RegExp) => (error: { code?: string; message: string }) => {
  assert.equal(error.code, code, error.message);
  assert.match(error.message, says);
  return true;
};

test('a year with something open is refused, and everything that is open is named', async () => {
  await assert.rejects(archive(2028), isRefused('year_open', /2027 is not over/));
  await live.db.run(sql`update orders set provision_due_at = ${at('2026-01-01')} where id = ${plain}`);
  await assert.rejects(
    archive(2026),
    isRefused(
      'year_open',
      /1 orders that are not delivered, 14 movements .* sums by month, 2 partners whose months are not all closed/,
    ),
  );
  await live.db.run(sql`update orders set provision_due_at = null where id = ${plain}`);
  await addToMonths(live.db, clock);
  await closeAll(t);
  await assert.rejects(archive(2026), isRefused('year_open', /: 2 invoices that are not paid$/));
  await pay(t, owing, 7_000n, new Date(clock.now()));
  await live.db.run(sql`
    insert into refunds (order_id, partner_id, status, requested_at) values (${oldest}, ${prepaid}, 'requested', ${at('2026-05-01')})`);
  await assert.rejects(archive(2026), isRefused('year_open', /: 1 refunds that are not decided$/));
  await live.db.run(sql`update refunds set status = 'rejected', decided_at = now() where order_id = ${oldest}`);
  await assert.rejects(readFile(fileOf(2024)), 'no file was written');
});

test('a ledger that does not add up is not archived', async () => {
  await live.db.run(sql`update wallets set cash = cash + 1 where partner_id = ${young}`);
  await assert.rejects(archive(2026), isRefused('ledger_broken', /every wallet equals the sum of its transfers/));
  await live.db.run(sql`update wallets set cash = cash - 1 where partner_id = ${young}`);
});

let detailBefore: Awaited<ReturnType<typeof t.get>>['body'];
let before: Awaited<ReturnType<typeof audit>>;

test('a dry run says what would be taken, and changes nothing', async () => {
  before = await audit();
  assert.equal(before.ok, true, JSON.stringify(before.live.drift));
  const [first, ...none] = (await run(t.operator(), 'archive --before 2026 --dry-run')).years;
  assert.deepEqual([first.year, first.taken, first.transfers, none], [2025, 6, 6, []]);
  assert.deepEqual(await audit(), before);
});

test('wherever it ends early, nothing was deleted, and the ledger is proved', async () => {
  const elsewhere = join(folder, 'broken');
  await mkdir(elsewhere);
  const counts = [await rows('movements'), await rows('transfers')];
  let steps = 0;
  const seen = new Set<string>();
  const { operator } = { operator: t.operator() };
  const attempt = (dieAt: number) => {
    let n = 0;
    const progress = (label: string) => {
      seen.add(label.replace(/ .*/, ''));
      n += 1;
      steps = Math.max(steps, n);
      if (n === dieAt) throw new Error('killed');
    };
    return archiveBefore({ ...operator, progress }, 2025, elsewhere);
  };
  for (let dieAt = 1; dieAt === 1 || dieAt <= steps; dieAt += dieAt < 5 ? 1 : 7) {
    // The last step of all is the proof before the commit.
    await assert.rejects(attempt(dieAt), /killed/);
    assert.deepEqual([await rows('movements'), await rows('transfers')], counts);
  }
  assert.deepEqual(await audit(), before);
});

test('live deletes nothing from the ledger, except in the transaction that writes the row of an archive', async () => {
  const deleting = (more: ReturnType<typeof sql>) =>
    t.base.db.tx(async (tx) => {
      await enterSchema(tx, 'live');
      await tx.run(more);
      await tx.run(sql`delete from transfers where id = (select min(id) from transfers)`);
    });
  await assert.rejects(deleting(sql`select 1`), /transfers is append-only/);
  await assert.rejects(
    deleting(sql`
      insert into archives (year, until, file, sha256, movements, transfers, taken_at)
      values (1999, '2000-01-01', '', '', 0, 0, now() - interval '1 second')`),
    /append-only/,
  );
});

test('two years are archived, each in its file, and the audit finds the same to the cent', async () => {
  const history = await t.get('/account/history', { key });
  assert.equal(history.body.archived_before, undefined, 'nobody sees a difference before');
  detailBefore = (await t.get(`/order/detail/${plain}`, { key })).body;
  assert.equal(detailBefore.result, 'ok', JSON.stringify(detailBefore));
  const { years } = await archive(2026);
  assert.deepEqual(
    years.map((one: Record<string, unknown>) => [one.year, one.movements, one.taken]),
    [
      [2024, 2, 1],
      [2025, 12, 5],
    ],
  );
  const found = await audit([fileOf(2024), fileOf(2025)]);
  assert.deepEqual(found.archives, { years: [2024, 2025], movements: 6, drift: [] });
  assert.equal(found.ok, true);
  const { archived, ...figures } = found.live;
  assert.equal(archived, 6n);
  const { archived: none, ...figuresBefore } = before.live;
  assert.equal(none, 0n);
  assert.deepEqual(figures, figuresBefore);
});

test('running it again changes nothing', async () => {
  const file = await readFile(fileOf(2025));
  const counts = await rows('movements');
  assert.deepEqual((await archive(2026)).years, []);
  assert.deepEqual(await rows('movements'), counts);
  assert.deepEqual(await readFile(fileOf(2025)), file);
});

test('lists and statements begin after the archive and say so; nothing in them is changed', async () => {
  const { body } = await t.get('/account/history?limit=2', { key });
  assert.equal(body.archived_before, '2026-01-01 00:00:00');
  assert.equal(body.has_more, true);
  const pages = [body.ledger];
  for (let start = 2; pages.at(-1)?.length > 0; start += 1)
    pages.push((await t.get(`/account/history?limit=2&start=${start}`, { key })).body.ledger);
  const listed = pages.flat();
  assert.deepEqual(
    listed.map(({ order_id, type }) => [order_id, type]),
    [
      [Number(ofFuture), 'purchase'],
      [null, 'topup'],
      [Number(recent), 'purchase'],
      [null, 'topup'],
      [Number(lateFailure), 'refund'],
    ],
  );
  const { total } = await live.books.history(prepaid, { limit: 2, start: 1 });
  assert.equal(total, 5, 'and their lines are counted from there');
  const filtered = await t.get('/account/history?from=2025-01-01', { key });
  assert.deepEqual([filtered.body.ledger.length, filtered.body.has_more], [5, false]);
  const kept = await t.get(`/account/history?order_id=${refunded}`, { key });
  assert.deepEqual(
    kept.body.ledger.map(({ type, amount }: { type: string; amount: number }) => [type, amount]),
    [
      ['refund', 3],
      ['purchase', -9],
    ],
    'what was kept is found by its order',
  );
  assert.deepEqual((await t.get(`/account/history?order_id=${plain}`, { key })).body.ledger, []);
  const owed = await t.get('/account/statement', { key: await t.key(owing) });
  assert.equal(owed.body.outstanding, '2.50');
  assert.equal(owed.body.archived_before, '2026-01-01 00:00:00');
  const fresh = await t.get('/account/history', { key: await t.key(young) });
  assert.equal('archived_before' in fresh.body, false, 'nothing of theirs was archived');
});

test('a month after the archive has the balance it always began with', async () => {
  const january = await live.books.period(prepaid, 'wallet', new Date('2026-01-01'), new Date('2026-02-01'));
  assert.deepEqual(
    [january.opening, january.closing, january.archivedUntil, january.end - january.first],
    [1_000n, 1_800n, null, 1n],
  );
  const { archivedUntil } = await live.books.period(prepaid, 'wallet', new Date('2025-03-01'), new Date('2025-04-01'));
  assert.deepEqual(archivedUntil, new Date('2026-01-01'));
  assert.deepEqual(await live.books.since(prepaid), at('2026-01-01'));
});

test('an archived order is shown as before, and cannot be refunded; one whose lines were kept can', async () => {
  const { body } = await t.get(`/order/detail/${plain}`, { key });
  assert.deepEqual(body, detailBefore);
  refused(await t.post('/order/refund', { order_id: String(plain) }, { key }), 'order_not_refundable');
  await assert.rejects(
    run(t.operator(), `order refund ${plain}`),
    isRefused('order_archived', /books of order \d+ are archived/),
  );
  await assert.rejects(run(t.operator(), `order refund ${plain} --amount 1`), isRefused('order_archived', /archived/));
  await run(t.operator(), `order refund ${refunded} --amount 1`);
  await run(t.operator(), `order refund ${recent} --amount 1`);
  assert.deepEqual((await audit([fileOf(2024), fileOf(2025)])).ok, true);
});

test('an archived month gets no other invoice, and later months do', async () => {
  const ofMarch = (await live.invoices.list({ partnerId: prepaid, month: '2025-03', limit: 1 }))[0];
  await run(t.operator(), ['invoice', 'credit', ofMarch?.number ?? '', '--reason', 'wrong name']);
  await assert.rejects(
    run(t.operator(), `invoice issue --partner ${prepaid} --month 2025-03`),
    isRefused('month_archived', /books of 2025-03 are archived/),
  );
  clock.freeze(Date.UTC(2027, 1, 2, 1));
  await closeAll(t);
  const audited = await audit();
  assert.deepEqual([audited.ok, audited.live.drift], [true, []]);
});

test('a changed byte, a file of another year, a missing one and a changed sum are found', async () => {
  const rulesOf = async (...files: string[]) => {
    const { ok, archives } = await audit(files);
    assert.equal(ok, archives.drift.length === 0);
    return archives.drift.map(({ rule }: { rule: string }) => rule);
  };
  const both = [fileOf(2024), fileOf(2025)];
  assert.deepEqual(await rulesOf(...both), []);
  assert.deepEqual(await rulesOf(fileOf(2025)), ['every archived year has its file']);
  const bytes = await readFile(fileOf(2025));
  const other = fileOf(2025, join(folder, 'broken'));
  for (const place of [12, Math.floor(bytes.length / 2), bytes.length - 9]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    await writeFile(other, changed);
    assert.deepEqual(await rulesOf(fileOf(2024), other), [
      'every file is whole and signed',
      'every archived year has its file',
    ]);
  }
  const text = gunzipSync(bytes).toString();
  const forged: [string, (text: string) => string][] = [
    ['an amount', (of) => of.replace('"amount":-450', '"amount":-451').replace('"amount" : -450', '"amount" : -451')],
    ['a note', (of) => of.replace('France 5 GB', 'France 6 GB')],
    ['a line less', (of) => of.replace(/^.*"taken" : true.*\n/m, '')],
    ['an end', (of) => of.replace(/\n[^\n]*\n$/, '\n')],
    ['something after the end', (of) => `${of}{}\n`],
    ['the year', (of) => of.replace('"year":2025', '"year":2026')],
  ];
  for (const [what, forge] of forged) {
    assert.notEqual(forge(text), text, what);
    await writeFile(other, gzipSync(forge(text)));
    assert.deepEqual((await rulesOf(fileOf(2024), other))[0], 'every file is whole and signed', what);
  }
  const tamper = (statement: ReturnType<typeof sql>) =>
    t.base.db.tx(async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      await enterSchema(tx, 'live');
      await tx.run(statement);
    });
  const kept = sql`(select min(id) from movements where partner_id = ${prepaid} and type = 'topup')`;
  const tamperings: [string, ReturnType<typeof sql>, ReturnType<typeof sql>][] = [
    [
      'the archived sums are those of the files',
      sql`update archived_transfers set amount = amount + 1 where partner_id = ${prepaid} and credit = 'revenue'`,
      sql`update archived_transfers set amount = amount - 1 where partner_id = ${prepaid} and credit = 'revenue'`,
    ],
    [
      'the archived balances are those of the files',
      sql`update archived_books set balance = balance + 1 where partner_id = ${prepaid}`,
      sql`update archived_books set balance = balance - 1 where partner_id = ${prepaid}`,
    ],
    [
      'every line that was kept is as its file says, and no other is left',
      sql`update movements set note = 'another' where id = ${kept}`,
      sql`update movements set note = 'France 5 GB' where id = ${kept}`,
    ],
    [
      'every file is the one its year was archived in',
      sql`update archives set sha256 = reverse(sha256) where year = 2025`,
      sql`update archives set sha256 = reverse(sha256) where year = 2025`,
    ],
  ];
  for (const [rule, change, undo] of tamperings) {
    await tamper(change);
    assert.deepEqual(await rulesOf(...both).catch(({ message }) => [message]), [rule]);
    await tamper(undo);
  }
  assert.deepEqual(await rulesOf(...both), []);
});

test('the plain audit, too, finds what was changed in the archived sums', async () => {
  const tamper = (statement: ReturnType<typeof sql>) =>
    t.base.db.tx(async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      await enterSchema(tx, 'live');
      await tx.run(statement);
    });
  for (const [change, undo, rule] of [
    [
      sql`update archived_books set line = line - 1, balance = balance where partner_id = ${owing} and book = 'debt'`,
      sql`update archived_books set line = line + 1, balance = balance where partner_id = ${owing} and book = 'debt'`,
      'what was archived of a book and what was kept of it make the balance it had',
    ],
    [
      sql`update orders set sale_price = sale_price + 1 where id = ${plain}`,
      sql`update orders set sale_price = sale_price - 1 where id = ${plain}`,
      'the orders without a charge are those whose charges were archived',
    ],
    [
      sql`update archived_closings set sold = sold + 1 where closing_id = (select min(closing_id) from archived_closings)`,
      sql`update archived_closings set sold = sold - 1 where closing_id = (select min(closing_id) from archived_closings)`,
      'every invoice that stands is the purchases of its month less their refunds in it',
    ],
  ] as const) {
    await tamper(change);
    const { live: found } = await audit();
    assert.ok(
      found.drift.some((drift: { rule: string }) => drift.rule === rule),
      JSON.stringify(found.drift),
    );
    await tamper(undo);
  }
  assert.equal((await audit()).ok, true);
});

test('an order that was not finished when its year was archived goes with a later year', async () => {
  clock.freeze(Date.UTC(2027, 1, 3, 1));
  await addToMonths(live.db, clock);
  const open = await live.db.query<{ partnerId: number; amount: bigint }>(sql`
    select i.partner_id as "partnerId", sum(i.on_terms - s.settled)::bigint as amount from invoices i
    join invoice_states s on s.invoice_id = i.id where s.status in ('open', 'overdue') group by 1`);
  for (const { partnerId, amount } of open) await pay(t, partnerId, amount, new Date(clock.now()));
  await addToMonths(live.db, clock);
  const { years } = await archive(2027);
  assert.deepEqual(years.length, 1);
  const text = gunzipSync(await readFile(fileOf(2026))).toString();
  const taken = text.split('\n').filter((line) => line.includes(`"order" : ${lateFailure},`));
  assert.equal(taken.filter((line) => line.includes('"taken" : true')).length, 2, 'its charge of 2025 and its refund');
  const found = await audit([fileOf(2026), fileOf(2024), fileOf(2025)]);
  assert.deepEqual(found.archives.drift, []);
  assert.deepEqual(found.archives.years, [2024, 2025, 2026]);
  assert.equal(found.ok, true, JSON.stringify(found.live.drift));
});
