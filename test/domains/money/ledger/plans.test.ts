import assert from 'node:assert/strict';
import test from 'node:test';
import { dueSales } from '../../../../src/domains/billing/revenue-share/candidates.ts';
import { shareBook } from '../../../../src/domains/billing/revenue-share/revenue-share.ts';
import { ledgerBooks } from '../../../../src/domains/money/books/books.ts';
import { ledgerPeriods, linesOfOrder, transfersOfOrder } from '../../../../src/domains/money/books/periods.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { createWalks } from '../../../../src/platform/db/query/walk.ts';
import { explaining } from '../../../support/database/explain.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';

const ROWS = 10_000;

test('every list of money is read off an index, whatever else is in the table', async (suite) => {
  await using t = await testApp();
  const [partner, other] = [await t.partner({ billing: 'postpaid' }), await t.partner()];
  await run(t.operator(), `partner set ${partner} --revenue-share 40`);
  const now = new Date(t.clock.now());
  const owner = t.base.db;
  for (const [book, types] of [
    ['wallet', ['topup', 'adjust']],
    ['debt', ['payment', 'adjust']],
  ] as const)
    await owner.run(sql`
      insert into live.movements (partner_id, book, type, amount, balance_after, at, line)
      select ${partner}, ${book}, (${types}::text[])[1 + n % 2], 100, n * 100, ${now}, n from generate_series(1, ${ROWS}) n`);
  // One sale in a hundred is due; the rest has its share, is not due yet, or is of a partner without a rate.
  await owner.run(sql`
    insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
      cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid,
      created_at, delivered_at, usage_due_at)
    select case when n % 4 = 0 then ${other}::int else ${partner}::int end, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 2000, 1800,
      8000000, 'France 5 GB', '5 GB', 5120, 30, false, 'FR', 'simulated', 'fr-5', '89' || n, ${now}, ${now},
      case when n % 4 = 0 then null when n % 100 = 1 then ${new Date(now.getTime() - DAY)}
        when n % 10 = 2 then ${new Date(now.getTime() + DAY)} else 'infinity'::timestamptz end
    from generate_series(1, ${ROWS}) n`);
  await owner.run(sql`
    insert into live.revenue_shares (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost_micros,
      unused_cost_micros, share_pct, amount, capped, status, channel, settle_wallet, created_at, settled_at)
    select id, ${partner}, 5120, 120, 5000, 1562, 7812500, 40, case when id % 10 = 0 then 0 else 300 end, false, 'settled',
      case when id % 10 = 0 then 'none' else 'wallet' end, case when id % 10 = 0 then 0 else 300 end, ${now}, ${now}
    from live.orders where usage_due_at = 'infinity'`);
  await owner.run(sql`
    insert into live.usage_readings (iccid, state, used_mb, fetched_at) select iccid, 'expired', 1, ${now} from live.orders`);
  await owner.run(sql`analyze live.movements, live.orders, live.revenue_shares, live.usage_readings`);

  const { db, plans } = explaining(t.base.worlds.live.db);
  const walks = createWalks();
  const page = { limit: 50, start: 3 };
  const reads: [string, string, () => Promise<unknown>][] = [
    ['history', 'movements_of_partner', () => ledgerBooks(db, walks).history(partner, page)],
    ['statement', 'movements_of_partner', () => ledgerBooks(db, walks).statement(partner, page)],
    [
      'statement by type',
      'movements_of_debt_by_type',
      () => ledgerBooks(db, walks).statement(partner, page, { type: 'payment' }),
    ],
    ...(
      [
        ['an order', 'movements_one_charge', { orderId: 7n }],
        ['a reference', 'orders_by_reference', { reference: 'booking' }],
      ] as const
    ).flatMap(([name, index, filter]): typeof reads => [
      [`history by ${name}`, index, () => ledgerBooks(db, walks).history(partner, page, filter)],
      [`statement by ${name}`, index, () => ledgerBooks(db, walks).statement(partner, page, filter)],
    ]),
    ['an order’s charge', 'movements_one_charge', () => linesOfOrder(db, 7n)],
    ['what came after it', 'movements_after_charge', () => linesOfOrder(db, 7n)],
    ['the entries behind its charge', 'movements_one_charge', () => transfersOfOrder(db, 7n)],
    ['the entries behind the rest', 'movements_after_charge', () => transfersOfOrder(db, 7n)],
    [
      'a month',
      'movements_of_partner',
      () =>
        ledgerPeriods(db)
          .period(partner, 'debt', now, now)
          .catch(() => {}),
    ],
    ['its sums', 'movements_of_partner', () => ledgerPeriods(db).sums(partner, 'debt', { first: 90n, end: 150n })],
    [
      'its lines',
      'movements_of_partner',
      () => ledgerPeriods(db).linesOf(partner, 'debt', { first: 90n, end: 150n }, 50),
    ],
    [
      'the first line',
      'movements_of_partner',
      () =>
        ledgerPeriods(db)
          .since(partner)
          .catch(() => {}),
    ],
    ['profitshare for a file', 'revenue_shares_', () => shareBook(db, walks).sharesAfter(partner, 100n, 50)],
    ['profitshare', 'revenue_shares_pkey', () => shareBook(db, walks).shares(partner, page)],
    ['profitshare shadow', 'revenue_shares_', () => shareBook(db, walks).shares(partner, page, 'shadow')],
    ['profitshare none', 'revenue_shares_of_partner_none', () => shareBook(db, walks).shares(partner, page, 'none')],
    ["a day's candidates", 'orders_share_candidates', () => dueSales(db, now, 200)],
  ];
  for (const [name, index, read] of reads) {
    await suite.test(name, async () => {
      plans.length = 0;
      await read().catch(() => {});
      const [plan = ''] = plans;
      assert.match(plan, new RegExp(`Index (Only )?Scan.* (using|on) ${index}`));
      assert.doesNotMatch(plan, /Seq Scan on (movements|orders|revenue_shares|usage_readings)/);
    });
  }
});
