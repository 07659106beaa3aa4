import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf } from '../../../../src/platform/db/query/columns.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';

const columns = columnsOf<{ id: number; tags: string[] }>()({
  id: ['int', ({ id }) => id],
  tags: ['text', ({ tags }) => tags.join(), `string_to_array(tags, ',')`],
});

test('every list of a statement derives from one description of the columns', () => {
  const upsert = columns.statement(sql`
    insert into t (${columns.names}) select ${columns.stored} from ${columns.unnested} where ${true}
    on conflict (id) do update set ${columns.assigned(['id'])} where (${columns.of('t')}) <> (${columns.of('excluded')})`);
  const { text, values } = upsert([
    { id: 1, tags: ['a', 'b'] },
    { id: 2, tags: [] },
  ]).prepare();
  assert.equal(
    text.replace(/\s+/g, ' ').trim(),
    "insert into t (id, tags) select id, string_to_array(tags, ',') from unnest($1::int[], $2::text[]) as line (id, tags) " +
      'where $3 on conflict (id) do update set tags = excluded.tags where (t.id, t.tags) <> (excluded.id, excluded.tags)',
  );
  assert.deepEqual(values, ['{1,2}', '{"a,b",""}', 'true']);
});

test('a statement is put together once: every call prepares the same text under the same name', () => {
  const insert = columns.statement(
    sql`insert into t (${columns.names}) select ${columns.stored} from ${columns.unnested}`,
  );
  const [one, two] = [insert([]), insert([{ id: 1, tags: [] }])];
  assert.equal(one.strings, two.strings);
  assert.equal(one.prepare().name, two.prepare().name);
});

test('statements of the same literals with fragments in other places are other statements', () => {
  const [value, fragment] = [1, sql`now()`];
  const made = (one: unknown, other: unknown) => sql`select ${one}, ${other}`.prepare();
  const [valueFirst, valueLast] = [made(value, fragment), made(fragment, value)];
  assert.deepEqual([valueFirst.text, valueLast.text], ['select $1, now()', 'select now(), $1']);
  assert.notEqual(valueFirst.name, valueLast.name);
  assert.equal(made(2, sql`now()`).name, made(3, sql`now()`).name);
});
