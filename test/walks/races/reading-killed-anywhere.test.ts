import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setUsage } from '../../../src/domains/supply/adapters/simulated/store.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import type { Fault } from '../../support/program/fault-preload.ts';
import { breakableServer } from '../../support/servers/breakable-server.ts';

/**
 * A reading that shows three events is broken at every step it takes by cutting its database connections, and around its commit also
 * by killing the process. Each time every event is told exactly once, by that reading or by the job's next one.
 */
const lasting: Readonly<Record<Exclude<Fault, 'stop'>, RegExp>> = {
  cut: /./,
  kill: /^(before|after) (commit|insert into esim_events)/,
};
const EVENTS = ['esim.activated', 'esim.usage_high', 'esim.depleted'] as const;

test('a reading interrupted at any step sends each event exactly once', { timeout: 240_000 }, async (t) => {
  await using s = await breakableServer(1_000_000n, EVENTS, { budgetSeconds: 3 });
  const { db } = s.base.worlds.live;

  /** An eSIM whose data is used up, with no reading yet. */
  async function usedUp(): Promise<string> {
    const bought = await s.call('POST', '/purchase/buy', { product_id: s.product });
    const { iccid } = (await s.call('GET', `/order/detail/${bought?.body.order_id}`))?.body.esim ?? {};
    await s.base.db.tx((tx) =>
      setUsage(tx, iccid, { usedMb: 1024, totalMb: 1024, expiresAt: new Date(Date.now() + 9e8) }, new Date()),
    );
    return iccid;
  }
  const read = (iccid: string) => s.call('GET', `/order/usage/${iccid}`);

  assert.equal((await read(await usedUp()))?.status, 200);
  const counted = await usedUp();
  const steps = await s.countSteps(async () => {
    assert.equal((await read(counted))?.body.usage.status, 'depleted');
  });
  for (const met of [/^before insert into esim_events/, /^(before|after) commit/])
    assert.ok(
      steps.some((label) => met.test(label)),
      `${met} is not among ${steps.join(', ')}`,
    );

  const broken: { fault: Fault; step: number; iccid: string }[] = [];
  for (const fault of ['cut', 'kill'] as const)
    for (const [n, label] of steps.entries())
      if (lasting[fault].test(label)) broken.push({ fault, step: n + 1, iccid: await usedUp() });
  for (const { fault, step, iccid } of broken) await s.breakAt(step, fault, async () => void (await read(iccid)));

  await db.run(sql`update usage_readings set fresh_until = '-infinity', asking_until = '-infinity'`);
  await db.run(sql`update orders set watch_due_at = now() where watch_due_at is not null`);
  const told = () =>
    db.query<{ iccid: string; events: string[] }>(sql`
      select iccid, array(select event_id from webhook_deliveries where order_id = orders.id order by id) as events
      from orders order by id`);
  await eventually('the job has read them all', async () => {
    const due = await db.one<{ n: number }>(sql`
      select count(*)::int as n from orders where watch_due_at < now() + interval '6 minutes'`);
    return due.n === 0 || ((await told()).every(({ events }) => events.length >= EVENTS.length) && true);
  });
  const rows = await told();
  assert.deepEqual(
    rows,
    rows.map(({ iccid }) => ({ iccid, events: EVENTS.map((name) => `${name}:${iccid}:1`) })),
  );
  t.diagnostic(`${steps.length} steps found, ${broken.length} readings broken: ${steps.join(' | ')}`);
});
