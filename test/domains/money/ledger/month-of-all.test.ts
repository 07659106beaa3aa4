import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { dueSales } from '../../../../src/domains/billing/revenue-share/candidates.ts';
import { settledShares } from '../../../../src/domains/billing/revenue-share/shares.ts';
import {
  type BookRange,
  inPieces,
  ledgerPeriods,
  ledgerReads,
  linesOfRanges,
  rangesAfter,
} from '../../../../src/domains/money/books/periods.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explainReads } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';

const PARTNERS = 300;
/** Of the one partner that wrote most, a line every hour. */
const LINES = 20_000;

const t = await testApp({ role: 'api' });
after(() => t[Symbol.asyncDispose]());
const { db } = t.base.worlds.live;
const end = new Date('2026-11-01T00:00:00Z');
const [from, to] = [new Date(end.getTime() - 60 * DAY), new Date(end.getTime() - 30 * DAY)];
const large = await t.partner({ name: 'Large' });
// The last partner has no line, and every third no debt; others wrote before, in and after the month.
await t.base.db.run(sql`
  with made as (
    insert into partners (name, email) select 'Partner ' || n, 'p@example.com' from generate_series(1, ${PARTNERS}::int) n returning id
  )
  insert into live.wallets (partner_id, billing_mode, opened_at, wallet_lines, debt_lines)
  select id, 'postpaid', now(), case when id = (select max(id) from made) then 0 else 3 end, case when id % 3 = 0 then 0 else 2 end from made`);
await t.base.db.run(sql`
  insert into live.movements (partner_id, book, type, amount, balance_after, at, line)
  select partner_id, book, 'adjust', 100, line * 100, ${end}::timestamptz - (4 - line) * 25 * interval '1 day', line
  from live.wallets cross join lateral (values ('wallet', wallet_lines), ('debt', debt_lines)) as kept (book, lines)
  cross join lateral generate_series(1, lines) line where partner_id <> ${large}`);
await t.base.db.run(sql`update live.wallets set wallet_lines = ${LINES} where partner_id = ${large}`);
await t.base.db.run(sql`
  insert into live.movements (partner_id, book, type, amount, balance_after, at, line)
  select ${large}, 'wallet', (array['topup', 'adjust'])[1 + n % 2], 100, n * 100, ${end}::timestamptz - (${LINES}::int - n) * interval '1 hour', n
  from generate_series(1, ${LINES}::int) n`);
// Half a year of sales of a hundred partners, one in a hundred due.
await t.base.db.run(sql`update partners set revenue_share_pct = 40 where id <= 100`);
await t.base.db.run(sql`
  insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
    product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid, created_at, delivered_at, usage_due_at)
  select 1 + n % 100, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 2000, 1800, 8000000, 'France', '5 GB', 5120, 30, false, 'FR',
    'simulated', 'fr-5', '89' || n, ${end}, ${end}, case when n % 100 = 1 then ${from} else 'infinity'::timestamptz end
  from generate_series(1, ${LINES}::int) n`);
await t.base.db.run(sql`
  insert into live.revenue_shares (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost_micros, unused_cost_micros, share_pct,
    amount, capped, status, channel, settle_wallet, created_at, settled_at)
  select id, partner_id, 5120, 120, 5000, 1562, 7812500, 40, 300, false, 'settled', 'wallet', 300, ${from},
    ${end}::timestamptz - id * interval '10 minutes' from live.orders where usage_due_at = 'infinity'`);
await t.base.db.run(sql`analyze`);

suite('of all history, only what is asked for is read', () => {
  const requireFew = (steps: readonly string[], rowsRead: number, most: number) => {
    assert.ok(rowsRead <= most, `${rowsRead} rows\n${steps.join('\n')}`);
    assert.ok(!steps.some((step) => /^Seq Scan (movements|orders|revenue_shares)/.test(step)), steps.join('\n'));
  };

  test('a statement reads the lines of its month', async () => {
    const { result, steps, rowsRead } = await explainReads(db, async (ask) => {
      const books = ledgerPeriods(ask);
      const period = await books.period(large, 'wallet', from, to);
      const sums = await books.sums(large, 'wallet', period);
      return { period, sums, lines: await books.linesOf(large, 'wallet', period, 500) };
    });
    const lines = Number(result.period.end - result.period.first);
    assert.deepEqual([lines, result.lines.length], [30 * 24, 500]);
    assert.equal(
      result.sums.reduce((sum, { amount }) => sum + amount, 0n),
      result.period.closing - result.period.opening,
    );
    requireFew(steps, rowsRead, lines + 500 + 2 * 41);
  });

  test('a month of many partners is found by binary search in books of different length', async () => {
    const { result, steps, rowsRead } = await explainReads(db, (ask) => rangesAfter(ask, large, { from, to }, 100));
    assert.equal(result.length, 200);
    // Wallets and names, and two steps in books of three lines.
    requireFew(steps, rowsRead, 100 + 200 + 400 * 3);
    const one = await explainReads(db, (ask) => rangesAfter(ask, large - 1, { from, to }, 1));
    requireFew(one.steps, one.rowsRead, 3 + 2 * 16);
  });

  test('pieces of them are read line by line', async () => {
    const all = await rangesAfter(db, 0, { from, to }, 1_000);
    for (const piece of [...inPieces(all, 100)].slice(0, 9)) {
      const { result, steps, rowsRead } = await explainReads(db, (ask) => linesOfRanges(ask, piece));
      assert.equal(result.length, 100);
      requireFew(steps, rowsRead, 100 + piece.length);
    }
  });

  test('what is due for a settlement, and what was settled in a month', async () => {
    const due = await explainReads(db, (ask) => dueSales(ask, end, 100));
    assert.equal(due.result.length, 100);
    requireFew(due.steps, due.rowsRead, 100 * 10 + PARTNERS + 100);
    const settled = await explainReads(db, (ask) => settledShares(ask, { from, to, limit: 100 }));
    assert.equal(settled.result.length, 100);
    requireFew(settled.steps, settled.rowsRead, 200);
  });
});

test('the file of a month has the same lines as the statements, in as many statements as a thousand rows fit into', async () => {
  const owners = await db.query<{ id: number }>(sql`select partner_id as id from wallets order by 1`);
  const periods = ledgerPeriods(db);
  const expected: bigint[] = [];
  for (const { id } of owners)
    for (const book of ['wallet', 'debt'] as const) {
      const period = await periods.period(id, book, from, to);
      expected.push(...(await periods.linesOf(id, book, period, LINES)).map((line) => line.id));
    }
  let asked = 0;
  const counting = {
    ...db,
    query: ((statement) => {
      asked++;
      return db.query(statement);
    }) as typeof db.query,
  };
  const read: bigint[] = [];
  for await (const { id } of ledgerReads(counting).linesBetween({ from, to })) read.push(id);
  assert.deepEqual(read, expected);
  assert.ok(expected.length > 1_000, `${expected.length} lines`);
  // Ten owners, a hundred, the rest, and that there are no more; and the lines, of which each of the three leaves a piece that is not full.
  assert.ok(asked <= 4 + Math.ceil(expected.length / 1_000) + 2, `${asked} statements`);
});

test('ranges are divided into pieces without a line more, less or twice', () => {
  const range = (partnerId: number, first: bigint, last: bigint): BookRange => ({
    ...{ partnerId, name: '', book: 'wallet' as const },
    ...{ first, end: last },
  });
  const all = [range(1, 5n, 5n), range(2, 1n, 8n), range(3, 4n, 5n), range(4, 2n, 2n), range(5, 1n, 3n)];
  assert.deepEqual(
    [...inPieces(all, 3)].map((piece) => piece.map(({ partnerId, first, end: last }) => [partnerId, first, last])),
    [
      [[2, 1n, 4n]],
      [[2, 4n, 7n]],
      [
        [2, 7n, 8n],
        [3, 4n, 5n],
        [5, 1n, 2n],
      ],
      [[5, 2n, 3n]],
    ],
  );
  assert.deepEqual([...inPieces([range(1, 1n, 1n)], 3)], []);
});
