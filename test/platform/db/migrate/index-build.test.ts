import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { isIndexBuild } from '../../../../src/platform/db/migrate/index-build.ts';
import { migrate } from '../../../../src/platform/db/migrate/migrate.ts';
import { type Migration, migrationsOnDisk } from '../../../../src/platform/db/migrate/migrations.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { eventually } from '../../../support/eventually.ts';

const build: Migration = {
  id: 'live/9001_wallets_by_cash.sql',
  schema: 'live',
  text: '-- Why it is needed.\ncreate index concurrently if not exists wallets_by_cash on wallets (cash);\n',
  hash: 'of this text',
};

/** A migrated database without one index, and a transaction that keeps the index from being finished. */
async function site() {
  await using undo = new AsyncDisposableStack();
  const { url, drop } = await freshDatabase();
  undo.defer(drop);
  const onDisk = Promise.resolve([...(await migrationsOnDisk()), build]);
  const [owner, reader] = [new pg.Client(url), new pg.Client(url)];
  for (const client of [owner, reader]) {
    client.on('error', () => {});
    await client.connect();
    undo.defer(() => client.end());
  }
  await owner.query("insert into shared.partners (name, email) values ('a', 'b')");
  const owned = undo.move();
  return {
    owner,
    reader,
    migrate: () => migrate(url, undefined, { onDisk }),
    isValid: async (): Promise<boolean | undefined> =>
      (await owner.query("select indisvalid from pg_index where indexrelid = to_regclass('live.wallets_by_cash')"))
        .rows[0]?.indisvalid,
    /** The process that builds, once it waits for the reader. */
    building: () =>
      eventually('the index is being built', async () => {
        const { rows } = await owner.query(`
          select pid from pg_stat_activity where datname = current_database() and application_name = 'wayfare migrate'
            and query ilike '%concurrently%' and wait_event_type = 'Lock'`);
        return rows[0]?.pid as number | undefined;
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('one `create index concurrently if not exists` or `drop index concurrently if exists` alone in a file runs outside the transaction', () => {
  const of = (text: string): Migration => ({ ...build, text });
  assert.ok(isIndexBuild(build));
  assert.ok(isIndexBuild(of('create unique index concurrently if not exists a on b (c)\n  where d is null;')));
  assert.ok(isIndexBuild(of('-- Why it goes.\ndrop index concurrently if exists a;')));
  for (const text of [
    'create index a on b (c);',
    'drop index a;',
    'drop index concurrently if exists a, b;',
    'create index concurrently a on b (c);',
    'create index concurrently if not exists a on b (c); create index concurrently if not exists d on b (e);',
    'alter table b add column c int; create index concurrently if not exists a on b (c);',
    '-- create index concurrently if not exists a on b (c);',
  ])
    assert.equal(isIndexBuild(of(text)), false, text);
});

test('while an index is built the table can be written, a second process waits, and the index is built once', async () => {
  await using at = await site();
  await at.reader.query('begin isolation level repeatable read; select from live.wallets');
  const migrations = [at.migrate(), at.migrate()];
  await at.building();
  await at.owner.query('insert into live.wallets (partner_id) values (1)');
  assert.equal(await at.isValid(), false);
  await at.reader.query('commit');
  assert.deepEqual((await Promise.all(migrations)).flat(), [build.id]);
  assert.equal(await at.isValid(), true);
  assert.deepEqual(await at.migrate(), []);
});

test('an index whose build was killed is dropped and built again', async () => {
  await using at = await site();
  await at.reader.query('begin isolation level repeatable read; select from live.wallets');
  const killed = assert.rejects(at.migrate());
  await at.owner.query('select pg_terminate_backend($1)', [await at.building()]);
  await killed;
  assert.equal(await at.isValid(), false);
  await at.reader.query('commit');
  assert.deepEqual(await at.migrate(), [build.id]);
  assert.equal(await at.isValid(), true);
});

test('an index that was finished by a process killed right after is kept', async () => {
  await using at = await site();
  await at.owner.query('create index wallets_by_cash on live.wallets (cash)');
  const oid = "select to_regclass('live.wallets_by_cash')::oid as oid";
  const { rows: before } = await at.owner.query(oid);
  assert.deepEqual(await at.migrate(), [build.id]);
  assert.deepEqual((await at.owner.query(oid)).rows, before);
});
