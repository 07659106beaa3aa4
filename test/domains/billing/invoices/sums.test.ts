import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { DAY, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../../src/platform/db/search-path.ts';
import { TestClock } from '../../../support/clock.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { breaches, giveBack, invoicing, pay, sell } from '../../../support/sales/invoices.ts';

const MONTHS = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10'] as const;
const END = Date.UTC(2026, 10, 1);

type Kind = 'sell' | 'give back' | 'fail' | 'pay' | 'close' | 'void' | 'sweep';
/** `which` picks an order, an invoice or a month; `days` pass before it; `isLate`: it is dated some minutes earlier. */
const step = fc.record({
  kind: fc.constantFrom<Kind[]>('sell', 'sell', 'sell', 'give back', 'fail', 'pay', 'close', 'void', 'sweep'),
  which: fc.nat(30),
  share: fc.integer({ min: 1, max: 100 }),
  price: fc.bigInt({ min: 1n, max: 9_999n }),
  title: fc.constantFrom('France 5 GB', 'Spain 1 GB'),
  days: fc.nat(12),
  isLate: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const inLive = (t: TestApp, work: (tx: Parameters<typeof enterSchema>[0]) => Promise<unknown>) =>
  t.base.db.tx(async (tx) => {
    await enterSchema(tx, 'live');
    await work(tx);
  });

const issue = (t: TestApp, partnerId: number, month: string): Promise<void> =>
  inLive(t, (tx) => t.base.worlds.live.invoices.issue(tx, { partnerId, month })).catch((error) =>
    assert.ok(['invoice_issued', 'nothing_to_invoice', 'month_not_over'].includes(error.code), error),
  );

interface Account {
  readonly partnerId: number;
  readonly book: 'wallet' | 'debt';
  readonly orders: bigint[];
}

async function play(t: TestApp, { partnerId, book, orders }: Account, one: Step, now: number): Promise<void> {
  const { db, invoices } = t.base.worlds.live;
  const at = new Date(one.isLate ? now - 50 * MINUTE : now);
  const order = orders[one.which % Math.max(orders.length, 1)];
  const left = async (id: bigint) =>
    db.one<{ left: bigint; price: bigint; failed: boolean }>(sql`
      select sale_price as price, status = 2 as failed, (sale_price - coalesce((
        select sum(abs(amount)) from movements where order_id = orders.id and type = 'refund'), 0))::bigint as left
      from orders where id = ${id}`);
  switch (one.kind) {
    case 'sell':
      orders.push(await sell(t, partnerId, { price: one.price, at, title: one.title, book }));
      return;
    case 'give back':
    case 'fail': {
      if (order === undefined) return;
      const was = await left(order);
      if (was.failed || was.left === 0n) return;
      if (one.kind === 'give back') {
        const amount = (was.left * BigInt(one.share)) / 100n;
        if (amount > 0n) await giveBack(t, partnerId, order, { at, amount });
      } else if (was.left === was.price) await giveBack(t, partnerId, order, { at, failed: true });
      return;
    }
    case 'pay': {
      const { owed } = await db.one<{ owed: bigint }>(
        sql`select outstanding as owed from wallets where partner_id = ${partnerId}`,
      );
      const amount = (owed * BigInt(one.share)) / 100n;
      if (amount > 0n) await pay(t, partnerId, amount, at);
      return;
    }
    case 'close':
      return issue(t, partnerId, MONTHS[one.which % MONTHS.length] as string);
    case 'sweep':
      await invoices.closeDue();
      return;
    case 'void': {
      const rows = await invoices.list({ partnerId, limit: 50 });
      const standing = rows.filter(({ kind, status }) => kind === 'invoice' && status !== 'void');
      const found = standing[one.which % Math.max(standing.length, 1)];
      if (found) await inLive(t, (tx) => invoices.credit(tx, { partnerId, number: found.number, reason: 'test' }));
    }
  }
}

test('property: whatever is sold, given back, paid and voided, and in whichever order months are closed, all sums agree', async (ctx) => {
  const clock = new TestClock();
  await using t = await testApp({ role: 'panel', clock, config: { invoicing } });
  const { db, invoices } = t.base.worlds.live;
  const counted = { documents: 0, notes: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('wallet' as const, 'debt' as const),
      fc.array(step, { minLength: 10, maxLength: 50 }),
      fc.shuffledSubarray([...MONTHS], { minLength: MONTHS.length }),
      async (book, steps, order) => {
        clock.freeze(Date.UTC(2026, 6, 1));
        const partnerId = await t.partner({ billing: 'postpaid', creditLimit: toCents(10_000_000n) });
        const account = { partnerId, book, orders: [] };
        for (const one of steps) {
          clock.freeze(Math.min(clock.now() + one.days * DAY, END));
          await play(t, account, one, clock.now());
        }
        clock.freeze(END);
        // What came too late for its month waits for the next closing.
        await sell(t, partnerId, { price: 100n, at: new Date(END), book });
        clock.freeze(Date.UTC(2026, 11, 2));
        for (const month of order) await issue(t, partnerId, month);
        await issue(t, partnerId, '2026-11');
        assert.deepEqual(await breaches(t), []);
        const sums = await db.one<Record<'ledger' | 'documents' | 'due' | 'owed', bigint>>(sql`
          select (select coalesce(sum(case when type = 'refund' then -abs(amount) else abs(amount) end), 0)::bigint from movements
              where partner_id = ${partnerId} and order_id is not null) as ledger,
            (select coalesce(sum(case kind when 'invoice' then total else -total end), 0)::bigint from invoices
              where partner_id = ${partnerId}) as documents,
            (select coalesce(sum(i.on_terms - s.settled), 0)::bigint from invoices i join invoice_states s on s.invoice_id = i.id
              where i.partner_id = ${partnerId} and s.status in ('open', 'overdue')) as due,
            (select outstanding from wallets where partner_id = ${partnerId}) as owed`);
        assert.equal(sums.documents, sums.ledger, 'invoices less credit notes are purchases less refunds');
        assert.equal(sums.due, sums.owed > 0n ? sums.owed : 0n, 'what is due is what is owed');
        const rows = await invoices.list({ partnerId, limit: 100 });
        counted.documents += rows.length;
        counted.notes += rows.filter(({ kind }) => kind === 'credit_note').length;
      },
    ),
    // The books of one run stay in the database, so a smaller case could not be told from the first.
    { numRuns: 60, endOnFailure: true, includeErrorInReport: true },
  );
  ctx.diagnostic(`${counted.documents} documents, ${counted.notes} of them credit notes`);
  assert.ok(counted.notes > 0);
});
