import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/**
 * Two ways to one schema.
 *
 * A new database gets the baseline of each folder, `0100_baseline.sql`: the whole schema in one file that can be read. Before there
 * was a baseline, the schema grew by the files in `before/`, the chain. A database that has begun the chain (one of 0.1.0, say) goes
 * on with it; the baseline makes the same schema (`test/platform/db/baseline.test.ts`), so it is then noted without being run. The other way
 * round, a baseline that is run notes the chain. So all databases end with the same migrations noted, and neither a server of 0.1.0,
 * which looks for its own, nor a backup has to know which way one went. Files from 0101 on are for every database.
 */
const BASELINE = '0100_baseline.sql';

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

let named: readonly Applied[] | undefined;

/** The order within a folder: the chain, the baseline, and what came since. */
export async function migrationsOnDisk(): Promise<readonly Migration[]> {
  const found = await readMigrations();
  named ??= found.map(({ id, hash }) => ({ id, hash }));
  return found;
}

/** The same without their texts, kept from the first reading on: the files do not change while the program runs. */
export const namesOnDisk = async (): Promise<readonly Applied[]> => named ?? (await migrationsOnDisk());

async function readMigrations(): Promise<Migration[]> {
  const read = async ({ folder, schema }: (typeof TARGETS)[number], part: string): Promise<Migration[]> => {
    const directory = fileURLToPath(new URL(`../../../../migrations/${folder}/${part}`, import.meta.url));
    const files = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
    return Promise.all(
      files.map(async (file) => {
        const text = await readFile(`${directory}${file}`, 'utf8');
        return { id: `${schema}/${file}`, schema, text, hash: createHash('sha256').update(text).digest('hex') };
      }),
    );
  };
  const found = await Promise.all(TARGETS.flatMap((target) => [read(target, 'before/'), read(target, '')]));
  return found.flat();
}

/**
 * What is on disk and not in the database. What is in the database and not on disk was applied by a newer version, and this one
 * works beside it: schemas only grow (CONTRIBUTING.md).
 */
export function unapplied<One extends Applied>(onDisk: readonly One[], applied: readonly Applied[]): One[] {
  const done = new Map(applied.map((row) => [row.id, row.hash]));
  for (const { id, hash } of onDisk) {
    if (done.has(id) && done.get(id) !== hash)
      throw new EditedMigration(`migration ${id} was edited after it was applied`);
  }
  return onDisk.filter(({ id }) => !done.has(id));
}

/** What to run, so that nothing is left unapplied. Schemas are told apart: one that is begun goes on with the chain. */
export function stepsFrom(applied: readonly Applied[], onDisk: readonly Migration[]): Migration[] {
  const pending = unapplied(onDisk, applied);
  const isBaseline = ({ id }: Applied) => id.endsWith(`/${BASELINE}`);
  return SCHEMAS.flatMap((schema) => {
    const own = pending.filter((migration) => migration.schema === schema);
    const baseline = own.find(isBaseline);
    if (!baseline) return own;
    const isBegun = applied.some(({ id }) => id.startsWith(`${schema}/`));
    if (isBegun) return own.map((migration) => (migration === baseline ? { ...baseline, text: '' } : migration));
    const at = own.indexOf(baseline);
    return [{ ...baseline, text: [baseline.text, ...own.slice(0, at).map(noted)].join('\n') }, ...own.slice(at + 1)];
  });
}

const noted = ({ id, hash }: Applied): string =>
  `insert into shared.migrations (id, hash) values (${pg.escapeLiteral(id)}, '${hash}');`;
