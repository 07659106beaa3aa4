import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type Answer, type TestApp, testApp } from '../../../support/program/app.ts';
import { eventually } from '../../../support/sales/catalog.ts';

/** Reads, the table each cannot do without, and the code the contract gives a read that failed. */
const reads = [
  { path: '/account/history', mode: 'live', table: 'live.movements', code: 'history_read_failed' },
  { path: '/account/history', mode: 'sandbox', table: 'sandbox.wallets', code: 'history_read_failed' },
  { path: '/account/balance', mode: 'sandbox', table: 'sandbox.wallets', code: 'sandbox_balance_read_failed' },
  { path: '/order/get', mode: 'live', table: 'live.orders', code: 'order_read_failed' },
  { path: '/order/get', mode: 'sandbox', table: 'sandbox.orders', code: 'sandbox_order_read_failed' },
  { path: '/order/detail/1', mode: 'live', table: 'live.orders', code: 'order_read_failed' },
  { path: '/order/detail/1', mode: 'sandbox', table: 'sandbox.orders', code: 'sandbox_order_read_failed' },
  { path: '/webhook/list', mode: 'live', table: 'live.webhook_subscriptions', code: 'webhook_read_failed' },
  {
    path: '/webhook/list',
    mode: 'sandbox',
    table: 'sandbox.webhook_subscriptions',
    code: 'sandbox_webhook_read_failed',
  },
  { path: '/webhook/deliveries', mode: 'live', table: 'live.webhook_deliveries', code: 'webhook_read_failed' },
  {
    path: '/webhook/deliveries',
    mode: 'sandbox',
    table: 'sandbox.webhook_deliveries',
    code: 'sandbox_webhook_read_failed',
  },
  // The contract names no code of their own for these: unknown all the same, never empty.
  { path: '/account/balance', mode: 'live', table: 'live.wallets', code: 'service_unavailable' },
  { path: '/account/statement', mode: 'live', table: 'live.wallets', code: 'service_unavailable' },
  { path: '/account/profitshare', mode: 'live', table: 'live.revenue_shares', code: 'service_unavailable' },
] as const;

/** Every read at once while somebody else holds its table; `disturb` is called again and again until all have answered. */
async function readLocked(t: TestApp, disturb: () => Promise<unknown>): Promise<Answer[]> {
  const partner = await t.partner({ billing: 'postpaid' });
  await t.base.db.run(sql`update partners set revenue_share_pct = 10 where id = ${partner}`);
  const keys = { live: await t.key(partner), sandbox: await t.key(partner, 'sandbox') };
  // Known keys are kept in memory, as on any warm server.
  await Promise.all(reads.map(({ path, mode }) => t.get(path, { key: keys[mode] })));
  const holder = new pg.Client({ connectionString: t.base.url });
  await holder.connect();
  try {
    await holder.query('begin');
    for (const table of new Set(reads.map(({ table }) => table)))
      await holder.query(`lock table ${table} in access exclusive mode`);
    const answers = Promise.all(reads.map(({ path, mode }) => t.get(path, { key: keys[mode] })));
    let isOver = false;
    answers.finally(() => {
      isOver = true;
    });
    for (; !isOver; await wait(50)) await disturb();
    return await answers;
  } finally {
    await holder.end();
  }
}

function assertFailed(answers: readonly Answer[]): void {
  const seen = answers.map(({ status, body }, i) => [reads[i]?.path, reads[i]?.mode, status, body.error, body.result]);
  assert.deepEqual(
    seen,
    reads.map(({ path, mode, code }) => [path, mode, code === 'service_unavailable' ? 503 : 500, code, 'fail']),
  );
}

test('a table locked past the statement time-out: the read fails with its own code, never with an empty list', async () => {
  await using t = await testApp({ role: 'api', config: { requestMs: 4 * SECOND } });
  assertFailed(await readLocked(t, async () => {}));
});

test('a connection cut under a read: its own code, or 503 where the contract has none', async () => {
  await using t = await testApp({ role: 'api' });
  const answers = await readLocked(t, () =>
    t.base.db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`),
  );
  assertFailed(answers);
});

test('without a database: 503 service_unavailable, and normal answers once it is back', async () => {
  await using t = await testApp({ role: 'api' });
  const key = await t.key(await t.partner());
  assert.equal((await t.get('/account/history', { key })).status, 200);
  const database = new URL(t.base.url).pathname.slice(1);
  const elsewhere = new URL(t.base.url);
  elsewhere.pathname = '/postgres';
  const holder = new pg.Client({ connectionString: elsewhere.href });
  await holder.connect();
  try {
    await holder.query(`alter database ${database} allow_connections false`);
    await holder.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
    // A connection that was open still has to notice; from then on it is 503.
    await eventually(async () => assert.equal((await t.get('/account/history', { key })).status, 503));
    for (const path of ['/account/history', '/account/statement', '/account/profitshare']) {
      const { status, body } = await t.get(path, { key });
      assert.deepEqual([status, body.error], [503, 'service_unavailable']);
    }
    await holder.query(`alter database ${database} allow_connections true`);
  } finally {
    await holder.end();
  }
  assert.equal((await t.get('/account/history', { key })).status, 200);
});
