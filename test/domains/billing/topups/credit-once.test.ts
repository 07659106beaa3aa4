import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { run } from '../../../support/program/operator.ts';
import { cashOf, openTopup, type StripeApp, stripeApp, topupsOf, walletLines } from '../../../support/sales/topups.ts';

/** Opens and pays `count` top-ups of different amounts; returns their sum. */
async function paidTopups(app: StripeApp, count: number): Promise<number> {
  for (let n = 0; n < count; n++) {
    const amount = toCents(1000n + BigInt(n));
    const paymentKey = await openTopup(topupsOf(app.live), app.partnerId, amount, app.t.clock.now());
    app.stripe.pay(app.stripe.intentOf(paymentKey));
  }
  return (count * (2000 + count - 1)) / 2;
}

async function stillOpen(app: StripeApp): Promise<number> {
  const { n } = await app.live.db.one<{ n: bigint }>(sql`
    select count(*) as n from topups where status = 'requires_payment'`);
  return Number(n);
}

async function assertCreditedOnce(app: StripeApp, count: number, total: number): Promise<void> {
  assert.equal(await stillOpen(app), 0);
  assert.equal(await cashOf(app.live, app.partnerId), total);
  const amounts = (await walletLines(app.live, app.partnerId)).map(([, amount]) => amount).sort((a, b) => a - b);
  assert.deepEqual(
    amounts,
    Array.from({ length: count }, (_, n) => 1000 + n),
  );
  assert.deepEqual((await run(app.t.operator(), 'audit')).live.drift, []);
}

test('confirm calls, events and jobs of two processes at once credit one payment once', async () => {
  await using app = await stripeApp();
  await using second = await app.t.another();
  const { paymentKey, intentId } = await app.start('30');
  const event = app.stripe.pay(intentId);
  const confirm = (t: typeof second) =>
    t.post('/account/topupConfirm', { payment_key: paymentKey }, { key: app.key }).then(({ status, body }) => {
      assert.deepEqual([status, body.status, body.balance], [200, 'succeeded', 30]);
    });
  await Promise.all([
    ...Array.from({ length: 12 }, () => confirm(app.t)),
    ...Array.from({ length: 12 }, () => confirm(second)),
    ...Array.from({ length: 12 }, () => app.deliver(event)),
    ...Array.from({ length: 12 }, () => topupsOf(app.live).reconcile(app.t.clock.now())),
  ]);
  assert.deepEqual(await walletLines(app.live, app.partnerId), [['topup', 3000]]);
});

test('processes killed in the middle of crediting leave every payment credited once or not yet', async () => {
  await using app = await stripeApp();
  app.t.clock.freeze();
  const COUNT = 60;
  const total = await paidTopups(app, COUNT);
  const script = fileURLToPath(new URL('../../../support/sales/confirming-process.ts', import.meta.url));
  for (let open = COUNT; open > COUNT / 2; ) {
    const args = [script, app.t.base.url, app.stripe.address, String(app.partnerId)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const exit = once(child, 'exit');
    await eventually('the process credits', async () => (await stillOpen(app)) < open - 6);
    child.kill('SIGKILL');
    assert.deepEqual(await exit, [null, 'SIGKILL'], 'it was still at work');
    open = await stillOpen(app);
    assert.equal((await walletLines(app.live, app.partnerId)).length, COUNT - open);
  }
  // What the dead processes had claimed is due again when their lease runs out.
  while ((await topupsOf(app.live).reconcile(app.t.clock.now() + 10 * 60_000)) > 0);
  await assertCreditedOnce(app, COUNT, total);
});
