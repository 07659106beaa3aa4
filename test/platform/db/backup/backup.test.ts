import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { backupCommands } from '../../../../src/entry/cli/backup.ts';
import { inLoadingOrder, takeBackup } from '../../../../src/platform/db/backup/backup.ts';
import { type Totals, writeBackup } from '../../../../src/platform/db/backup/backup-file.ts';
import { requireWholeBackup } from '../../../../src/platform/db/backup/backup-reader.ts';
import { restoreBackup } from '../../../../src/platform/db/backup/restore.ts';
import { testFolder } from '../../../support/database/folder.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { dumpSchema } from '../../../support/database/schema-dump.ts';
import { testApp } from '../../../support/program/app.ts';
import { makeLastRelease, makeSince } from '../../../support/program/last-release.ts';

/** Text that a careless format would break on. */
const AWKWARD = ['\\.', '\\N', 'tab\there', 'line\nbreak\r\n\\.\n', 'ünïcode 🗺', 'quote \' " \\', ''];

const undo = new AsyncDisposableStack();
const silent = () => {};
let folder: string;
let url: string;
let file: string;
const backup = (from: string, to: string) => takeBackup(from, to, '0.1.0', silent);

async function database(made?: string): Promise<string> {
  const fresh = await freshDatabase(made);
  undo.defer(fresh.drop);
  return fresh.url;
}

async function ask(at: string, statement: string, values: unknown[] = []): Promise<Record<string, string>[]> {
  const client = new pg.Client(at);
  await client.connect();
  return (await client.query(statement, values).finally(() => client.end())).rows;
}

const isEmpty = async (at: string) =>
  (await ask(at, `select from pg_namespace where nspname in ('live', 'sandbox')`)).length === 0 &&
  (await ask(at, 'select from shared.migrations')).length === 0;

/** Everything in the database: a digest of each table's rows, whatever month they are in, where each sequence is, and that every trigger is on. */
async function contentOf(at: string): Promise<string[]> {
  const named = await ask(
    at,
    `select format('%I.%I', nspname, relname) as name, relkind as kind from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname in ('shared', 'live', 'sandbox', 'simulated') and relkind in ('r', 'p', 'S') and not relispartition
      and relname <> 'migrations' order by 1`,
  );
  const queries = named.map(({ name, kind }) =>
    kind === 'S'
      ? `select '${name}' as name, format('%s %s', last_value, is_called) as content from ${name}`
      : `select '${name}' as name, coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as content from ${name} t`,
  );
  const rows = await ask(at, queries.join(' union all '));
  const off = await ask(at, `select tgname as name, 'off' as content from pg_trigger where tgenabled <> 'O'`);
  return [...rows, ...off].map(({ name, content }) => `${name} ${content}`).sort();
}

before(async () => {
  const place = undo.use(await testFolder(0o711));
  folder = place.path;
  file = join(folder, 'wayfare.backup');
  url = await database();
  for (const [i, text] of AWKWARD.entries()) {
    await ask(url, 'insert into shared.partners (name, email) values ($1, $1)', [`p${text}`]);
    await ask(url, 'insert into live.wallets (partner_id) values ($1)', [i + 1]);
    await ask(url, 'insert into shared.audit_log (who, what, target, before) values ($1, $1, $1, $2)', [
      text,
      JSON.stringify({ text }),
    ]);
    const hash = Buffer.alloc(32, i);
    await ask(
      url,
      `insert into shared.api_keys (partner_id, mode, hash, last4, allow_list) values (1, 'live', $1, 'abcd', $2)`,
      [hash, i % 2 ? [text, '10.0.0.0/8'] : []],
    );
  }
  await ask(
    url,
    `insert into live.movements (partner_id, book, line, type, amount, balance_after, at)
    select 1, 'wallet', n, 'topup', 5, 5 * n, '2026-01-01 00:00:00.123456+00' from generate_series(1, 3000) n`,
  );
  await ask(url, `insert into shared.settings values ('vault', '{"nonce": "n", "signature": "s"}')`);
  await backup(url, file);
});
after(() => undo.disposeAsync());

test('what is restored equals what was backed up: rows, sequences, triggers, rights', async () => {
  const target = await database('template template0');
  const rows = await restoreBackup(target, file, silent);
  assert.ok(rows > 3_000);
  assert.deepEqual(await contentOf(target), await contentOf(url));
  assert.equal(await dumpSchema(target), await dumpSchema(url));
  await assert.rejects(ask(target, 'update live.movements set amount = 6'), { code: '23001' });
});

test('an owner without any special right restores into a PostgreSQL of their own', async () => {
  const target = await database('template template0');
  const name = new URL(target).pathname.slice(1);
  await ask(target, `create role ${name} login password 'plain'`);
  undo.defer(async () => void (await ask(url, `drop owned by ${name}; drop role ${name}`).catch(silent)));
  await ask(target, `grant wayfare_live, wayfare_sandbox to ${name}`);
  await ask(target, `alter database ${name} owner to ${name}`);
  const theirs = new URL(target);
  [theirs.username, theirs.password] = [name, 'plain'];
  await restoreBackup(theirs.href, file, silent);
  assert.deepEqual(await contentOf(theirs.href), await contentOf(url));
});

for (const [what, make] of [
  ['the previous release', makeLastRelease],
  ['a version between that and this one', (to: string) => makeSince(to, 147)],
] as const)
  test(`a backup of ${what} is brought up to this version`, async () => {
    const earlier = await database('template template0');
    await make(earlier);
    await ask(earlier, `insert into shared.partners (name, email) values ('a', 'b')`);
    const old = join(folder, 'old.backup');
    await backup(earlier, old);
    const target = await database('template template0');
    await restoreBackup(target, old, silent);
    assert.equal(await dumpSchema(target), await dumpSchema(url));
    assert.equal((await ask(target, 'select name from shared.partners'))[0]?.name, 'a');
  });

test('a backup that is older than the previous release is refused', async () => {
  const earlier = await database('template template0');
  await makeLastRelease(earlier);
  await ask(earlier, `delete from shared.migrations where id = 'live/0131_book_sums.sql'`);
  const old = join(folder, 'older.backup');
  await backup(earlier, old);
  const target = await database('template template0');
  await assert.rejects(restoreBackup(target, old, silent), {
    code: 'older_backup',
    message: 'the backup is older than the previous release: restore it with that release, then upgrade',
  });
  assert.ok(await isEmpty(target));
});

test('a backup of a newer version is refused', async () => {
  const newer = await database();
  await ask(newer, `insert into shared.migrations (id, hash) values ('live/9999_of_tomorrow.sql', 'unknown')`);
  const fromThere = join(folder, 'newer.backup');
  await backup(newer, fromThere);
  const target = await database('template template0');
  await assert.rejects(restoreBackup(target, fromThere, silent), {
    code: 'newer_backup',
    message: /was made by Wayfare 0\.1\.0 with live\/9999_of_tomorrow\.sql/,
  });
  assert.ok(await isEmpty(target));
});

test('a file that is not whole leaves the database empty, and the whole one can still be restored', async () => {
  const text = gunzipSync(await readFile(file)).toString('latin1');
  const damaged: Record<string, Buffer> = {
    'ends within a table': gzipSync(text.slice(0, text.length >> 1)),
    'without its last line': gzipSync(text.slice(0, text.trimEnd().lastIndexOf('\n') + 1)),
    'a changed value': gzipSync(Buffer.from(text.replace('p\\\\N', 'pXXN'), 'latin1')),
    'a statement for a table': gzipSync(
      Buffer.from(text.replace('"table":"shared.audit_log"', '"table":"shared.audit_log; drop"'), 'latin1'),
    ),
    'something after its end': gzipSync(Buffer.from(`${text}more\n`, 'latin1')),
    'not compressed': Buffer.from(text, 'latin1'),
    'a row without an end': gzipSync(Buffer.from(text.replace('\\.\n', 'x'.repeat(65 << 20)), 'latin1'), { level: 1 }),
    'something else': gzipSync('a picture\nof a cat\n'),
    nothing: Buffer.alloc(0),
  };
  const target = await database('template template0');
  const path = join(folder, 'damaged.backup');
  for (const [how, bytes] of Object.entries(damaged)) {
    await writeFile(path, bytes);
    await assert.rejects(requireWholeBackup(path, silent), { code: 'not_a_backup' }, how);
    await assert.rejects(restoreBackup(target, path, silent), { code: 'not_a_backup' }, how);
    assert.ok(await isEmpty(target), how);
  }
  await restoreBackup(target, file, silent);
  assert.deepEqual(await contentOf(target), await contentOf(url));
});

test('one wrong byte, wherever it is, is found in seconds and before anything is restored; a whole file passes', async () => {
  const whole = await readFile(file);
  const path = join(folder, 'bit.backup');
  const refused = { code: 'not_a_backup', message: /bit\.backup is not a whole backup: / };
  const from = performance.now();
  for (let at = 10; at < whole.length; at += Math.ceil(whole.length / 40)) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] as number) ^ 0x10;
    await writeFile(path, damaged);
    await assert.rejects(requireWholeBackup(path, silent), refused, `byte ${at}`);
  }
  assert.ok(performance.now() - from < 20_000);
  const seen: number[] = [];
  await requireWholeBackup(file, (bytes, of) => void seen.push(bytes, of));
  assert.deepEqual(seen.slice(-2), [whole.length, whole.length]);
});

test('without the secret it was made with nothing is restored', async () => {
  await using t = await testApp();
  const sealed = join(folder, 'sealed.backup');
  await backup(t.base.url, sealed);
  const target = await database('template template0');
  const command = backupCommands.find(({ name }) => name === 'restore');
  const restore = async (secret: string | undefined) => {
    const config = { ...t.base.config, dataDir: folder, databaseUrl: target, secret };
    return (await command?.run({ ...t.operator(), config }, { file: sealed } as never)) as { ok: boolean };
  };
  await assert.rejects(restore(undefined), { code: 'no_secret' });
  await assert.rejects(restore('ab'.repeat(32)), { code: 'wrong_secret' });
  assert.deepEqual(await ask(target, `select from pg_namespace where nspname = 'shared'`), []);
  assert.equal((await restore(t.base.config.secret)).ok, true);
});

test('a database that has a Wayfare already is refused and keeps its rows', async () => {
  const target = await database();
  await ask(target, `insert into shared.partners (name, email) values ('theirs', 'b')`);
  await assert.rejects(restoreBackup(target, file, silent), { code: 'not_empty' });
  assert.equal((await ask(target, 'select name from shared.partners'))[0]?.name, 'theirs');
});

test('a second backup at the same time is refused, and so is one of a database without a Wayfare', async () => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('select pg_advisory_lock(7203912)');
  await assert.rejects(backup(url, join(folder, 'second.backup')), { code: 'backup_running' });
  await client.end();
  await assert.rejects(backup(await database('template template0'), join(folder, 'none')), { code: 'no_database' });
});

test('a backup that fails or is killed leaves the file of that name as it was; the next one replaces what is left', async () => {
  const path = join(folder, 'kept.backup');
  await writeFile(path, 'the last good one');
  // What a killed run left: another run's bytes, readable by all.
  await writeFile(`${path}.part`, 'half', { mode: 0o644 });
  const totals: Totals = { rows: {}, sequences: [] };
  await assert.rejects(
    writeBackup(
      path,
      (async function* () {
        yield Buffer.from('some of it\n');
        assert.equal((await stat(`${path}.part`)).mode & 0o777, 0o600);
        assert.equal(await readFile(path, 'utf8'), 'the last good one');
        yield Buffer.from('more of it\n');
        throw new Error('the disk is full');
        // biome-ignore lint/correctness/noUnreachable: what a generator that succeeds returns.
        return totals;
      })(),
    ),
    /the disk is full/,
  );
  assert.equal(await readFile(path, 'utf8'), 'the last good one');
  await assert.rejects(stat(`${path}.part`), { code: 'ENOENT' });
  await backup(url, path);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await assert.rejects(stat(`${path}.part`), { code: 'ENOENT' });
});

test('tables come after those they refer to; a circle is an error', () => {
  const table = (name: string, ...refersTo: string[]) => ({ table: name, columns: [], refersTo });
  const ordered = inLoadingOrder([table('c', 'b', 'a'), table('b', 'a'), table('a')]);
  assert.deepEqual(
    ordered.map(({ table: name }) => name),
    ['a', 'b', 'c'],
  );
  assert.throws(() => inLoadingOrder([table('a', 'b'), table('b', 'a')]), /circle/);
});
