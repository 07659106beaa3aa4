import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import type { Fault } from '../../support/program/fault-preload.ts';
import { breakableServer } from '../../support/servers/breakable-server.ts';

/**
 * Suspending an eSIM is broken at every step it takes by cutting its database connections, and around its commits and its call also by killing the
 * process. Each time it ends suspended or not, the same here and at the supplier once it is asked for again, and one event is sent.
 */
const lasting: Readonly<Record<Exclude<Fault, 'stop'>, RegExp>> = {
  cut: /./,
  kill: /^(before|after) commit|the call to the supplier/,
};

test('suspending, interrupted at any step, is completed by asking again, and sends its event once', {
  timeout: 240_000,
}, async (t) => {
  await using s = await breakableServer(1_000_000n, ['esim.suspended', 'esim.resumed'], { budgetSeconds: 3 });
  const { db } = s.base.worlds.live;

  async function newEsim(): Promise<string> {
    const bought = await s.call('POST', '/purchase/buy', { product_id: s.product });
    return (await s.call('GET', `/order/detail/${bought?.body.order_id}`))?.body.esim.iccid;
  }
  const ask = (action: 'suspend' | 'resume', iccid: string) => s.call('POST', `/esim/${action}`, { iccid });

  assert.equal((await ask('suspend', await newEsim()))?.status, 200);
  const counted = await newEsim();
  const steps = await s.countSteps(async () => {
    assert.equal((await ask('suspend', counted))?.body.esim.state, 'suspended');
  });
  for (const met of [/^before begin/, /^(before|after) update esim_profiles/, /^(before|after) commit/])
    assert.ok(
      steps.some((label) => met.test(label)),
      `${met} is not among ${steps.join(', ')}`,
    );

  const broken: { fault: Fault; step: number; iccid: string }[] = [];
  for (const fault of ['cut', 'kill'] as const)
    for (const [n, label] of steps.entries())
      if (lasting[fault].test(label)) broken.push({ fault, step: n + 1, iccid: await newEsim() });
  for (const { fault, step, iccid } of broken)
    await s.breakAt(step, fault, async () => void (await ask('suspend', iccid)));

  // Half of them are asked for again, the other half the other way round.
  const wanted = new Map(broken.map(({ iccid }, n) => [iccid, n % 2 === 0 ? 'suspend' : 'resume'] as const));
  const ended = async (iccid: string, action: 'suspend' | 'resume') =>
    eventually(`${action} of ${iccid} is answered`, async () => (await ask(action, iccid))?.status === 200);
  await Promise.all([...wanted].map(([iccid, action]) => ended(iccid, action)));

  const rows = await db.query<{ iccid: string; isHere: boolean; events: string[] }>(sql`
    select orders.iccid, profile.suspended_at is not null as "isHere",
      array(select event_type from webhook_deliveries where order_id = orders.id order by id) as events
    from orders left join esim_profiles profile on profile.order_id = orders.id order by orders.id`);
  const there = new Set(
    (
      await s.base.db.query<{ iccid: string }>(sql`
        select iccid from live.orders join simulated.orders there on there.reference = 'wf-live-' || orders.id
        where there.suspended_at is not null`)
    ).map(({ iccid }) => iccid),
  );
  for (const { iccid, isHere, events } of rows) {
    const isWanted = wanted.get(iccid) !== 'resume';
    assert.deepEqual([isHere, there.has(iccid)], [isWanted, isWanted], iccid);
    // An interrupted request may have suspended it before it was resumed, or not.
    const whole = isWanted ? ['esim.suspended'] : events.length === 0 ? [] : ['esim.suspended', 'esim.resumed'];
    assert.deepEqual(events, whole, iccid);
  }
  t.diagnostic(`${steps.length} steps found, ${broken.length} requests broken: ${steps.join(' | ')}`);
});
