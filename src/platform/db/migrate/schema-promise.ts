import type pg from 'pg';
import { Refused } from '../../contract/refused.ts';
import { version } from '../../settings/version.ts';
import type { Applied } from './migrations.ts';

/**
 * The promise of the schema (CONTRIBUTING.md) reaches back one release: a server of the previous version works on the new schema.
 * So the database says which versions work on it, and a program that is older than those, and knows nothing of what changed since,
 * refuses to touch it.
 */

/**
 * What this program's migrations promise to work with: the previous release (commit 5afebb62), which calls itself 0.1.0.
 * `test/platform/db/previous-schema.sql` is its schema.
 */
export const WORKS_WITH = '0.1.0';

const SETTING = 'schema';

/** What the newest program that migrated the database recorded. */
interface Promised {
  readonly by: string;
  readonly works_with: string;
}

/** Migrations that no file of ours has: a newer version applied them. */
export const unknownTo = (onDisk: readonly Applied[], applied: readonly Applied[]): string[] => {
  const known = new Set(onDisk.map(({ id }) => id));
  return applied.map(({ id }) => id).filter((id) => !known.has(id));
};

/** Throws if a newer version has changed the schema and this one is too old to work on it. */
export async function requirePromised(
  client: Pick<pg.Client, 'query'>,
  onDisk: readonly Applied[],
  applied: readonly Applied[],
): Promise<void> {
  if (unknownTo(onDisk, applied).length === 0) return;
  const promised = await readPromise(client);
  if (promised && isOlder(version, promised.works_with))
    throw new Refused(
      'newer_database',
      `this database belongs to Wayfare ${promised.by} and works with ${promised.works_with} or later; this is ${version}: use the newer program`,
    );
}

/** In the transaction of the last migration. A program older than the last one to migrate does not overwrite that one's entry. */
export async function notePromise(client: Pick<pg.Client, 'query'>): Promise<void> {
  const promised = await readPromise(client);
  if (promised && isOlder(version, promised.by)) return;
  await client.query(
    `insert into shared.settings (name, value) values ($1, jsonb_build_object('by', $2::text, 'works_with', $3::text))
    on conflict (name) do update set value = excluded.value`,
    [SETTING, version, WORKS_WITH],
  );
}

async function readPromise(client: Pick<pg.Client, 'query'>): Promise<Promised | undefined> {
  const { rows } = await client.query<{ value: Promised }>('select value from shared.settings where name = $1', [
    SETTING,
  ]);
  return rows[0]?.value;
}

/**
 * Whether a process of that version goes on working while this program migrates. Only releases do: one under development (0.3.0-dev)
 * does not say which of the schemas between two releases it was written for.
 */
export const worksBeside = (other: string): boolean =>
  /^\d+\.\d+\.\d+$/.test(other) && !isOlder(other, WORKS_WITH) && !isOlder(version, other);

/** By major, minor and patch. What is under development is older than its release. */
export function isOlder(one: string, other: string): boolean {
  const [a, b] = [one, other].map(numbersOf) as [number[], number[]];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at >= 0 && (a[at] as number) < (b[at] ?? 0);
}

function numbersOf(version: string): number[] {
  const [release = '', development] = version.split('-');
  return [...release.split('.').map(Number), development === undefined ? 1 : 0];
}
