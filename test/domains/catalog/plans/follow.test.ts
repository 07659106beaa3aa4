import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { runTime } from '../../../support/eventually.ts';
import type { TestApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { entry, eventually, stockedApp } from '../../../support/sales/catalog.ts';

const priceIn = async (t: TestApp, key: string, id: string) =>
  (await t.get(`/catalog/product/${id}`, { key })).body.product.price;

test('a price change is visible in every process within two seconds', async () => {
  await using t = await stockedApp([entry({ code: 'one', price: 10 })]);
  await using other = await t.another();
  const id = await t.alias('one');
  for (const app of [t, other]) assert.equal(await priceIn(app, t.key1, id), 10);
  await run(t.operator(), `catalog product set ${id} --price 12.50`);
  using time = runTime();
  for (const app of [t, other]) await eventually(async () => assert.equal(await priceIn(app, t.key1, id), 12.5));
  assert.ok(time.ms < 2_000, `it took ${time.ms} ms`);
});

test('a change made while the notification connection was lost is visible within two seconds of it', async () => {
  await using t = await stockedApp([entry({ code: 'one', price: 10 })]);
  const id = await t.alias('one');
  assert.equal(await priceIn(t, t.key1, id), 10);
  const { db } = t.base;
  const ended = await db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'wayfare listen' and datname = current_database()`);
  assert.equal(ended.length, 1);
  await run(t.operator(), `catalog product set ${id} --price 15`);
  using time = runTime();
  await eventually(async () => assert.equal(await priceIn(t, t.key1, id), 15));
  assert.ok(time.ms < 2_000, `it took ${time.ms} ms`);
});

test('a failed reading of the catalog is retried until it succeeds', async () => {
  await using t = await stockedApp([entry({ code: 'one', price: 10 })]);
  const id = await t.alias('one');
  const { db } = t.base;
  // Without its table, reading fails as it would on a database in trouble.
  await db.run(sql`alter table plans rename to plans_away`);
  await db.run(sql`update plans_away set list_price = 1100`);
  await eventually(async () => assert.match(t.logged.join(''), /the catalog could not be read again/));
  assert.equal(await priceIn(t, t.key1, id), 10);
  await db.run(sql`alter table plans_away rename to plans`);
  await eventually(async () => assert.equal(await priceIn(t, t.key1, id), 11));
});
