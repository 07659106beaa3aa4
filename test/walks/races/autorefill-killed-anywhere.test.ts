import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Fault } from '../../support/program/fault-preload.ts';
import { run } from '../../support/program/operator.ts';
import { breakableServer } from '../../support/servers/breakable-server.ts';

/**
 * An eSIM that is past its mark gets a rule, and what follows is broken at every step by cutting the database connections; and where
 * something has just become lasting, here or at the supplier, also by killing the process. Each time it is refilled once, it is charged
 * once, and the rule, whose only refill this was, stops once.
 */
const lasting: Readonly<Record<'cut' | 'kill', RegExp>> = {
  cut: /./,
  kill: /^(after commit|(during|after) the call)/,
};
const faults = Object.keys(lasting) as (keyof typeof lasting & Fault)[];
const START = 1_000_000n;

test('an automatic refill, broken at any step in either of two ways, is bought once', {
  timeout: 300_000,
}, async (t) => {
  await using s = await breakableServer(START, ['esim.autorefill_stopped'], { budgetSeconds: 3 });
  const { db } = s.base.worlds.live;
  const operator = { ...s.base, who: 'test', confinedTo: undefined, progress() {} };
  let product = '';

  /** An eSIM without data. */
  async function newEsim(): Promise<string> {
    const bought = await s.call('POST', '/purchase/buy', { product_id: s.product });
    const iccid = (await s.call('GET', `/order/detail/${bought?.body.order_id}`))?.body.esim.iccid;
    const total_mb = (await s.call('GET', `/order/usage/${iccid}`))?.body.usage.total_mb;
    await run(operator, `usage set ${iccid} --used ${total_mb} --total ${total_mb}`);
    product ||= (await s.call('GET', `/esim/refills/${iccid}`))?.body.products[0].id;
    return iccid;
  }
  const set = (iccid: string) => {
    const rule = { product_id: product, at_percent: '100', times: '1', max_price: '1000' };
    return s.call('POST', '/esim/autorefill', { iccid, ...rule });
  };
  /** What became of the rule of an eSIM. A refused request is not "no rule": a rule that has stopped would be set again. */
  const ruleOf = async (iccid: string): Promise<string> => {
    const answer = await s.call('GET', `/esim/detail/${iccid}`);
    if (answer?.status !== 200) return `answered ${answer?.status}`;
    const { autorefill } = answer.body;
    return autorefill ? (autorefill.stopped ?? 'at work') : 'no rule';
  };

  assert.equal((await set(await newEsim()))?.body.autorefill.stopped, 'done');
  const counted = await newEsim();
  const steps = await s.countSteps(async () => {
    assert.equal((await set(counted))?.body.autorefill.done, 1);
  });
  for (const met of [
    /^before insert into autorefills/,
    /^(before|after) update autorefills/,
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
      if (lasting[fault].test(label)) broken.push({ fault, step: n + 1, iccid: await newEsim() });
  for (const { fault, step, iccid } of broken)
    await s.breakAt(step, fault, async () => {
      const answer = await set(iccid);
      if (answer) assert.ok([200, 500, 503].includes(answer.status), `${fault} ${step}: ${JSON.stringify(answer)}`);
    });

  const unsettled = async (among: typeof broken): Promise<((typeof broken)[number] & { rule: string })[]> => {
    const left = [];
    for (const one of among) {
      const rule = await ruleOf(one.iccid);
      // It was broken before the rule was on record.
      if (rule === 'no rule') await set(one.iccid);
      if (rule !== 'done') left.push({ ...one, rule });
    }
    return left;
  };
  const deadline = Date.now() + 150_000;
  for (let left = await unsettled(broken); left.length > 0; left = await unsettled(left)) {
    const names = left.map(({ fault, step, rule }) => `${fault} ${step}: ${rule}`);
    assert.ok(Date.now() < deadline, `these never came to an end: ${names.join(', ')}`);
    // The lease of a process that died is shortened. Two processes at one crossing do no harm.
    await db
      .run(sql`update autorefills set due_at = now() where due_at > now() + interval '2 seconds'`)
      .catch(() => {});
    await sleep(250);
  }

  assert.deepEqual((await proveBooks(db, () => {})).drift, []);
  const rows = await db.query<Record<string, unknown>>(sql`
    select rule.done, rule.stopped, rule.n,
      array(select idempotency_key || ' ' || status from orders refill where refill.refill_of = esim.id order by id)
        = array['autorefill:' || esim.iccid || ':1 1'] as refilled,
      array(select event_id from webhook_deliveries where order_id = esim.id) = array['esim.autorefill_stopped:' || esim.iccid || ':1'] as told
    from autorefills rule join orders esim on esim.id = rule.order_id order by esim.id`);
  assert.equal(rows.length, broken.length + 2);
  for (const row of rows) assert.deepEqual(row, { done: 1, stopped: 'done', n: 2, refilled: true, told: true });
  t.diagnostic(`${steps.length} steps found, ${broken.length} refills broken: ${steps.join(' | ')}`);
});
