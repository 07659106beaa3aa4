import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { setBehaviour } from '../../../src/domains/supply/adapters/simulated/store.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Fault } from '../../support/program/fault-preload.ts';
import { type Answer, breakableServer } from '../../support/servers/breakable-server.ts';

/**
 * A cancel that ends an order at once is broken at every step it takes, by cutting its connections, and where something has just become
 * lasting also by killing the process and by stopping PostgreSQL. Orders that their supplier has are cancelled in between, so that the
 * job's look-ups and withdrawals are cut off, too. Each time money and eSIM end on the right side.
 */
const lasting: Readonly<Record<Fault, RegExp>> = { cut: /./, kill: /^(before|after) commit/, stop: /^after commit/ };
const START = 1_000_000n;

test('a cancel broken at any step, in any of three ways, ends with the money or with the eSIM', {
  timeout: 300_000,
}, async (t) => {
  const events = ['order.failed', 'order.delivered', 'order.refunded'] as const;
  await using s = await breakableServer(START, events, { budgetSeconds: 1 });
  const { db: shared } = s.base;
  const { db } = s.base.worlds.live;
  const { supplier, code } = await shared.one<{ supplier: string; code: string }>(sql`
    select suppliers.slug as supplier, plans.supplier_plan as code from plans join suppliers on suppliers.id = plans.supplier_id
    where plans.alias = ${s.product}`);
  const behave = (behaviour: 'delay' | 'deliver') => shared.tx((tx) => setBehaviour(tx, supplier, code, behaviour));
  const buy = async (): Promise<string> => {
    const answer = await s.call('POST', '/purchase/buy', { product_id: s.product });
    assert.equal(answer?.body.delivery, 'deferred', JSON.stringify(answer));
    return String(answer?.body.order_id);
  };
  const cancel = (order_id: string) => s.call('POST', '/order/cancel', { order_id });
  await behave('delay');
  /** It waits, and certainly no supplier has it: it was never sent. */
  const free = async (): Promise<string> => {
    const id = await buy();
    await shared.run(sql`delete from simulated.orders where reference = ${`wf-live-${id}`}`);
    await db.run(sql`
      update orders set provision_due_at = now() + interval '1 hour', free_attempts = provision_attempts, supplier_order = null
      where id = ${id}`);
    return id;
  };

  /** Its supplier has it, and delivers it only on command: not before its cancel was recorded, however long everything takes. */
  const taken = async (): Promise<string> => {
    const id = await buy();
    await deliver(id, '1 hour');
    return id;
  };
  const deliver = (id: string, after: string) =>
    shared.run(sql`
      update simulated.orders set ready_at = now() + ${after}::interval where reference = ${`wf-live-${id}`}`);
  /** No answer, or an error: it may not have arrived, and the supplier keeps the order until the next attempt. */
  const cancelTaken = async (id: string): Promise<Answer | undefined> => {
    const answer = await cancel(id);
    // A database that is stopped at this moment is back for the next try.
    if (answer?.body.cancel) await deliver(id, '0').catch(() => {});
    return answer;
  };

  await cancel(await free());
  const counted = await free();
  const steps = await s.countSteps(async () => {
    assert.equal((await cancel(counted))?.body.cancel.status, 'cancelled');
  });
  for (const met of [/^before begin/, /^(before|after) update orders/, /^(before|after) commit/])
    assert.ok(
      steps.some((label) => met.test(label)),
      `${met} is not among ${steps.join(', ')}`,
    );

  const broken: { fault: Fault; step: number; id: string; held: string }[] = [];
  for (const fault of Object.keys(lasting) as Fault[])
    for (const [n, label] of steps.entries())
      if (lasting[fault].test(label)) broken.push({ fault, step: n + 1, id: await free(), held: await taken() });
  for (const { fault, step, id, held } of broken)
    await s.breakAt(step, fault, async () => {
      await cancel(id);
      // With its supplier: the job looks it up, delivers it and hands it back, while things break.
      await cancelTaken(held);
    });

  const open = async (): Promise<string[]> =>
    (
      await Promise.all(
        broken.flatMap(({ id, held }) =>
          [cancel(id), cancelTaken(held)].map(async (answer) => {
            const status = (await answer)?.body.cancel?.status;
            return status === 'cancelled' ? [] : [`${id} or ${held}: ${status}`];
          }),
        ),
      )
    ).flat();
  const deadline = Date.now() + 120_000;
  for (let left = await open(); left.length > 0; left = await open()) {
    assert.ok(Date.now() < deadline, `these never came to an end: ${left.join(', ')}`);
    // Tries that failed while everything broke wait longer and longer; the test does not. Leases are left alone.
    await shared
      .run(sql`
        update live.orders set provision_due_at = now()
        where cancel_status = 'requested' and provision_due_at > now() + interval '8 seconds'`)
      .catch(() => {});
    await shared
      .run(sql`update live.orders set cancel_due_at = now() where cancel_due_at > now() + interval '8 seconds'`)
      .catch(() => {});
    await sleep(250);
  }

  assert.deepEqual((await proveBooks(db, () => {})).drift, []);
  const { cash } = await db.one<{ cash: bigint }>(sql`select cash from wallets where partner_id = ${s.partnerId}`);
  assert.equal(cash, START, 'all of it is back');
  const sent: Readonly<Record<string, readonly string[]>> = {
    failed: ['order.failed'],
    delivered: ['order.delivered', 'order.refunded'],
  };
  const rows = await db.query<{
    id: bigint;
    delivery: string;
    refunds: number;
    withdrawn: boolean;
    events: string[];
  }>(sql`
    select id, delivery, withdrawn_at is not null as withdrawn,
      (select count(*)::int from movements where order_id = orders.id and type = 'refund') as refunds,
      array(select event_type from webhook_deliveries where order_id = orders.id order by event_type) as events
    from orders`);
  for (const { id, delivery, refunds, withdrawn, events } of rows)
    assert.deepEqual(
      { refunds, withdrawn, events },
      { refunds: 1, withdrawn: delivery === 'delivered', events: sent[delivery] },
      `order ${id} is ${delivery}`,
    );
  const { held } = await shared.one<{ held: number }>(sql`
    select count(*)::int as held from simulated.orders where withdrawn_at is null and reference in (select 'wf-live-' || id from live.orders)`);
  assert.equal(held, 0, 'and no eSIM is left at the supplier');
  t.diagnostic(`${steps.length} steps found, ${broken.length} cancels broken: ${steps.join(' | ')}`);
});
