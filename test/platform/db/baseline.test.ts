import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, suite, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { migrationsOnDisk, SCHEMAS } from '../../../src/platform/db/migrate/migrations.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { dumpSchema } from '../../support/database/schema-dump.ts';
import { wayfare } from '../../support/program/cli.ts';
import { makeLastRelease, makeSince, migrationsOfLastRelease } from '../../support/program/last-release.ts';

/** The baseline of each folder makes the schema of the previous release (src/platform/db/migrate/migrations.ts). */

const undo = new AsyncDisposableStack();
after(() => undo.disposeAsync());

async function empty(): Promise<{ url: string; query: pg.Client['query'] }> {
  const { url, drop } = await freshDatabase('template template0');
  undo.defer(drop);
  const client = new pg.Client(url);
  await client.connect();
  undo.defer(() => client.end());
  return { url, query: client.query.bind(client) as pg.Client['query'] };
}

/** Rows that migrations write, without times and tokens, and where each sequence stands. */
async function contentOf({ query }: Awaited<ReturnType<typeof empty>>): Promise<unknown> {
  const { rows: found } = await query<{ name: string; kind: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, c.relkind as kind
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind in ('r', 'p', 'S') and not c.relispartition order by 1`,
    [SCHEMAS],
  );
  const content: Record<string, unknown> = {};
  for (const { name, kind } of found) {
    const what = kind === 'S' ? 'last_value, is_called' : "to_jsonb(it) - 'at' - 'token' as row";
    content[name] = (await query(`select ${what} from ${name} as it order by 1`)).rows;
  }
  return content;
}

suite('a new database and one of the previous release', () => {
  test('end with the same schema, rights included, the same rows and the same migrations recorded', async () => {
    const [fresh, upgraded] = [await empty(), await empty()];
    await makeLastRelease(upgraded.url);
    const before = new Set((await migrationsOfLastRelease()).map(({ id }) => id));
    const later = (await migrationsOnDisk()).map(({ id }) => id).filter((id) => !before.has(id));
    await migrate(fresh.url);
    assert.deepEqual(new Set(await migrate(upgraded.url)), new Set(later));
    assert.equal(await dumpSchema(upgraded.url), await dumpSchema(fresh.url));
    assert.deepEqual(await contentOf(upgraded), await contentOf(fresh));
    assert.equal(
      await dumpSchema(fresh.url),
      await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8'),
      'run `npm run schema` and commit the result',
    );
    for (const { url } of [fresh, upgraded]) assert.deepEqual(await migrate(url), []);
  });

  test('end alike, too, where a version between the two has migrated and recorded no baseline', async () => {
    const [fresh, between] = [await empty(), await empty()];
    await makeSince(between.url, 147);
    for (const { url } of [fresh, between]) await migrate(url);
    assert.equal(await dumpSchema(between.url), await dumpSchema(fresh.url));
    assert.deepEqual(await contentOf(between), await contentOf(fresh));
  });

  test('have recorded what a server of the previous release looks for', async () => {
    const fresh = await empty();
    await migrate(fresh.url);
    const { rows } = await fresh.query<{ id: string; hash: string }>('select id, hash from shared.migrations');
    const recorded = new Map(rows.map(({ id, hash }) => [id, hash]));
    const previous = await migrationsOfLastRelease();
    assert.ok(previous.length > 150);
    assert.deepEqual(
      previous.filter(({ id, hash }) => recorded.get(id) !== hash),
      [],
    );
  });

  test('begin in each folder with the baseline; later migrations have higher numbers', async () => {
    for (const folder of ['shared', 'world', 'simulated']) {
      const files = await readdir(new URL(`../../../migrations/${folder}`, import.meta.url));
      assert.equal(files.sort()[0], '0136_baseline.sql', folder);
    }
  });
});

test('a database older than the previous release is refused with one line that says what to install, and stays as it is', async () => {
  const old = await empty();
  await makeLastRelease(old.url);
  // The last one that the previous release applies, and one in the middle.
  for (const id of ['sandbox/0128_supplier_calls_by_month.sql', 'shared/0042_action_keys.sql']) {
    await old.query('delete from shared.migrations where id = $1', [id]);
    const before = await contentOf(old);
    const message =
      'this database is older than the previous release (commit 5afebb62): install that release, start it once on this database, then upgrade to this version';
    await assert.rejects(migrate(old.url), { code: 'older_database', message });
    const env = { DATABASE_URL: old.url, WAYFARE_SECRET: 'x'.repeat(32) };
    for (const words of [['start'], ['migrate'], ['partner', 'list']]) {
      const { code, stderr, stdout } = await wayfare(env, ...words);
      assert.deepEqual([code, stdout, stderr], [1, '', `wayfare: ${message}\n`]);
    }
    assert.deepEqual(await contentOf(old), before);
    await old.query(
      'insert into shared.migrations select id, hash from jsonb_to_recordset($1) as applied (id text, hash text)',
      [JSON.stringify((await migrationsOfLastRelease()).filter((one) => one.id === id))],
    );
  }
});
