import assert from 'node:assert/strict';
import test from 'node:test';
import { deliveriesOfOrder } from '../../../../src/domains/messages/webhooks/log/delivery-log.ts';
import { linesOfOrder } from '../../../../src/domains/money/books/periods.ts';
import { listOrders, pageOfAll } from '../../../../src/domains/sales/order-lists/all-orders.ts';
import { findOrders, readOrder, waitingOrders } from '../../../../src/domains/sales/order-lists/lookup.ts';
import type { AllOrdersFilter } from '../../../../src/domains/sales/order-lists/order-lists.ts';
import { orderAlerts } from '../../../../src/domains/sales/order-lists/order-lists.ts';
import { findBy, findInAll } from '../../../../src/domains/sales/order-lists/search.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import type { Queryable } from '../../../../src/platform/db/database.ts';
import { type Sql, sql } from '../../../../src/platform/db/query/sql.ts';
import { explain, explainReads } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';

const ORDERS = 40_000;
const LIMIT = 50;

test('what an operator looks up is read off indexes, however many orders there are and wherever they lie', async (suite) => {
  await using t = await testApp({ role: 'api' });
  const [big, small, none] = [await t.partner(), await t.partner(), await t.partner()];
  const owner = t.base.db;
  /** In parts: on a busy machine so many rows take longer than a statement may. */
  const write = async (statement: (first: number, last: number) => Sql) => {
    for (let first = 1; first <= ORDERS; first += 5_000) await owner.run(statement(first, first + 4_999));
  };
  // The failed, the refunded and the small partner's orders are the oldest, so that reading backwards through all orders finds them last.
  await write(
    (first, last) => sql`
    insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
      cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, supplier_order,
      iccid, created_at, paid_at, provision_due_at, reference, refunded)
    select case when n % 400 = 1 and n < 8000 then ${small}::int else ${big}::int end, 1, 'esc_00000000000000aa', status,
      case status when 1 then 'delivered' when 2 then 'failed' when 3 then '' else 'deferred' end, 'prepaid', 2000, 1800, 8000000,
      'France 5 GB', '5 GB', 5120, 30, false, 'FR', 'simulated', 'fr-5', 'S' || n, '89' || n, now(), now(),
      case status when 4 then now() + interval '1 hour' end, case n % 3 when 0 then 'shared' else '' end,
      case when n between 2100 and 12000 then 700 else 0 end
    from generate_series(${first}::int, ${last}::int) n
    cross join lateral (
      select case when n <= 2000 then 2 when n <= 2003 then 3 when n % 1000 = 0 then 4 else 1 end as status) as drawn`,
  );
  const { before } = await owner.one<{ before: bigint }>(sql`select min(id) - 1 as before from live.orders`);
  await write(
    (first, last) => sql`
    insert into live.webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, max_attempts, created_at)
    select partner_id, 1, id, 'order.paid:' || id || ':1', 'order.paid', 5, now() from live.orders
    where id - ${before} between ${first} and ${last}`,
  );
  await owner.run(sql`analyze live.orders, live.webhook_deliveries`);
  const { id } = await owner.one<{ id: bigint }>(sql`select max(id) as id from live.orders`);

  const filter = (given: Partial<AllOrdersFilter>) => (db: Queryable) =>
    listOrders(db, {
      limit: LIMIT,
      ...given,
    });
  const reads: [string, (db: Queryable) => Promise<unknown>][] = [
    ['all orders', filter({})],
    ['orders of a big partner', filter({ partnerId: big })],
    ['orders of a small partner', filter({ partnerId: small })],
    ['orders of a partner without any', filter({ partnerId: none })],
    ...(['created', 'paid', 'deferred', 'delivered', 'failed', 'refunded'] as const).flatMap((state): typeof reads => [
      [`${state} orders`, filter({ state })],
      [`${state} orders of one partner`, filter({ state, partnerId: small })],
    ]),
    ['orders with a reference', filter({ reference: 'shared' })],
    ['orders of a partner with a reference', filter({ reference: 'shared', partnerId: small })],
    ['orders with an unknown reference', filter({ reference: 'unknown' })],
    ['orders of an eSIM', filter({ iccid: '8977' })],
    ['an order by a shared reference', (db) => findOrders(db, undefined, 'shared')],
    ['an order by any number', (db) => findOrders(db, id, 'S77')],
    ...['shared', 'SHARED', 'Share', 'unknown', '1', '77', String(id), '8977', '89123456', 's77'].map(
      (text): (typeof reads)[number] => [`the search for ${text}`, (db) => findInAll(db, { id: undefined, text }, 6)],
    ),
    ['orders with a reference in any case', filter({ reference: 'SHARED', inAnyCase: true })],
    ['orders waiting', (db) => waitingOrders(db, new Date())],
    ['orders reported as overdue', (db) => waitingOrders(db)],
    ['one order', (db) => readOrder(db, id)],
    ['its money', (db) => linesOfOrder(db, id)],
    ['its deliveries', (db) => deliveriesOfOrder(db, id)],
  ];
  for (const [name, read] of reads) {
    await suite.test(name, async () => {
      const { rowsRead, steps } = await explain(t.base.worlds.live.db, read);
      // Two reads of each row listed (the index, then the row), of each of a partner's two ranges.
      assert.ok(rowsRead <= 6 * LIMIT, `${rowsRead} rows\n${steps.join('\n')}`);
    });
  }

  await suite.test(
    'a partner’s search reads a few entries of each index, and a thousand for the beginning of an ICCID',
    async () => {
      for (const [text, most] of [
        ...['shared', 'SHARED', 'sharing', '1', '12', '3999', String(id)].map((known) => [known, 300] as const),
        ['89123', 4_100],
        ['8999999', 4_100],
      ] as const)
        for (const partnerId of [big, small, none]) {
          const { rowsRead, steps } = await explainReads(t.base.worlds.live.db, (db) => findBy(db, partnerId, text, 6));
          assert.ok(rowsRead <= most, `${text}: ${rowsRead} rows\n${steps.join('\n')}`);
        }
    },
  );

  await suite.test('a time far back is found without reading what lies between', async () => {
    await write(
      (first, last) => sql`
        update live.orders set created_at = now() - (${ORDERS} - id) * interval '1 minute'
        where id - ${before} between ${first} and ${last}`,
    );
    await owner.run(sql`analyze live.orders`);
    const to = new Date(Date.now() - (ORDERS - 5_000) * 60_000);
    const from = new Date(to.getTime() - 2 * 3_600_000);
    const { rowsRead, result } = await explainReads(t.base.worlds.live.db, (db) =>
      pageOfAll(db, { from, to, limit: LIMIT }, true),
    );
    assert.ok(result.orders.length === LIMIT && result.hasMore);
    assert.ok(result.orders.every(({ createdAt }) => createdAt >= from && createdAt < to));
    assert.ok(rowsRead <= 20 * LIMIT, `${rowsRead} rows`);
  });

  await suite.test('no list and no search asks each partner', async () => {
    await owner.run(sql`
      insert into shared.partners (name, email) select 'Partner ' || n, n || '@example.com' from generate_series(1, 2000) n`);
    await owner.run(sql`analyze shared.partners`);
    for (const [name, read] of Object.entries<(db: Queryable) => Promise<unknown>>({
      'what was created': filter({ state: 'created' }),
      'what failed': filter({ state: 'failed' }),
      'what was refunded': filter({ state: 'refunded' }),
      'what is half-written': (db) => db.query(orderAlerts.waiting(Date.now() + DAY)),
      'a reference': filter({ reference: 'shared' }),
      'a reference in any case': filter({ reference: 'SHARED', inAnyCase: true }),
      'a reference in a state': filter({ reference: 'shared', state: 'delivered' }),
      'an unknown reference': filter({ reference: 'unknown', inAnyCase: true }),
      'what the command line finds': (db) => findOrders(db, undefined, 'shared'),
      'what the console finds': (db) => findInAll(db, { id: undefined, text: 'Share' }, 6),
    })) {
      const { rowsRead, steps } = await explainReads(t.base.worlds.live.db, read);
      assert.ok(rowsRead <= 6 * LIMIT, `${name}: ${rowsRead} rows\n${steps.join('\n')}`);
    }
  });

  await suite.test('a filter without an index stops after so many orders and says where', async () => {
    const { rowsRead, result } = await explainReads(t.base.worlds.live.db, (db) =>
      pageOfAll(db, { supplier: 'unknown', limit: LIMIT }, true),
    );
    assert.deepEqual([result.orders.length, result.hasMore, result.lookedTo], [0, false, id - 4_999n]);
    assert.ok(rowsRead <= 3 * 5_000, `${rowsRead} rows`);
  });
});
