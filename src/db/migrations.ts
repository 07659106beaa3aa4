import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** One migration file, for one of the schemas it runs in. */
export interface Migration {
  /** `live/0002_orders.sql` */
  readonly id: string;
  readonly schema: string;
  readonly text: string;
  readonly hash: string;
}

export type Applied = Pick<Migration, 'id' | 'hash'>;

export class EditedMigration extends Error {}

/** Each folder of migrations and the schemas it runs in, in this order. */
const TARGETS = [
  { folder: 'shared', schema: 'shared' },
  { folder: 'world', schema: 'live' },
  { folder: 'world', schema: 'sandbox' },
  { folder: 'simulated', schema: 'simulated' },
] as const;

/** Every schema of ours, in the order in which they depend on each other. */
export const SCHEMAS: readonly string[] = TARGETS.map(({ schema }) => schema);

export async function migrationsOnDisk(): Promise<Migration[]> {
  const found: Migration[] = [];
  for (const { folder, schema } of TARGETS) {
    const directory = fileURLToPath(new URL(`../../migrations/${folder}/`, import.meta.url));
    for (const file of (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()) {
      const text = await readFile(`${directory}/${file}`, 'utf8');
      const hash = createHash('sha256').update(text).digest('hex');
      found.push({ id: `${schema}/${file}`, schema, text, hash });
    }
  }
  return found;
}

/**
 * What is on disk and not in the database. What is in the database and not on disk was applied by a newer version, and this one
 * works beside it: schemas only grow (CONTRIBUTING.md).
 */
export function unapplied(onDisk: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const done = new Map(applied.map((row) => [row.id, row.hash]));
  for (const { id, hash } of onDisk) {
    if (done.has(id) && done.get(id) !== hash)
      throw new EditedMigration(`migration ${id} was edited after it was applied`);
  }
  return onDisk.filter(({ id }) => !done.has(id));
}
