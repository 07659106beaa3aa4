import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Fault } from '../../support/program/fault-preload.ts';
import { breakableServer } from '../../support/servers/breakable-server.ts';

/**
 * A replacement is broken at every step it takes by cutting its database connections; and where something has just become lasting, here
 * or at the supplier, also by killing the process. Each time there is one new eSIM for nothing, the old one is withdrawn, and the event
 * is sent once.
 */
const lasting: Readonly<Record<'cut' | 'kill', RegExp>> = {
  cut: /./,
  kill: /^(after commit|(during|after) the call)/,
};
const faults = Object.keys(lasting) as (keyof typeof lasting & Fault)[];
const START = 1_000_000n;

test('a replacement broken at any step, in either of two ways, brings one new eSIM and takes the old one back', {
  timeout: 300_000,
}, async (t) => {
  await using s = await breakableServer(START, ['esim.replaced'], { budgetSeconds: 3 });
  const { db } = s.base.worlds.live;
  await s.base.db.run(sql`update partners set replacement_budget = 100000000`);
  const replace = (iccid: string) => s.call('POST', '/esim/replace', { iccid, idempotency_key: `r-${iccid}` });
  const buy = async (): Promise<string> => {
    const answer = await s.call('POST', '/purchase/buy', { product_id: s.product });
    assert.equal(answer?.body.delivery, 'delivered', JSON.stringify(answer));
    const { iccid } = await db.one<{ iccid: string }>(
      sql`select iccid from orders where id = ${answer?.body.order_id}`,
    );
    return iccid;
  };

  await replace(await buy());
  const counted = await buy();
  const steps = await s.countSteps(async () => {
    assert.equal((await replace(counted))?.body.replacement.status, 'replaced');
  });
  for (const met of [
    /^before insert into esim_replacements/,
    /^before insert into orders/,
    /^(before|during|after) the call/,
    /^(before|after) commit/,
  ])
    assert.ok(
      steps.some((label) => met.test(label)),
      `${met} is not among ${steps.join(', ')}`,
    );

  const broken: { fault: Fault; step: number; iccid: string }[] = [];
  for (const fault of faults)
    for (const [n, label] of steps.entries())
      if (lasting[fault].test(label)) broken.push({ fault, step: n + 1, iccid: await buy() });

  for (const { fault, step, iccid } of broken)
    await s.breakAt(step, fault, async () => {
      const answer = await replace(iccid);
      if (answer) assert.ok([200, 500, 503].includes(answer.status), `${fault} ${step}: ${JSON.stringify(answer)}`);
    });

  const unsettled = async (): Promise<string[]> => {
    const left: string[] = [];
    for (const { fault, step, iccid } of broken) {
      const answer = await replace(iccid);
      assert.notEqual(answer?.status, 409, `${fault} ${step}: ${JSON.stringify(answer?.body)}`);
      if (answer?.body.replacement?.status !== 'replaced') left.push(`${fault} ${step}`);
    }
    const open = await db
      .maybe<{ count: number }>(sql`
      select count(*)::int as count from esim_replacements where due_at is not null or old_esim is null`)
      .catch(() => undefined);
    return open?.count === 0 ? left : [...left, 'old eSIMs'];
  };
  const deadline = Date.now() + 150_000;
  for (let left = await unsettled(); left.length > 0; left = await unsettled()) {
    assert.ok(Date.now() < deadline, `these never came to an end: ${left.join(', ')}`);
    // Tries that failed while everything broke around them wait longer and longer; the test does not. Leases are left alone.
    await db
      .run(sql`update esim_replacements set due_at = now() where due_at > now() + interval '9 seconds'`)
      .catch(() => {});
    await sleep(250);
  }

  assert.deepEqual((await proveBooks(db, () => {})).drift, []);
  const rows = await db.query<Record<string, unknown>>(sql`
    select (select count(*)::int from orders placed where placed.sale_price = 0 and placed.reference = old.reference
        and placed.id = r.order_id and placed.status = 1 and placed.withdrawn_at is null) as placed,
      old.withdrawn_at is not null as withdrawn, r.old_esim as became,
      array(select event_id from webhook_deliveries where order_id = old.id) = array['esim.replaced:' || old.iccid || ':1'] as told
    from esim_replacements r join orders old on old.id = r.old_order_id order by r.id`);
  assert.equal(rows.length, broken.length + 2);
  for (const row of rows) assert.deepEqual(row, { placed: 1, withdrawn: true, became: 'withdrawn', told: true });
  const { free } = await db.one<{ free: number }>(sql`
    select count(*)::int as free from orders where sale_price = 0 and status = 1`);
  assert.equal(free, rows.length, 'no eSIM was delivered twice');
  t.diagnostic(`${steps.length} steps found, ${broken.length} replacements broken`);
});
