import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../../../src/platform/db/database.ts';
import { migrate } from '../../../../src/platform/db/migrate/migrate.ts';
import { worldRole } from '../../../../src/platform/db/migrate/rights.ts';
import { isMigrated } from '../../../../src/platform/db/migrate/schema-state.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { dumpSchema } from '../../../support/database/schema-dump.ts';

test('the migrated database matches schema.sql, and the two worlds are alike', async () => {
  const { url, drop } = await freshDatabase();
  const committed = await readFile(new URL('../../../../schema.sql', import.meta.url), 'utf8');
  assert.equal(await dumpSchema(url), committed, 'run `npm run schema` and commit the result');
  await drop();
});

test('schema.sql makes the same schema in an empty database', async () => {
  const { url, drop } = await freshDatabase('template template0');
  const committed = await readFile(new URL('../../../../schema.sql', import.meta.url), 'utf8');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(committed).finally(() => client.end());
  assert.equal(await dumpSchema(url), committed);
  await drop();
});

test('two processes migrating at once: one does the work, the other waits for it', async () => {
  const { url, drop } = await freshDatabase();
  const db = openDatabase({ url, name: 'test' });
  for (const schema of ['simulated', 'sandbox', 'live', 'shared'])
    await db.run(sql`drop schema ${raw(schema)} cascade`);
  const [first, second] = await Promise.all([migrate(url), migrate(url)]);
  assert.ok(first.length === 0 || second.length === 0);
  assert.ok(first.length + second.length > 0);
  assert.equal(await isMigrated(db), true);
  await db.close();
  await drop();
});

/** Takes a migration back, so that it is pending again. */
async function withPending(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema simulated cascade');
  await client.query("delete from shared.migrations where id like 'simulated/%'");
  return client;
}

test('a migration that waits for a table in use gives up soon, lets the others through, and tries again', async () => {
  const { url, drop } = await freshDatabase();
  const client = await withPending(url);
  // The migration's last step writes here: any lock it needs will do.
  await client.query('begin; lock table shared.migrations in share mode');
  const warnings: unknown[] = [];
  const warn = (...given: unknown[]) => {
    warnings.push(given);
    if (warnings.length === 2) void client.query('commit');
  };
  const applied = await migrate(url, { warn } as never, { lockTimeoutMs: 50, pauseMs: 10 });
  assert.ok(applied.length > 0);
  assert.ok(warnings.length >= 2);
  await client.end();
  await drop();
});

test('a migration that never gets its table ends with one clear line', async () => {
  const { url, drop } = await freshDatabase();
  const client = await withPending(url);
  await client.query('begin; lock table shared.migrations in share mode');
  const blocked = migrate(url, undefined, { lockTimeoutMs: 50, pauseMs: 10, tries: 2 });
  await assert.rejects(
    blocked,
    /^Error: simulated\/0136_baseline.sql could not lock a table it changes: end the long transaction/,
  );
  await client.query('commit');
  const db = openDatabase({ url, name: 'test' });
  assert.equal(await isMigrated(db), false);
  await db.close();
  await client.end();
  await drop();
});

test('a migration that was applied and then edited is refused', async () => {
  const { url, drop } = await freshDatabase();
  const db = openDatabase({ url, name: 'test' });
  await db.run(sql`update shared.migrations set hash = 'another' where id = 'shared/0001_accounts.sql'`);
  await db.close();
  await assert.rejects(migrate(url), /was edited after it was applied/);
  await drop();
});

test('the sandbox role can neither read nor write any live table', async () => {
  const { url, drop } = await freshDatabase();
  const owner = openDatabase({ url, name: 'test' });
  const sandbox = openDatabase({ url, name: 'test', role: worldRole.sandbox, searchPath: 'sandbox,shared' });
  const tables = await owner.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'live'`,
  );
  assert.ok(tables.length > 0);
  for (const { name } of tables) {
    for (const statement of [
      sql`select from live.${raw(name)}`,
      sql`delete from live.${raw(name)}`,
      sql`insert into live.${raw(name)} default values`,
    ]) {
      await assert.rejects(sandbox.query(statement), { code: '42501' }, name);
    }
  }
  await sandbox.close();
  await owner.close();
  await drop();
});

test('neither world can read or write who may sign in to the panel', async () => {
  const { url, drop } = await freshDatabase();
  for (const [world, role] of Object.entries(worldRole)) {
    const db = openDatabase({ url, name: 'test', role, searchPath: `${world},shared` });
    const hidden = ['people', 'members', 'member_links', 'sessions', 'sign_in_places', 'sign_in_failures'];
    const staff = ['staff', 'staff_links', 'staff_places', 'staff_second_factors', 'staff_sessions', 'staff_views'];
    for (const name of [...hidden, ...staff, 'mails', 'password_requests']) {
      for (const statement of [
        sql`select from shared.${raw(name)}`,
        sql`delete from shared.${raw(name)}`,
        sql`insert into shared.${raw(name)} default values`,
      ]) {
        await assert.rejects(db.query(statement), { code: '42501' }, `${role} ${name}`);
      }
    }
    // What it may write, it may not read.
    for (const statement of [sql`select from shared.notices`, sql`delete from shared.notices`])
      await assert.rejects(db.query(statement), { code: '42501' }, `${role} notices`);
    await db.query(sql`select from shared.partners`);
    await db.close();
  }
  await drop();
});

test('live money is append-only: by privilege for the world, by trigger for the owner', async () => {
  const { url, drop } = await freshDatabase();
  const owner = openDatabase({ url, name: 'test', searchPath: 'live,shared' });
  const live = openDatabase({ url, name: 'test', role: worldRole.live, searchPath: 'live,shared' });
  await owner.run(sql`insert into partners (name, email) values ('a', 'b')`);
  await owner.run(sql`insert into wallets (partner_id) values (1)`);
  await live.run(sql`
    insert into movements (partner_id, book, line, type, amount, balance_after, at)
    values (1, 'wallet', 1, 'topup', 5, 5, now())`);
  await live.run(sql`
    insert into transfers (movement_id, partner_id, debit, credit, amount) values (1, 1, 'card_clearing', 'cash', 5)`);
  for (const table of ['movements', 'transfers']) {
    await assert.rejects(live.run(sql`update ${raw(table)} set amount = 6`), { code: '42501' });
    await assert.rejects(live.run(sql`delete from ${raw(table)}`), { code: '42501' });
    await assert.rejects(owner.run(sql`update ${raw(table)} set amount = 6`), { code: '23001' });
    await assert.rejects(owner.run(sql`delete from ${raw(table)}`), { code: '23001' });
    await assert.rejects(owner.run(sql`truncate ${raw(table)} cascade`), { code: '23001' });
  }
  await live.close();
  await owner.close();
  await drop();
});

test('the database itself refuses a negative wallet, a one-sided transfer, an unknown account, a line of the wrong book, a second charge for an order and a second line of one number', async () => {
  const { url, drop } = await freshDatabase();
  const live = openDatabase({ url, name: 'test', searchPath: 'live,shared' });
  await live.run(sql`insert into partners (name, email) values ('a', 'b')`);
  await live.run(sql`insert into wallets (partner_id) values (1)`);
  await assert.rejects(live.run(sql`update wallets set cash = -1`), { code: '23514' });
  await assert.rejects(live.run(sql`update wallets set promo = -1`), { code: '23514' });
  const charge = (line: number, orderId: number) => sql`
    insert into movements (partner_id, book, line, type, amount, balance_after, order_id, at)
    values (1, 'wallet', ${line}, 'purchase', -5, 0, ${orderId}, now())`;
  await live.run(charge(1, 1001));
  await assert.rejects(live.run(charge(2, 1001)), { code: '23505' });
  await assert.rejects(live.run(charge(1, 1002)), { code: '23505' });
  for (const [debit, credit] of [
    ['cash', 'cash'],
    ['cash', 'petty_cash'],
    ['petty_cash', 'cash'],
  ])
    await assert.rejects(
      live.run(
        sql`insert into transfers (movement_id, partner_id, debit, credit, amount) values (1, 1, ${debit}, ${credit}, 5)`,
      ),
      { code: '23514' },
    );
  for (const [book, type] of [
    ['wallet', 'charge'],
    ['debt', 'purchase'],
    ['cash', 'adjust'],
  ])
    await assert.rejects(
      live.run(sql`
        insert into movements (partner_id, book, line, type, amount, balance_after, at)
        values (1, ${book}, 9, ${type}, 5, 5, now())`),
      { code: '23514' },
    );
  await live.close();
  await drop();
});
