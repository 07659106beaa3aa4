import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import type pg from 'pg';
import { backfillOf, splitData } from '../../../src/platform/db/migrate/backfill.ts';
import { isIndexBuild } from '../../../src/platform/db/migrate/index-build.ts';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { type Migration, migrationsOnDisk, stepsFrom } from '../../../src/platform/db/migrate/migrations.ts';
import { locksOf, statementsOf, takeLocks } from '../../../src/platform/db/migrate/table-locks.ts';
import { dumpSchema } from '../../support/database/schema-dump.ts';
import { eventually } from '../../support/eventually.ts';
import { buy, databaseOfLastRelease, migrationsOfLastRelease } from '../../support/program/last-release.ts';

const committed = () => readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
const quick = { pauseMs: 10, tries: 1_000 };

/** Replaces the text of one migration, in the list of all. */
async function allWith(id: string, change: (text: string) => string): Promise<Migration[]> {
  return (await migrationsOnDisk()).map((one) => (one.id === id ? { ...one, text: change(one.text) } : one));
}

suite('the last release is upgraded', () => {
  test('while two servers sell: no purchase fails, and the migration never ends in a deadlock', async () => {
    await using old = await databaseOfLastRelease();
    let isOver = false;
    const bought = [0, 0, 0, 0];
    const sellers = bought.map(async (_, i) => {
      const client = await old.connect();
      while (!isOver) {
        await buy(client);
        bought[i] = (bought[i] as number) + 1;
      }
    });
    await eventually('everybody sells', async () => bought.every((count) => count > 2));
    const upgraded = migrate(old.url, undefined, quick);
    await Promise.race([upgraded, Promise.all(sellers)]);
    const during = [...bought];
    await eventually('everybody goes on selling', async () => bought.every((count, i) => count > (during[i] ?? 0)));
    isOver = true;
    await Promise.all(sellers);
    assert.ok((await upgraded).length > 5);
    assert.equal(await dumpSchema(old.url), await committed());
  });

  // One that makes a table, and one that locks what purchases use.
  const points = ['shared/0147_previous_plans.sql', 'live/0145_held_orders.sql'];
  for (const id of points)
    test(`killed in ${id}: what was applied has its rights, purchases go on, and the next run finishes`, async () => {
      await using old = await databaseOfLastRelease();
      const owner = await old.connect();
      const onDisk = allWith(id, (text) => `${text}; select pg_terminate_backend(pg_backend_pid())`);
      await assert.rejects(migrate(old.url, undefined, { ...quick, onDisk }));
      const { rows: applied } = await owner.query<{ id: string }>('select id from shared.migrations');
      const all = (await onDisk).filter((one) => !isIndexBuild(one)).map((one) => one.id);
      const isOld = new Set((await migrationsOfLastRelease()).map((one) => one.id));
      assert.deepEqual(
        new Set(applied.map((row) => row.id)),
        new Set([...isOld, ...all.slice(0, all.indexOf(id))]),
        'all before it, and nothing of it',
      );
      await buy(owner);
      assert.deepEqual(await withoutRights(owner), []);
      await migrate(old.url, undefined, quick);
      assert.equal(await dumpSchema(old.url), await committed());
    });

  test('rows are filled in by small batches, outside any lock; killed among them, it goes on from there', async () => {
    await using old = await databaseOfLastRelease();
    const owner = await old.connect();
    await owner.query(`
      insert into action_keys (scope, key, step, action, is_money, created_at, sealed)
      select 'member:1', n, 0, case when n % 2 = 0 then 'POST /api/keys' else 'POST /api/{mode}/orders' end, false, now(), 'sealed'
      from generate_series(1, 6000) as n`);
    const id = 'shared/0140_secrets_in_answers.sql';
    const poisoned = allWith(id, (text) =>
      text.replace(
        'sealed is not null',
        'sealed is not null and case when id > 3000 then pg_terminate_backend(pg_backend_pid()) else true end',
      ),
    );
    await assert.rejects(migrate(old.url, undefined, { ...quick, onDisk: poisoned }));
    const progress = async () => (await owner.query('select migration, done_to from shared.backfills')).rows;
    const [half] = await progress();
    assert.equal(half?.migration, id);
    assert.ok(Number(half.done_to) > 0 && Number(half.done_to) <= 3000, `stopped at ${half.done_to}`);
    const erased = async () =>
      Number((await owner.query('select count(*) as n from action_keys where sealed is null')).rows[0].n);
    assert.ok((await erased()) > 0 && (await erased()) < 3000);
    await buy(owner);

    await migrate(old.url, undefined, quick);
    assert.deepEqual(await progress(), []);
    assert.equal(await erased(), 3000, 'those with a secret, and no other');
    assert.equal(await dumpSchema(old.url), await committed());
  });

  test('delivered eSIMs keep their ICCIDs; of orders that share one, the last delivered has it', async () => {
    await using old = await databaseOfLastRelease();
    const owner = await old.connect();
    await owner.query(`
      insert into orders (id, partner_id, plan_id, product_id, status, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at)
      overriding system value
      select n, 1, 1, 'p', 1, 'prepaid', 500, 500, 0, 't', '1 GB', 1024, 7, false, 'FR', 's', 's-1', now()
      from generate_series(2001, 5000) as n`);
    await owner.query(`
      update orders set delivered_at = created_at + id * interval '1 second', status = case when id = 2003 then 2 else 1 end,
        iccid = case when id <> 2004 then '89' || case when id in (4998, 5000) then 2001 else id end end`);
    await migrate(old.url, undefined, quick);
    const { rows } = await owner.query('select iccid, order_id from sold_iccids order by iccid');
    assert.equal(rows.length, 2996);
    assert.deepEqual(rows.slice(0, 3), [
      { iccid: '892001', order_id: '5000' },
      { iccid: '892002', order_id: '2002' },
      { iccid: '892005', order_id: '2005' },
    ]);
  });

  test('a deadlock is tried again like a time-out', async () => {
    await using old = await databaseOfLastRelease();
    await migrate(old.url);
    const [owner, other] = [await old.connect(), await old.connect()];
    // Long enough for the other to close the circle; the other itself never looks for one.
    await owner.query(`alter database ${new URL(old.url).pathname.slice(1)} set deadlock_timeout = '2s'`);
    await other.query("set deadlock_timeout = '10min'");
    await other.query('begin; lock table orders in row exclusive mode');
    const warned: string[] = [];
    const warn = ({ migration }: { migration: string }) => void warned.push(migration);
    const text = 'alter table orders add column a int; alter table wallets add column b int;';
    const both = { id: 'live/9001_both.sql', schema: 'live', text, hash: 'of this text' };
    const onDisk = Promise.resolve([...(await migrationsOnDisk()), both]);
    const upgraded = migrate(old.url, { warn } as never, { ...quick, onDisk, lockTimeoutMs: 60_000 });
    await eventually('the migration waits for orders', async () => {
      const { rows } = await owner.query(`
        select from pg_locks where relation = 'orders'::regclass and not granted and mode = 'AccessExclusiveLock'`);
      return rows.length > 0;
    });
    await other.query('lock table wallets in row exclusive mode');
    await other.query('commit');
    await upgraded;
    assert.deepEqual(warned, [both.id]);
  });
});

/** Tables of a world that its role cannot use, and tables of people that it can. */
async function withoutRights(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%s.%s', schemaname, tablename) as name from pg_tables,
      lateral (select 'wayfare_' || schemaname as role, format('%I.%I', schemaname, tablename)::regclass as oid) as of
    where (schemaname in ('live', 'sandbox') and not has_table_privilege(role, oid, 'select, insert'))
      or (schemaname = 'shared' and tablename in ('people', 'members', 'sessions') and has_table_privilege('wayfare_live', oid, 'select'))`);
  return rows.map(({ name }) => name);
}

suite('what a migration locks', () => {
  test('is read off its text: each table once, in the strongest mode it needs', () => {
    const text = `
      -- alter table commented add column a int;
      create table refunds (order_id bigint references orders (id), partner_id integer references wallets);
      alter table orders add column a text default 'alter table quoted add', add foreign key (a) references orders (id);
      alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.05);
      create function f() returns void language sql as $$ update hidden set a = 1; $$;
      create trigger t after insert or update on plans for each row execute function f();
      update members set a = 1 from people where true;`;
    assert.equal(statementsOf(text).length, 6);
    assert.deepEqual(Object.fromEntries(locksOf(text).map(({ table, mode }) => [table, mode])), {
      orders: 'access exclusive',
      wallets: 'share row exclusive',
      webhook_deliveries: 'share update exclusive',
      plans: 'share row exclusive',
      members: 'row exclusive',
    });
  });

  test('it locks first: no migration since the last release takes another lock on a table there was', async () => {
    await using old = await databaseOfLastRelease();
    const [client, looker] = [await old.connect(), await old.connect()];
    const { rows: pids } = await client.query('select pg_backend_pid() as pid');
    const strongLocks = async (): Promise<string[]> => {
      const { rows } = await client.query<{ lock: string }>(
        `select format('%s %s', c.oid, mode) as lock
        from pg_locks join pg_class c on c.oid = relation join pg_namespace n on n.oid = c.relnamespace
        where pid = $1 and c.relkind = 'r' and mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
          and n.nspname in ('shared', 'live', 'sandbox', 'simulated') and c.oid = any($2)`,
        [pids[0].pid, existed],
      );
      return rows.map(({ lock }) => lock).sort();
    };
    let existed: number[] = [];
    for (const migration of stepsFrom(await migrationsOfLastRelease(), await migrationsOnDisk())) {
      if (isIndexBuild(migration)) continue;
      existed = (await looker.query('select oid from pg_class')).rows.map(({ oid }) => oid);
      const now = backfillOf(migration) ? splitData(migration.text).schema.join(';') : migration.text;
      await client.query(`begin; create schema if not exists ${migration.schema}`);
      await client.query(`set local search_path = ${migration.schema}, shared`);
      await takeLocks(client, now, 1_000);
      const before = await strongLocks();
      await client.query(migration.text);
      const strongest = (await strongLocks()).filter((lock) => !before.includes(lock) && !isWeaker(lock, before));
      assert.deepEqual(strongest, [], migration.id);
      await client.query('commit');
    }
  });

  test('rows of a table there was are filled in by batches, unless the table is small', async () => {
    // By id, with the reason why the table is small.
    const small: Readonly<Record<string, string>> = {
      'shared/0150_limits.sql': 'keys: a few per partner, and of these only those with a spending limit',
      'live/0170_invoices.sql': 'invoice_start: one row, the month with which invoices begin',
      'live/0251_cancelled_by_day.sql': 'sales_by_day_progress: one row',
      'sandbox/0170_invoices.sql': 'invoice_start: one row, the month with which invoices begin',
      'sandbox/0251_cancelled_by_day.sql': 'sales_by_day_progress: one row',
    };
    const done = new Set((await migrationsOfLastRelease()).map(({ id }) => id));
    const found = (await migrationsOnDisk())
      .filter(
        ({ id, text }) =>
          !done.has(id) && splitData(text).data.some((statement) => !/ default values$/.test(statement)),
      )
      .filter((migration) => !backfillOf(migration))
      .map(({ id }) => id);
    assert.deepEqual(found, Object.keys(small));
  });
});

/** A table that is locked against everybody may be locked in any other way too. */
const isWeaker = (lock: string, held: readonly string[]): boolean =>
  held.includes(lock.replace(/ \w+$/, ' AccessExclusiveLock')) ||
  (/ Share(Lock|UpdateExclusiveLock)$/.test(lock) && held.includes(lock.replace(/ \w+$/, ' ShareRowExclusiveLock')));
