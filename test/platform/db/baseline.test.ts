import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, suite, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { type Migration, migrationsOnDisk, SCHEMAS } from '../../../src/platform/db/migrate/migrations.ts';
import { dumpSchema } from '../../../src/platform/db/migrate/schema-dump.ts';
import { freshDatabase } from '../../support/database/postgres.ts';

/** The baseline of each folder makes what the chain in `before/` makes (src/platform/db/migrate/migrations.ts). */

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

const isChain = ({ id }: Migration): boolean => Number.parseInt(id.split('/')[1] ?? '', 10) < 100;

/** Rows that migrations write, without times and tokens, and where each sequence stands. */
async function contentOf({ query }: Awaited<ReturnType<typeof empty>>): Promise<unknown> {
  const { rows: found } = await query<{ name: string; kind: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, c.relkind as kind
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind in ('r', 'S') order by 1`,
    [SCHEMAS],
  );
  const content: Record<string, unknown> = {};
  for (const { name, kind } of found) {
    const what = kind === 'S' ? 'last_value, is_called' : "to_jsonb(it) - 'at' - 'token' as row";
    content[name] = (await query(`select ${what} from ${name} as it order by 1`)).rows;
  }
  return content;
}

suite('the baseline and the chain before it', () => {
  test('make the same schema, rights included, with the same rows and the same migrations noted', async () => {
    const [fresh, chained] = [await empty(), await empty()];
    const all = await migrationsOnDisk();
    const later = all.filter((one) => !isChain(one)).map(({ id }) => id);
    assert.deepEqual(new Set(await migrate(fresh.url)), new Set(later));
    const chain = all.filter(isChain);
    assert.equal((await migrate(chained.url, undefined, { onDisk: Promise.resolve(chain) })).length, chain.length);
    assert.deepEqual(new Set(await migrate(chained.url)), new Set(later));
    assert.equal(await dumpSchema(chained.url), await dumpSchema(fresh.url));
    assert.deepEqual(await contentOf(chained), await contentOf(fresh));
    for (const { url } of [fresh, chained]) assert.deepEqual(await migrate(url), []);
  });

  for (const part of [0.2, 0.5, 0.8])
    test(`a database that ran the first ${part * 100} % of the chain goes on with it`, async () => {
      const half = await empty();
      const all = await migrationsOnDisk();
      const chain = all.filter(isChain);
      const begun = SCHEMAS.flatMap((schema) => {
        const own = chain.filter((one) => one.schema === schema);
        return own.slice(0, Math.ceil(own.length * part));
      });
      await migrate(half.url, undefined, { onDisk: Promise.resolve(begun) });
      const rest = new Set(await migrate(half.url));
      assert.deepEqual(
        all.map(({ id }) => id).filter((id) => rest.has(id)),
        all.filter((one) => !begun.includes(one)).map(({ id }) => id),
      );
      assert.equal(await dumpSchema(half.url), await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8'));
    });

  test('are in their places: the chain in before/, then the baseline, then numbers from 0101 on', async () => {
    for (const folder of ['shared', 'world', 'simulated']) {
      const files = async (name: string) =>
        (await readdir(new URL(`../../../migrations/${name}`, import.meta.url)))
          .filter((file) => file.endsWith('.sql'))
          .sort();
      assert.equal((await files(folder))[0], '0100_baseline.sql', `${folder}: the next number is above the baseline's`);
      assert.ok((await files(`${folder}/before`)).every((file) => file < '0100'));
    }
  });
});
