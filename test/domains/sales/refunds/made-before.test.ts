import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { lockWallets, refundOrders } from '../../../../src/domains/money/ledger/ledger.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { DAY, timestamp } from '../../../../src/platform/clock.ts';
import { raw } from '../../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../../src/platform/db/search-path.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { refundShop, withdrawals } from '../../../support/suppliers/withdrawals.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const migration = await readFile(
  new URL('../../../../migrations/world/before/0031_refunds_made_before.sql', import.meta.url),
  'utf8',
);

test('refunds made by the previous version are found in the ledger and shown like any other', async () => {
  const shop = await refundShop(t);
  await withdrawals(t, { outcome: 'withdrawn' });
  const { partnerId } = shop;
  const [whole, part, none] = [
    await shop.order(shop.live),
    await shop.order(shop.live),
    await shop.order(shop.live),
  ] as const;
  const now = t.clock.now();
  /** As the previous version does it: the movement, and nothing else. */
  const refunded = (id: string, cents: bigint | undefined, note: string, at: number) =>
    t.base.worlds.live.db.tx(async (tx) => {
      const refund = { orderId: BigInt(id), partnerId, amount: cents === undefined ? undefined : toCents(cents) };
      await refundOrders(tx, await lockWallets(tx, [partnerId]), [refund], note, new Date(at));
    });
  await refunded(whole.id, 400n, 'first', now - DAY);
  await refunded(whole.id, undefined, 'last', now);
  await refunded(part.id, 100n, '', now);

  // Before the migration has run, or from a process that still runs the previous version: the ledger decides.
  const asked = async (id: string) => (await t.post('/order/refund', { order_id: id }, { key: shop.live })).body;
  assert.equal((await asked(whole.id)).error, 'order_not_refundable');
  assert.equal((await run(t.operator(), 'audit')).ok, false);

  await t.base.db.tx(async (tx) => {
    await enterSchema(tx, 'live');
    await tx.run(raw(migration));
  });
  const block = async (id: string) => (await t.get(`/order/detail/${id}`, { key: shop.live })).body.refund;
  assert.deepEqual(await block(whole.id), {
    status: 'refunded',
    amount: '10.00',
    reason: '',
    note: 'last',
    requested_at: timestamp(now - DAY),
    decided_at: timestamp(now),
  });
  assert.deepEqual([(await block(part.id)).status, (await block(part.id)).amount], ['refunded', '1.00']);
  assert.equal(await block(none.id), null);
  assert.equal((await asked(part.id)).refund.amount, '1.00', 'the rest is for the operator');
  assert.equal((await run(t.operator(), 'audit')).ok, true);
});
