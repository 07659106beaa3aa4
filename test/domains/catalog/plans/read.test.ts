import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCatalog } from '../../../../src/domains/catalog/plans/read.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';
import { batchOf, entry, stock } from '../../../support/sales/catalog.ts';

test('reading again reads only what has changed', async () => {
  await using t = await testApp();
  const { db } = t.base;
  const read = (before?: Awaited<ReturnType<typeof readCatalog>>) => readCatalog(db, (code) => code, before);
  await stock(db, batchOf([entry({ code: 'one' }), entry({ code: 'two' })]));
  const first = await read();
  assert.equal(await read(first), first, 'nothing changed: the same reading');

  await db.run(sql`update plans set list_price = 777 where supplier_plan = 'one'`);
  const second = await read(first);
  assert.equal(second.plans[0]?.listPrice, 777n);
  assert.equal(second.plans[1], first.plans[1], 'an unchanged plan is the same object');

  await stock(db, batchOf([entry({ code: 'three' })], { full: false, slug: 'beacon' }));
  const third = await read(second);
  assert.deepEqual(
    third.plans.map(({ supplierPlan, supplier }) => `${supplier.slug} ${supplierPlan}`),
    ['aurora one', 'aurora two', 'beacon three'],
  );

  await db.run(sql`update destinations set title = 'Turkey' where code = 'TR'`);
  const fourth = await read(third);
  assert.deepEqual(new Set(fourth.plans.map(({ destination }) => destination.title)), new Set(['Turkey']));
});

test('a plan committed late, with an id below existing ones, is found', async () => {
  await using t = await testApp();
  const { db } = t.base;
  const ids = async (from: number, code: string) => {
    await db.run(sql`select setval('plans_id_seq', ${from}::bigint, false)`);
    await stock(db, batchOf([entry({ code })], { full: false }));
  };
  await ids(10, 'first');
  await ids(30, 'last');
  const before = await readCatalog(db, (code) => code);
  await ids(20, 'late');
  const after = await readCatalog(db, (code) => code, before);
  assert.deepEqual(
    after.plans.map(({ id, supplierPlan }) => `${id} ${supplierPlan}`),
    ['10 first', '20 late', '30 last'],
  );
  assert.equal(after.plans[2], before.plans[1]);
});
