import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Fault } from '../../support/program/fault-preload.ts';
import { breakableServer } from '../../support/servers/breakable-server.ts';

/**
 * A refund is broken at every step it takes by cutting its database connections; and where something has just become lasting,
 * here or at the supplier, also by killing the process and by stopping PostgreSQL, which take seconds each. Each time the money
 * comes back exactly once, with its mark and its event.
 */
const lasting: Readonly<Record<Fault, RegExp>> = {
  cut: /./,
  kill: /^(after commit|(during|after) the call)/,
  stop: /^after commit/,
};
const faults = Object.keys(lasting) as Fault[];
const START = 1_000_000n;

test('a refund broken at any step, in any of three ways, gives the money back exactly once', {
  timeout: 300_000,
}, async (t) => {
  await using s = await breakableServer(START, ['order.refunded'], { budgetSeconds: 3 });
  const refund = (orderId: string) => s.call('POST', '/order/refund', { order_id: orderId });
  const buy = async (): Promise<string> => {
    const answer = await s.call('POST', '/purchase/buy', { product_id: s.product });
    assert.equal(answer?.body.delivery, 'delivered', JSON.stringify(answer));
    return String(answer?.body.order_id);
  };

  await refund(await buy());
  const counted = await buy();
  const steps = await s.countSteps(async () => {
    assert.equal((await refund(counted))?.body.refund.status, 'refunded');
  });
  // The request's row, the supplier, the money and the answer: whatever the path between them becomes, these must be met.
  for (const met of [
    /^before begin/,
    /^before insert into refunds/,
    /^(before|during|after) the call/,
    /^(before|after) commit/,
  ])
    assert.ok(
      steps.some((label) => met.test(label)),
      `${met} is not among ${steps.join(', ')}`,
    );
  assert.ok(steps.length >= 20, `too few steps found: ${steps.join(', ')}`);

  // All bought before anything breaks: purchases have a test of their own.
  const broken: { fault: Fault; step: number; orderId: string }[] = [];
  for (const fault of faults)
    for (const [n, label] of steps.entries())
      if (lasting[fault].test(label)) broken.push({ fault, step: n + 1, orderId: await buy() });

  for (const { fault, step, orderId } of broken)
    await s.breakAt(step, fault, async () => {
      const answer = await refund(orderId);
      if (answer) assert.ok([200, 500, 503].includes(answer.status), `${fault} ${step}: ${JSON.stringify(answer)}`);
    });

  const unsettled = async (): Promise<string[]> => {
    const left = await Promise.all(
      broken.map(async ({ fault, step, orderId }) => {
        const answer = await refund(orderId);
        assert.notEqual(answer?.status, 409, `${fault} ${step}: ${JSON.stringify(answer?.body)}`);
        return answer?.body.refund?.status === 'refunded' ? [] : [`${fault} ${step}`];
      }),
    );
    return left.flat();
  };
  const { db } = s.base.worlds.live;
  const deadline = Date.now() + 120_000;
  for (let left = await unsettled(); left.length > 0; left = await unsettled()) {
    assert.ok(Date.now() < deadline, `these never came to an end: ${left.join(', ')}`);
    // Tries that failed while everything broke around them wait longer and longer; the test does not. Leases are left alone.
    // Our own connection may have ended with a server that was stopped; the next round has a new one.
    await db.run(sql`update refunds set due_at = now() where due_at > now() + interval '9 seconds'`).catch(() => {});
    await sleep(250);
  }

  const { partnerId } = s;
  assert.deepEqual((await proveBooks(db, () => {})).drift, []);
  const { cash } = await db.one<{ cash: bigint }>(sql`select cash from wallets where partner_id = ${partnerId}`);
  assert.equal(cash, START, 'all of it is back');
  const rows = await db.query<{ id: bigint; refunds: number; events: string[]; withdrawn: boolean }>(sql`
    select id, withdrawn_at is not null as withdrawn,
      (select count(*)::int from movements where order_id = orders.id and type = 'refund') as refunds,
      array(select event_id from webhook_deliveries where order_id = orders.id) as events
    from orders order by id`);
  assert.deepEqual(
    rows,
    rows.map(({ id }) => ({ id, withdrawn: true, refunds: 1, events: [`order.refunded:${id}:1`] })),
  );
  t.diagnostic(`${steps.length} steps found, ${broken.length} refunds broken`);
  t.diagnostic(`steps: ${steps.join(' | ')}`);
});
