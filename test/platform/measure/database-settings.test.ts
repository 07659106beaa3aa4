import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openDatabase, type Queryable } from '../../../src/platform/db/database.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { readDatabaseSettings } from '../../../src/platform/measure/database-figures.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';

suite('on a database server whose settings work against us', () => {
  let t: TestApp;
  const undo = new AsyncDisposableStack();

  before(async () => {
    const { url, drop } = await freshDatabase();
    undo.defer(drop);
    const owner = openDatabase({ url, name: 'test' });
    const name = raw(new URL(url).pathname.slice(1));
    await owner.run(sql`alter database ${name} set jit = on`);
    await owner.run(sql`alter database ${name} set synchronous_commit = off`);
    await owner.close();
    t = undo.use(await testApp({ url, role: 'api' }));
  });
  after(() => undo.disposeAsync());

  const unfit = async (db: Queryable, connections = 30): Promise<string[]> =>
    (await readDatabaseSettings(db, t.clock.now(), connections)).filter((one) => one.isUnfit).map((one) => one.setting);

  test('none of our sessions compiles plans', async () => {
    for (const { db } of [t.base, ...Object.values(t.base.worlds)])
      assert.deepEqual(await db.query(sql`show jit`), [{ jit: 'off' }]);
  });

  test('a start says what is wrong and what to do about it', () => {
    const said = t.logged.map((line) => JSON.parse(line)).filter(({ setting }) => setting !== undefined);
    assert.deepEqual(
      said.map(({ level, setting, value, msg }) => [level, setting, value, msg]),
      [
        // The server of the tests is in a hurry.
        ['warn', 'fsync', 'off', 'a crash of the database server can destroy the database: set fsync = on'],
        [
          'warn',
          'synchronous_commit',
          'off',
          'a crash of the database server can undo purchases that were answered: set synchronous_commit = on',
        ],
      ],
    );
  });

  test('the metrics say it for as long as it lasts', async () => {
    const text = await t.base.metrics.print();
    const shown = [...text.matchAll(/^wayfare_database_setting_unfit\{setting="(\w+)"\} (\d)$/gm)];
    assert.deepEqual(Object.fromEntries(shown.map(([, setting, value]) => [setting, value])), {
      jit: '0',
      fsync: '1',
      synchronous_commit: '1',
      max_connections: '0',
    });
  });

  test('compiled plans and commits that do not wait are found in the session itself', async () => {
    await t.base.db.tx(async (tx) => {
      await tx.run(sql`set local jit = on`);
      await tx.run(sql`set local synchronous_commit = local`);
      assert.deepEqual(await unfit(tx), ['jit', 'fsync']);
    });
  });

  test('too few connections for the processes that are alive are found', async () => {
    const { value } = (await readDatabaseSettings(t.base.db, t.clock.now(), 30)).find(
      ({ setting }) => setting === 'max_connections',
    ) as { value: string };
    const both = Math.floor(Number(value) / 2);
    assert.ok(!(await unfit(t.base.db, both)).includes('max_connections'), 'one process');
    await t.base.db.run(sql`
      insert into processes (id, host, pid, role, version, started_at, last_seen, jobs, supplier_kinds, silent_suppliers)
      values (gen_random_uuid(), 'other', 1, 'api', '0', now(), ${new Date(t.clock.now())}, '{}', '{}', '{}')`);
    assert.ok((await unfit(t.base.db, both)).includes('max_connections'), 'two, and some are kept for administrators');
  });
});
