import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { movedOrders } from '../../../../src/domains/sales/orders/moved.ts';
import { PURCHASE_ORDER } from '../../../../src/platform/db/migrate/table-locks.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';

test('a purchase locks its tables in the order in which migrations lock them', async () => {
  await using t = await testApp({ role: 'api' });
  const partnerId = await t.partner();
  await credit(t, partnerId, '100.00');
  const made = await run(
    t.operator(),
    `webhook create --partner ${partnerId} --mode live --url https://93.184.215.14/hook`,
  );
  await run(t.operator(), `webhook pause ${made.subscription_id}`);
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const key = await t.key(partnerId, 'live');
  const client = new pg.Client(t.base.url);
  await client.connect();
  try {
    for (const [at, table] of PURCHASE_ORDER.entries()) {
      await client.query(`begin; lock table live.${table} in access exclusive mode`);
      const bought = buy(t, key, alias, { idempotency_key: table });
      const held = await eventually(`a purchase waits for ${table}`, async () => {
        const { rows } = await client.query<{ held: string[] }>(
          `select array(
            select distinct relation::regclass::text from pg_locks own
            where own.pid = waiting.pid and granted and relation = any($2::regclass[])
          ) as held
          from pg_locks waiting where not granted and relation = $1::regclass`,
          [`live.${table}`, PURCHASE_ORDER.map((name) => `live.${name}`)],
        );
        return rows[0]?.held;
      });
      await client.query('rollback');
      assert.equal((await bought).status, 200);
      const later = PURCHASE_ORDER.slice(at).map((name) => `live.${name}`);
      assert.deepEqual(
        held.filter((name) => later.includes(name)),
        [],
        `while it waits for ${table}`,
      );
    }
  } finally {
    await client.end();
  }
});

test('orders are locked in the order of their ids, by those that move them and by a reset: so neither waits for the other', async () => {
  await using t = await testApp({ role: 'api' });
  const key = await t.key(await t.partner(), 'sandbox');
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const ids: bigint[] = [];
  for (let n = 0; n < 3; n++)
    ids.push(BigInt((await buy(t, key, alias, { sandbox_scenario: 'deferred' })).body.order_id));
  const [first, , last] = ids;
  const { db, webhooks } = t.base.worlds.sandbox;
  const at = new Date(t.clock.now());
  const moves = ids.toReversed().map((orderId) => {
    return { orderId, from: 'deferred', to: 'deferred', reason: 'later', dueAt: at, at } as const;
  });
  const works = {
    'a move': () => db.query(sql`with ${movedOrders(moves, t.base.vault, webhooks)} select id from moved`),
    'a reset': () => t.post('/account/sandboxReset', '', { key }),
  };
  const [holder, other] = [new pg.Client(t.base.url), new pg.Client(t.base.url)];
  await Promise.all([holder.connect(), other.connect()]);
  try {
    for (const [name, work] of Object.entries(works)) {
      await holder.query(`begin; select from sandbox.orders where id = ${first} for update`);
      const done = work();
      await eventually(`${name} waits`, async () => {
        const { rows } = await holder.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      // Refused where somebody has locked it.
      await other.query(`select from sandbox.orders where id = ${last} for update nowait`);
      await holder.query('rollback');
      await done;
    }
  } finally {
    await Promise.all([holder.end(), other.end()]);
  }
});
