import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../../support/eventually.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { refused } from '../../../support/refusal.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, counts, credit } from '../../../support/sales/shop.ts';

async function shop(t: TestApp) {
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '100.00');
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const before = await counts(t);
  return { before, purchase: () => buy(t, key, alias, { idempotency_key: 'one' }) };
}

/** Statements of the database's owner, on a connection of their own. */
async function asOwner(t: TestApp, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: t.base.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

test('a server that became a standby: 503, and its connections are given up, so that purchases find the primary', async () => {
  await using t = await testApp();
  const { before, purchase } = await shop(t);
  const name = new URL(t.base.url).pathname.slice(1);
  // As behind a proxy that still leads to the former primary.
  await asOwner(
    t,
    `alter database ${name} set default_transaction_read_only = on`,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  // Whether the connections' end was noticed first or the server's refusal: neither may cost more than a retry.
  for (let n = 0; n < 3; n++) refused(await purchase(), 'service_unavailable');
  assert.deepEqual(await counts(t), before);
  await asOwner(t, 'begin read write', `alter database ${name} reset default_transaction_read_only`, 'commit');
  // Each connection to it is found out by one failure; without that they would be used for ever.
  await eventually('the connections to it are gone', async () => (await purchase()).status === 200);
});

test('a full disk at the database is 503, like any other trouble of its own: nothing is kept, and the same key buys later', async () => {
  await using t = await testApp();
  const { before, purchase } = await shop(t);
  await asOwner(
    t,
    `create function full_disk() returns trigger language plpgsql as
       $$ begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`,
    'create trigger full_disk before insert on live.movements execute function full_disk()',
  );
  refused(await purchase(), 'service_unavailable');
  assert.deepEqual(await counts(t), before);
  await asOwner(t, 'drop trigger full_disk on live.movements');
  assert.equal((await purchase()).status, 200);
});
