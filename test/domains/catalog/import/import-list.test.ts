import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { seedDemoCatalog } from '../../../../src/domains/catalog/catalog.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { runTime } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { batchOf, entry, eventually, smallWorld, stock, stockedApp, testSign } from '../../../support/sales/catalog.ts';

async function withFile<T>(content: unknown, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-import-'));
  const path = join(folder, 'catalog.json');
  await writeFile(path, JSON.stringify(content, null, 1));
  return use(path).finally(() => rm(folder, { recursive: true }));
}

const supplier = { slug: 'aurora', title: 'Aurora', kind: 'simulated' };

suite('catalog import', () => {
  test('a file brings supplier, destinations and plans; partners see them within two seconds', async () => {
    await using t = await testApp();
    const key = await t.key(await t.partner());
    const plans = [entry(), entry({ destination: 'FR' })];
    const counts = await withFile({ supplier, destinations: smallWorld, plans }, (path) =>
      run(t.operator(), ['catalog', 'import', path]),
    );
    assert.deepEqual(counts, {
      supplier: 'aurora',
      plans: 2,
      added: 2,
      added_plans: plans.map(({ code, title }) => ({ code, title, price: '10.00' })),
      changed: 0,
      off_sale: 0,
      off_sale_plans: [],
      on_sale_before: 0,
      leave_sale: 0,
      on_sale_after: 2,
      repriced: 0,
      repriced_plans: [],
      skipped: 0,
      skipped_rows: [],
    });
    using time = runTime();
    await eventually(async () => assert.equal((await t.get('/catalog/products?country=FR', { key })).body.total, 1));
    assert.ok(time.ms < 2_000, `it took ${time.ms} ms`);
    const [listed] = await run(t.operator(), 'supplier list');
    assert.deepEqual([listed.supplier, listed.kind, listed.plans, listed.on_sale], ['aurora', 'simulated', 2, 2]);
  });

  test('one bad row: every bad row reported with line and reason, nothing imported', async () => {
    await using t = await testApp();
    const plans = [entry(), { ...entry(), day: 0 }, entry({ destination: 'QQ' })];
    const result = await withFile({ supplier, destinations: smallWorld, plans }, (path) =>
      run(t.operator(), ['catalog', 'import', path]),
    );
    assert.deepEqual([result.ok, result.error, result.problems.length], [false, 'import_refused', 2]);
    assert.match(result.problems[0].reason, /^day /);
    assert.ok(result.problems[1].line > result.problems[0].line);
    const { rows } = await t.base.db.one<{ rows: number }>(sql`
      select ((select count(*) from plans) + (select count(*) from suppliers) + (select count(*) from destinations))::int
        as rows`);
    assert.equal(rows, 0);
  });

  test('plans missing from a full import go off sale and are never deleted; a partial import leaves them alone', async () => {
    await using t = await stockedApp([entry({ code: 'stays' }), entry({ code: 'goes', day: 30 })]);
    const goes = await t.alias('goes');
    const { db } = t.base;
    assert.equal((await stock(db, batchOf([entry({ code: 'new' })], { full: false }))).off_sale, 0);
    const counts = await stock(db, batchOf([entry({ code: 'stays' }), entry({ code: 'new' })]));
    assert.deepEqual([counts.off_sale, counts.added], [1, 0]);
    assert.equal((await run(t.operator(), `catalog product show ${goes}`)).on_sale, false);
    await eventually(async () =>
      assert.equal((await t.get(`/catalog/product/${goes}`, { key: t.key1 })).body.error, 'product_not_found'),
    );
    assert.equal((await stock(db, batchOf([entry({ code: 'other' })], { slug: 'beacon' }))).off_sale, 0);
  });

  test('a plan keeps its id when it is imported again, also under another signing key', async () => {
    await using t = await stockedApp([entry({ code: 'one', title: 'Before' })]);
    const before = await t.alias('one');
    const counts = await t.base.db.tx(async (tx) => {
      const { importCatalog } = await import('../../../../src/domains/catalog/import/import-list.ts');
      return importCatalog(tx, batchOf([entry({ code: 'one', title: 'After' })]), () => 'f'.repeat(64));
    });
    assert.deepEqual([counts.changed, counts.added], [1, 0]);
    assert.equal(await t.alias('one'), before);
  });

  test('an import that changes nothing writes no plan', async () => {
    const same = entry({ code: 'one' });
    await using t = await stockedApp([same]);
    const counts = await stock(t.base.db, batchOf([same]));
    assert.deepEqual([counts.added, counts.changed, counts.off_sale], [0, 0, 0]);
  });

  test('two imports at once take turns, and both complete', async () => {
    await using t = await stockedApp([]);
    const batch = (title: string) => batchOf(Array.from({ length: 50 }, (_, i) => entry({ code: `p${i}`, title })));
    await Promise.all([stock(t.base.db, batch('A')), stock(t.base.db, batch('B'))]);
    const titles = await t.base.db.query<{ title: string; n: number }>(
      sql`select title, count(*)::int as n from plans group by title`,
    );
    assert.deepEqual(
      titles.map(({ n }) => n),
      [50],
    );
  });

  test('an import whose connection dies half-way leaves nothing behind, whatever progress it showed', async () => {
    await using t = await stockedApp([]);
    const plans = Array.from({ length: 6_000 }, (_, i) => entry({ code: `p${i}` }));
    const shown: number[] = [];
    let killed: Promise<unknown> | undefined;
    const operator = {
      ...t.operator(),
      progress(_label: string, done: number) {
        shown.push(done);
        killed ??= t.base.db.query(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'wayfare shared' and datname = current_database() and pid <> pg_backend_pid()
            and xact_start is not null`);
      },
    };
    const importing = withFile({ supplier, plans }, (path) => run(operator, ['catalog', 'import', path]));
    await assert.rejects(importing);
    await killed;
    assert.equal(shown[0], 2_500);
    const { rows } = await t.base.db.one<{ rows: number }>(sql`select count(*)::int as rows from plans`);
    assert.equal(rows, 0);
    assert.equal((await stock(t.base.db, batchOf(plans))).added, 6_000);
  });

  test('a supplier of another kind is refused', async () => {
    await using t = await stockedApp([]);
    const result = await withFile({ supplier: { ...supplier, kind: 'airalo' }, plans: [] }, (path) =>
      run(t.operator(), ['catalog', 'import', path]),
    );
    assert.deepEqual(result.problems, [{ line: 1, reason: 'supplier aurora is of kind simulated, not airalo' }]);
  });

  test("a supplier's feed is imported by its name; a name that is neither a file nor a supplier is rejected", async () => {
    await using t = await testApp();
    await t.base.db.tx((tx) => seedDemoCatalog(tx, testSign));
    const counts = await run(t.operator(), 'catalog import aurora');
    assert.equal(counts.supplier, 'aurora');
    assert.deepEqual([counts.added, counts.changed, counts.off_sale], [0, 0, 0]);
    for (const source of ['nobody', 'constructor'])
      await assert.rejects(run(t.operator(), `catalog import ${source}`), { code: 'source_not_found' });
  });

  test('the samples of docs/catalog-import.md are imported beside the demo catalog, and take nothing off sale', async () => {
    await using t = await testApp();
    await t.base.db.tx((tx) => seedDemoCatalog(tx, testSign));
    const onSale = () => t.base.db.one(sql`select count(*)::int as plans from plans where on_sale`);
    const { plans } = (await onSale()) as { plans: number };
    const text = await readFile(new URL('../../../../docs/catalog-import.md', import.meta.url), 'utf8');
    const [file, refill] = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, sample]) => JSON.parse(sample as string));
    const counts = await withFile(file, (path) => run(t.operator(), ['catalog', 'import', path]));
    assert.deepEqual([counts.added, counts.off_sale], [file.plans.length, 0]);
    const more = { ...file, full: false, plans: [refill] };
    assert.equal((await withFile(more, (path) => run(t.operator(), ['catalog', 'import', path]))).added, 1);
    assert.deepEqual(await onSale(), { plans: plans + file.plans.length + 1 });
    await run(t.operator(), ['catalog', 'import', '--previous', file.supplier.slug, '--yes']);
    assert.deepEqual(await onSale(), { plans: plans + file.plans.length });
  });

  test('the import is in the audit log, with who ran it and its result', async () => {
    await using t = await testApp();
    await withFile({ supplier, destinations: smallWorld, plans: [entry()] }, (path) =>
      run(t.operator(), ['catalog', 'import', path]),
    );
    const logged = await t.base.db.one<{ who: string; target: string; after: { added: number } }>(
      sql`select who, target, after from audit_log where what = 'catalog import'`,
    );
    assert.deepEqual([logged.who, logged.target, logged.after.added], ['test', 'supplier aurora', 1]);
  });
});

suite('the size of an import', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => entry({ code: `many-${i}` }));

  test('300,000 plans are refused with the limit, and nothing changes', async () => {
    await using t = await stockedApp([entry({ code: 'before' })]);
    const read = () => t.base.db.query(sql`select supplier_plan, on_sale from plans order by id`);
    const before = await read();
    const batch = batchOf(many(300_000));
    for (const raw of [batch, { ...batch, isSupplierList: true }])
      await assert.rejects(stock(t.base.db, raw), ({ problems }) => {
        assert.deepEqual(
          problems.map(({ reason }: { reason: string }) => reason),
          ['300000 plans are listed; a supplier may have at most 100000'],
        );
        return true;
      });
    assert.deepEqual(await read(), before);
    assert.equal((await t.get('/catalog/export', { key: t.key1 })).body.count, 1);
  });

  test('lists of changes that add up to more are refused, too', async () => {
    await using t = await stockedApp([entry({ code: 'before' })]);
    await t.base.db.tx(async (tx) => {
      // No version names these plans, so their changes need not be logged.
      await tx.run(sql`set local session_replication_role = replica`);
      await tx.run(sql`set local statement_timeout = '60s'`);
      await tx.run(sql`
        insert into plans overriding system value
        select made.* from plans cross join generate_series(1, 99999) as n
        cross join lateral jsonb_populate_record(plans, jsonb_build_object(
          'id', 10000000 + n, 'alias', 'esc_' || lpad(to_hex(n), 16, '0'), 'supplier_plan', 'more-' || n)) as made
        where plans.supplier_plan = 'before'`);
    });
    const changes = { ...batchOf([entry({ code: 'one-more' })]), full: false, isSupplierList: true, removed: [] };
    await assert.rejects(stock(t.base.db, changes), ({ problems: [first] }) =>
      /would have 100001 plans on sale; it may have at most 100000/.test(first.reason),
    );
    const { plans } = await t.base.db.one<{ plans: number }>(sql`select count(*)::int as plans from plans`);
    assert.equal(plans, 100_000);
  });

  test('2,001 destinations are refused', async () => {
    await using t = await stockedApp([]);
    const destinations = Array.from({ length: 2_001 }, (_, i) => ({ line: i + 1, entry: { code: `place-${i}` } }));
    await assert.rejects(stock(t.base.db, { ...batchOf([entry()]), destinations }), ({ problems: [first] }) =>
      /2001 destinations are named; there may be at most 2000/.test(first.reason),
    );
  });

  test('a row of a list with text that cannot be stored is left out, named with a short code, and the rest is imported', async () => {
    await using t = await stockedApp([entry({ code: 'before' })]);
    const rows = [
      entry({ code: 'good' }),
      entry({ code: 'better' }),
      entry({ code: 'best' }),
      entry({ code: 'nul', title: 'A\u0000B' }),
      entry({ code: 'half', operator: { info: ['\ud800'] } }),
      entry({ code: 'x'.repeat(5_000) }),
    ];
    const counts = await stock(t.base.db, { ...batchOf(rows), isSupplierList: true });
    assert.deepEqual([counts.plans, counts.skipped], [3, 3]);
    assert.deepEqual(
      counts.skipped_rows.map(({ code, reason }) => [code.length, reason.slice(0, 40)]),
      [
        [3, 'title has characters that cannot be prin'],
        [4, 'info has characters that cannot be print'],
        [200, 'code must not have more than 200 charact'],
      ],
    );
  });
});
