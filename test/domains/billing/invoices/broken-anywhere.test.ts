import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInvoices } from '../../../../src/domains/billing/invoices/invoices.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import type { Db, Tx } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { TestClock } from '../../../support/clock.ts';
import { testApp } from '../../../support/program/app.ts';
import { breaches, closeAll, giveBack, invoicing, pay, sell } from '../../../support/sales/invoices.ts';

/** Counts the statements of transactions, and before the one it is told to it ends the connection, as a killed process would. */
function breakable(db: Db): { db: Db; breakAt(step: number): void; steps(): number } {
  let [count, broken] = [0, 0];
  const asked = ['query', 'one', 'maybe', 'run'] as const;
  const watched = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (!asked.some((method) => method === name)) return typeof value === 'function' ? value.bind(target) : value;
        return async (...args: unknown[]) => {
          count += 1;
          if (count === broken) await target.run(sql`select pg_terminate_backend(pg_backend_pid())`);
          return value.apply(target, args);
        };
      },
    });
  return {
    db: new Proxy(db, {
      get: (target, name) =>
        name === 'tx'
          ? (work: (tx: Tx) => Promise<unknown>) => target.tx((tx) => work(watched(tx)))
          : Reflect.get(target, name).bind(target),
    }),
    breakAt(step) {
      [count, broken] = [0, step];
    },
    steps: () => count,
  };
}

test('a closing broken before any of its statements is made whole by the next one: no number is lost, no document twice', async (ctx) => {
  const clock = new TestClock();
  clock.freeze(Date.UTC(2027, 0, 1, 1));
  await using t = await testApp({ role: 'panel', clock, config: { invoicing } });
  const { live } = t.base.worlds;
  const fault = breakable(live.db);
  const invoices = createInvoices(
    {
      ...{ schema: 'live', db: fault.db, reads: live.reads, webhooks: live.webhooks },
      invoiceTerms: { numberPrefix: '', graceMs: 0, areInTime: true, closesBeforeRead: false },
    },
    { clock, invoicing, look: t.base.config.site },
  );
  /** Two months on credit terms: an invoice each, a credit note, and a payment to settle with. */
  const stock = async (): Promise<number> => {
    const id = await t.partner({ billing: 'postpaid', creditLimit: toCents(1_000_000n) });
    const first = await sell(t, id, { price: 5_000n, at: new Date('2026-11-10T00:00:00Z'), book: 'debt' });
    await sell(t, id, { price: 2_000n, at: new Date('2026-12-10T00:00:00Z'), book: 'debt' });
    await giveBack(t, id, first, { at: new Date('2026-12-11T00:00:00Z'), amount: 1_000n });
    await pay(t, id, 3_000n, new Date('2026-12-12T00:00:00Z'));
    return id;
  };
  // The first document keeps how documents look, which takes statements of its own.
  await stock();
  await closeAll(t);
  const counted = await stock();
  fault.breakAt(0);
  while ((await invoices.closeDue()) > 0);
  const steps = fault.steps();
  assert.ok(steps > 30, `${steps} statements`);
  const expected = await shown(counted);
  assert.equal(expected.length, 3);

  for (let step = 1; step <= steps; step += 1) {
    const id = await stock();
    fault.breakAt(step);
    await assert.rejects(async () => {
      while ((await invoices.closeDue()) > 0);
    }, `step ${step}`);
    await closeAll(t);
    assert.deepEqual(await shown(id), expected, `step ${step}`);
  }
  assert.deepEqual(await breaches(t), []);
  ctx.diagnostic(`${steps} statements broken`);

  async function shown(partnerId: number) {
    const rows = await live.invoices.list({ partnerId, limit: 100 });
    return rows.map(({ kind, month, status, total, amountPaid }) => [kind, month, status, total, amountPaid]);
  }
});
