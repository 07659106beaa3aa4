import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { dice } from '../../../../proving/chaos/dice.ts';
import { DISTANCE, noteSums, sumsOf } from '../../../../src/domains/money/books/book-sums.ts';
import { proveBooks } from '../../../../src/domains/money/proof/proof.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explainReads } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';

/** Of one partner's wallet; its debt has half as many, and less than half of the kinds. */
const LINES = 20_500;

const t = await testApp({ role: 'api' });
after(() => t[Symbol.asyncDispose]());
const { db } = t.base.worlds.live;
const [large, small] = [await t.partner(), await t.partner()];

for (const [partner, book, lines] of [
  [large, 'wallet', LINES],
  [large, 'debt', LINES / 2],
  [small, 'wallet', DISTANCE - 1],
] as const) {
  await t.base.db.run(sql`
    insert into live.movements (partner_id, book, type, amount, balance_after, at, line)
    select ${partner}, ${book}, type, amount, sum(amount) over (order by n), now(), n
    from generate_series(1, ${lines}::int) n
    cross join lateral (
      select case when n % 4000 = 77 then 'refund' when n % 3 = 0 then ${book === 'wallet' ? 'topup' : 'charge'}::text else 'adjust' end as type,
        case when n % 3 = 1 then -1 - n % 7 else 20 + n % 91 end as amount
    ) as drawn`);
  await t.base.db.run(
    book === 'wallet'
      ? sql`update live.wallets set wallet_lines = ${lines} where partner_id = ${partner}`
      : sql`update live.wallets set debt_lines = ${lines} where partner_id = ${partner}`,
  );
}
await t.base.db.run(sql`analyze`);

beforeEach(async () => {
  await t.base.db.run(sql`delete from live.book_sums`);
});

async function noteAll(): Promise<number> {
  let made = 0;
  for (let now = await noteSums(db); now > 0; now = await noteSums(db)) made += now;
  return made;
}

const addedUp = (partnerId: number, book: string, first: bigint, last: bigint) =>
  db.query(sql`
    select type, amount > 0 as "isIncrease", count(*)::int as count, sum(amount)::bigint as amount from movements
    where partner_id = ${partnerId} and book = ${book} and line between ${first} and ${last}
    group by type, amount > 0 order by type, amount > 0`);

test('a note is made after every thousandth line, once', async () => {
  assert.equal(await noteAll(), Math.floor(LINES / DISTANCE) + Math.floor(LINES / 2 / DISTANCE));
  assert.equal(await noteAll(), 0);
  const lines = await db.query(sql`select distinct partner_id as id, line % ${DISTANCE} as rest from book_sums`);
  assert.deepEqual(lines, [{ id: large, rest: 0n }]);
});

test('the sum of any range of lines is the sum of its lines, whichever subtotals exist', async () => {
  const chance = dice(131);
  const stretches = [
    [1, LINES],
    [1, 1],
    [1_000, 1_000],
    [1_001, 2_000],
    [1_001, 1_999],
    [5, 4],
    [LINES, LINES],
    ...Array.from({ length: 25 }, () => {
      const first = 1 + chance.below(LINES);
      return [first, first + chance.below(LINES - first + 1)];
    }),
  ].map(([first, last]) => ({ first: BigInt(first ?? 0), last: BigInt(last ?? 0) }));
  const compare = async () => {
    for (const { first, last } of stretches)
      for (const book of ['wallet', 'debt'] as const)
        assert.deepEqual(
          await sumsOf(db, large, book, { first, last }),
          await addedUp(large, book, first, last),
          `${book} from ${first} to ${last}`,
        );
  };
  await compare();
  await noteAll();
  await compare();
  // As it is while the job is at work.
  await t.base.db.run(sql`delete from live.book_sums where line > 7000`);
  await compare();
});

test('however long it is, only notes and the lines at its ends are read', async () => {
  await noteAll();
  await t.base.db.run(sql`analyze live.book_sums`);
  const { rowsRead, steps } = await explainReads(db, (ask) =>
    sumsOf(ask, large, 'wallet', { first: 2n, last: BigInt(LINES - 1) }),
  );
  assert.ok(rowsRead < 2 * DISTANCE + 20, `${rowsRead} rows\n${steps.join('\n')}`);
});

test('two processes at once make each note once', async () => {
  await Promise.all([noteAll(), noteAll(), noteAll()]);
  const first = 1n;
  assert.deepEqual(
    await sumsOf(db, large, 'wallet', { first, last: 20_000n }),
    await addedUp(large, 'wallet', first, 20_000n),
  );
});

test('a note that is wrong is found by a proof', async () => {
  const drift = async () =>
    (await proveBooks(db, () => {})).drift.find(({ rule }) => rule.startsWith('the sums of a book'));
  await noteAll();
  assert.equal(await drift(), undefined);
  await t.base.db.run(
    sql`update live.book_sums set amount = amount + 1 where line = 3000 and book = 'debt' and type = 'charge'`,
  );
  assert.deepEqual(await drift(), {
    rule: 'the sums of a book come to its balance',
    rows: 1,
    examples: [String(large)],
  });
});
