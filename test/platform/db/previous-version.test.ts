import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { isOlder, WORKS_WITH } from '../../../src/platform/db/migrate/schema-promise.ts';
import { isMigrated, requireMigrated } from '../../../src/platform/db/migrate/schema-state.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { version } from '../../../src/platform/settings/version.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { brokenPromises, promisesOf, type SchemaPromises } from '../../support/database/schema-promises.ts';
import { wayfare } from '../../support/program/cli.ts';
import { databaseOfLastRelease } from '../../support/program/last-release.ts';

/**
 * The promise: a server of the previous version works on the new schema. A rolling restart depends on it, because the first new
 * process migrates while the others still run the previous version.
 *
 * `previous-schema.sql` is the `schema.sql` of the previous release (commit 5afebb62). Each release replaces it with its own, and
 * empties `EXPLAINED`. The two schemas are compared by what a program relies on: columns with their types, what an
 * insert may leave out, unique keys, checks, foreign keys, triggers, functions, sequences and rights. The new one may only add.
 *
 * Its limits. It compares structure and runs nothing of the previous version, so it does not see
 * - a column that stays but means something else, or a status that only the new version understands;
 * - a function or trigger that keeps its name and changes what it does;
 * - an index that is gone, which makes the previous version slow, not wrong;
 * - rows the previous version writes that the new version cannot handle. A new column's default must be true of them.
 * Those are for the review; the rules are in CONTRIBUTING.md.
 */

/** Findings that are accepted, with the reason. */
const NOT_READ = 'shared/0148_names_of_0_1.sql drops a view that no statement of the previous release reads';
const KEPT = 'shared/0148_names_of_0_1.sql validates a rule that the previous release keeps to';
const COUNTED =
  'world/0153_sales_by_day.sql, 0251_cancelled_by_day.sql and 0253_days_of_open_orders.sql record which days any version changes, and refuse nothing';
const LIMITED =
  'shared/0150_limits.sql notifies, and lets limits follow what an earlier version sets; it refuses nothing';
const WIDER = 'world/0161_esim_profiles.sql lets calls that suspend and resume be recorded, beside those of before';
const EXPLAINED: Readonly<Record<string, string>> = {
  'rule is new or has changed: shared.api_keys api_keys_sealed_check': KEPT,
  // The same foreign key: the view is how the comparison finds the table under its earlier name.
  'rule is new or has changed: shared.plans plans_operator_id_fkey': NOT_READ,
  'shared.operators.details is gone': NOT_READ,
  'shared.operators.id is gone': NOT_READ,
  'unique key is gone: CREATE UNIQUE INDEX ON shared.operators USING btree (id)': NOT_READ,
  'unique key is gone: CREATE UNIQUE INDEX ON shared.operators USING btree (md5((details)::text))': NOT_READ,
  'wayfare_live may select shared.operators: gone': NOT_READ,
  'wayfare_sandbox may select shared.operators: gone': NOT_READ,
  'rule is new or has changed: live.orders orders_counted_otherwise': COUNTED,
  'rule is new or has changed: live.orders orders_deleted': COUNTED,
  'rule is new or has changed: live.orders orders_handed_back': COUNTED,
  'rule is new or has changed: live.orders orders_placed': COUNTED,
  'rule is new or has changed: sandbox.orders orders_counted_otherwise': COUNTED,
  'rule is new or has changed: sandbox.orders orders_deleted': COUNTED,
  'rule is new or has changed: sandbox.orders orders_handed_back': COUNTED,
  'rule is new or has changed: sandbox.orders orders_placed': COUNTED,
  'rule is new or has changed: shared.api_keys api_keys_limited': LIMITED,
  'rule is new or has changed: shared.api_keys api_keys_spending': LIMITED,
  'rule is new or has changed: shared.partners partners_limited': LIMITED,
  'rule is new or has changed: live.supplier_calls supplier_calls_operation_check': WIDER,
  'rule is new or has changed: live.supplier_calls_default supplier_calls_operation_check': WIDER,
  'rule is new or has changed: sandbox.supplier_calls supplier_calls_operation_check': WIDER,
  'rule is new or has changed: sandbox.supplier_calls_default supplier_calls_operation_check': WIDER,
};

let client: pg.Client;
let previous: SchemaPromises;
const undo = new AsyncDisposableStack();

async function connect(made?: string): Promise<pg.Client> {
  const { url, drop } = await freshDatabase(made);
  undo.defer(drop);
  const connected = new pg.Client(url);
  await connected.connect();
  undo.defer(() => connected.end());
  return connected;
}

before(async () => {
  const old = await connect('template template0');
  await old.query(await readFile(new URL('previous-schema.sql', import.meta.url), 'utf8'));
  previous = await promisesOf(old);
  client = await connect();
});
after(() => undo.disposeAsync());

test('the schema has only grown since the last release, so a server of that version still works on it', async () => {
  assert.ok(previous.columns.size > 300 && previous.uniques.size > 40 && previous.rules.size > 100);
  assert.deepEqual(brokenPromises(previous, await promisesOf(client)).sort(), Object.keys(EXPLAINED).sort());
});

async function findingsAfter(change: string): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query(change);
    return brokenPromises(previous, await promisesOf(client));
  } finally {
    await client.query('rollback');
  }
}

const breaking: Readonly<Record<string, RegExp>> = {
  'alter table live.orders drop column supplier_order': /^live\.orders\.supplier_order is gone$/,
  'alter table live.orders rename column supplier_order to ref': /^live\.orders\.supplier_order is gone$/,
  'drop table live.webhook_queue': /^live\.webhook_queue\.\w+ is gone$/,
  'alter table shared.plans alter column title type varchar(80)': /title was text and is character varying\(80\)/,
  'alter table shared.plans alter column voice set not null': /^shared\.plans\.voice no longer accepts null$/,
  'alter table shared.partners alter column disabled drop default': /^shared\.partners\.disabled has lost its default$/,
  'alter table live.wallets add column owner text not null': /^live\.wallets\.owner must be given by every insert$/,
  'alter table live.movements drop constraint movements_pkey cascade': /^unique key is gone: .* live\.movements /,
  'create unique index on shared.partners (name)': /^unique key is new: .* shared\.partners /,
  'alter table shared.partners add constraint short check (length(name) < 80)':
    /^rule is new .* shared\.partners short$/,
  'alter table live.wallets add foreign key (cash) references shared.partners': /^rule is new .* live\.wallets /,
  'create trigger t before insert on live.orders execute function live.refuse_rewrite()':
    /^rule is new .* live\.orders t$/,
  'drop function shared.notify_pricing cascade': /^function shared\.notify_pricing\(\) returns trigger: gone$/,
  'revoke insert on live.orders from wayfare_live': /^wayfare_live may insert live\.orders: gone$/,
};

for (const [change, finding] of Object.entries(breaking)) {
  test(`this would break the previous version and is found: ${change}`, async () => {
    const found = await findingsAfter(change);
    assert.ok(
      found.some((line) => finding.test(line)),
      `${finding} is not in ${found.join('\n')}`,
    );
  });
}

test('a schema that grew is fine: new tables, columns with a default or null, rules on those columns alone', async () => {
  const unchanged = brokenPromises(previous, await promisesOf(client));
  const found = await findingsAfter(`
    create table live.extra (id int primary key, name text not null check (name <> ''));
    alter table live.orders add column note text check (length(note) < 80), add column rank int not null default 0;
    create unique index on live.orders (note) where note is not null;
    create index on live.orders (rank)`);
  assert.deepEqual(found, unchanged);
});

test('the program says which release it works with: one of the last two in the changelog', async () => {
  const changelog = await readFile(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const releases = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, release]) => release);
  assert.ok(releases.slice(0, 2).includes(WORKS_WITH), `${WORKS_WITH} is none of ${releases.slice(0, 2)}`);
});

suite('a database that a newer version has migrated', () => {
  const ofTomorrow = async (worksWith?: string) => {
    const { url, drop } = await freshDatabase();
    const db = openDatabase({ url, name: 'test' });
    await db.run(sql`insert into shared.migrations (id, hash) values ('live/9999_of_tomorrow.sql', 'unknown')`);
    if (worksWith)
      await db.run(sql`update shared.settings set value = ${JSON.stringify({ by: '99.1.0', works_with: worksWith })}::jsonb
        where name = 'schema'`);
    return {
      url,
      db,
      async [Symbol.asyncDispose]() {
        await db.close();
        await drop();
      },
    };
  };

  test('is up to date for this one, if the newer version keeps its promise to it', async () => {
    for (const worksWith of [undefined, version]) {
      await using newer = await ofTomorrow(worksWith);
      // It is still at work.
      await newer.db.run(sql`insert into shared.backfills (migration) values ('live/9999_of_tomorrow.sql')`);
      assert.equal(await isMigrated(newer.db), true);
      await requireMigrated(newer.url);
      assert.deepEqual(await migrate(newer.url), []);
    }
  });

  test('is refused with one line, if this one is older than the versions it works with', async () => {
    await using newer = await ofTomorrow('99.0.0');
    const refusal = {
      code: 'newer_database',
      message: `this database belongs to Wayfare 99.1.0 and works with 99.0.0 or later; this is ${version}: use the newer program`,
    };
    await assert.rejects(requireMigrated(newer.url), refusal);
    await assert.rejects(migrate(newer.url), refusal);
    const env = { DATABASE_URL: newer.url, WAYFARE_SECRET: 'x'.repeat(32) };
    for (const words of [['start'], ['migrate'], ['partner', 'list']]) {
      const { code, stderr, stdout } = await wayfare(env, ...words);
      assert.deepEqual([code, stdout, stderr], [1, '', `wayfare: ${refusal.message}\n`]);
    }
  });

  test('keeps what the newer version wrote down, whatever an older one migrates', async () => {
    await using newer = await ofTomorrow(version);
    await newer.db.run(sql`drop schema simulated cascade`);
    await newer.db.run(sql`delete from shared.migrations where id like 'simulated/%'`);
    await migrate(newer.url);
    const { value } = await newer.db.one<{ value: unknown }>(sql`
      select value from shared.settings where name = 'schema'`);
    assert.deepEqual(value, { by: '99.1.0', works_with: version });
  });

  test('versions are compared by number', () => {
    for (const [one, other] of [
      ['0.1.0', '0.2.0'],
      ['0.9.0', '0.10.0'],
      ['0.9.9', '1.0.0'],
      ['1.0.9', '1.0.10'],
      ['0.2.0', '0.3.0-dev'],
      ['0.3.0-dev', '0.3.0'],
    ] as const) {
      assert.equal(isOlder(one, other), true, `${one} ${other}`);
      assert.equal(isOlder(other, one), false, `${other} ${one}`);
      assert.equal(isOlder(one, one), false);
    }
  });
});

suite('only `migrate` and `start` migrate', () => {
  const refusal =
    /^wayfare: this database is (of an earlier version, \d+ migrations behind|empty): run `wayfare migrate`, or start a server of this version, first\n$/;

  test('any other command refuses a database of the last release, or an empty one, with one line that says so', async () => {
    await using old = await databaseOfLastRelease();
    const client = await old.connect();
    const migrations = () =>
      client.query('select count(*)::int as n from shared.migrations').then(({ rows }) => rows[0].n);
    const before = await migrations();
    const env = { DATABASE_URL: old.url, WAYFARE_SECRET: 'x'.repeat(32) };
    for (const words of [['partner', 'list'], ['audit']]) {
      const { code, stderr, stdout } = await wayfare(env, ...words);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, refusal);
    }
    assert.equal((await wayfare(env, 'partner', 'list', '--json')).json.error, 'not_migrated');
    assert.equal(await migrations(), before);

    const { url, drop } = await freshDatabase('template template0');
    assert.match((await wayfare({ ...env, DATABASE_URL: url }, 'partner', 'list')).stderr, refusal);
    await drop();

    assert.equal((await wayfare(env, 'migrate')).code, 0);
    assert.equal((await wayfare(env, 'partner', 'list')).code, 0);
  });
});
