import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testFolder } from '../../support/database/folder.ts';
import { ask, startPair } from '../../support/database/postgres-pair.ts';
import { eventually } from '../../support/eventually.ts';
import { testApp } from '../../support/program/app.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';

const RECOVERY_LIMIT_MS = 10_000;

test('the primary dies under purchases and the standby takes over: no paid order is lost or doubled', async () => {
  await using folder = await testFolder(0o711);
  await using undo = new AsyncDisposableStack();
  const { url, primary, standby } = await startPair(folder.path, undo);
  const t = undo.use(await testApp({ url }));
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '5000.00');
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);

  /** Buys under one key until it is answered, as a client does that got no answer. */
  const bought = new Map<string, unknown>();
  let stopping = false;
  async function shopper(name: string): Promise<void> {
    for (let n = 0; !stopping; n++) {
      const idempotency_key = `${name}-${n}`;
      // How long that may take is measured below, from the promotion on: the primary's end and the standby's start come first.
      while (!bought.has(idempotency_key)) {
        const { status, body } = await buy(t, key, alias, { idempotency_key });
        // 202: it is paid, and the job delivers it once the attempt that was cut off has lost its lease.
        if (status === 200 || status === 202) bought.set(idempotency_key, body.id);
        else await wait(20);
      }
    }
  }
  const shoppers = Promise.all(['a', 'b', 'c'].map(shopper));
  await eventually('purchases work', async () => bought.size > 10);

  // `stop` first, or it would be restarted; the signal takes effect before it can stop in good order.
  const ended = primary.stop();
  process.kill(primary.pid, 'SIGKILL');
  await ended;
  const before = bought.size;
  const promotedAt = performance.now();
  await ask(standby.url, 'select pg_promote()');
  await eventually('purchases work again', async () => bought.size > before + 10);
  assert.ok(performance.now() - promotedAt < RECOVERY_LIMIT_MS, `${performance.now() - promotedAt} ms`);
  stopping = true;
  await shoppers;

  const orders = await t.base.worlds.live.db.query<{ id: bigint }>(sql`select id from orders`);
  assert.deepEqual(
    new Set(orders.map(({ id }) => String(id))),
    new Set([...bought.values()].map(String)),
    'every answered order is there, and no other',
  );
  assert.equal(orders.length, bought.size);
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, []);
});
