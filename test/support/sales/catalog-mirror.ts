import assert from 'node:assert/strict';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Answer, TestApp } from '../program/app.ts';
import { eventually } from './catalog.ts';

/** A partner's copy of the catalog: the rows of an export, as text, by id. */
export interface Mirror {
  readonly version: string;
  readonly rows: ReadonlyMap<string, string>;
}

interface Row {
  readonly id: string;
}

const rowsOf = (products: readonly Row[]) => new Map(products.map((row) => [row.id, JSON.stringify(row)]));

export const exported = (t: TestApp, key: string): Promise<Answer> => t.get('/catalog/export', { key });

/** An export as the database has the catalog now: the process may be notified of a change a moment later. */
export async function mirror(t: TestApp, key: string): Promise<Mirror> {
  const { id, token } = await t.base.db.one<{ id: bigint; token: string }>(
    sql`select id, token from shared.catalog_states order by id desc limit 1`,
  );
  let found: Mirror | undefined;
  await eventually(async () => {
    const { status, body } = await exported(t, key);
    assert.equal(status, 200);
    assert.equal(body.count, body.products.length);
    assert.equal(body.version.split('-').slice(0, 2).join('-'), `${id}-${token}`);
    found = { version: body.version, rows: rowsOf(body.products) };
  });
  return found as Mirror;
}

/** An export with another version than `before`: for changes of prices, which make no new state. */
export async function mirrorAfter(t: TestApp, key: string, before: Mirror): Promise<Mirror> {
  await eventually(async () => assert.notEqual((await exported(t, key)).body.version, before.version));
  return mirror(t, key);
}

export const changesSince = async (t: TestApp, key: string, since: string) =>
  (await t.get(`/catalog/changes?since=${since}`, { key })).body;

/** `catalog/changes` names exactly the rows that differ between two exports, and the version of the later one. */
export async function assertExact(t: TestApp, key: string, before: Mirror, now: Mirror): Promise<void> {
  const { version, complete, changed, removed } = await changesSince(t, key, before.version);
  assert.deepEqual([version, complete], [now.version, true]);
  const differ = [...now.rows].filter(([id, row]) => before.rows.get(id) !== row);
  assert.deepEqual([...rowsOf(changed)], differ);
  assert.equal(changed.length, differ.length);
  const gone = [...before.rows.keys()].filter((id) => !now.rows.has(id));
  assert.deepEqual([...removed].sort(), gone.sort());
}

/** Codes of the plans that changed or are gone, in any order: what a test expects in words. */
export async function named(t: TestApp, ids: readonly (string | Row)[]): Promise<string[]> {
  const wanted = ids.map((one) => (typeof one === 'string' ? one : one.id));
  const rows = await t.base.db.query<{ code: string }>(
    sql`select supplier_plan as code from shared.plans where alias = any(${wanted}::text[]) order by 1`,
  );
  return rows.map(({ code }) => code);
}
