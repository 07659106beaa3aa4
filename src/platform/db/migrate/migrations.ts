import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Refused } from '../../contract/refused.ts';

/**
 * Two ways to one schema.
 *
 * A new database gets the baseline of each folder, `0136_baseline.sql`: the schema of the previous release in one file that can be
 * read. A database of the previous release has that schema already, from migrations whose files are gone; their names and hashes are
 * in `migrations/previous-release.json`. So the baseline is recorded there without being run, and a baseline that is run records those
 * names. All databases end with the same migrations recorded, and neither a server of the previous release, which looks for its own,
 * nor a backup has to know which way one went (`test/platform/db/baseline.test.ts`). Later files are for every database.
 *
 * A database older than the previous release lacks some of those migrations and is refused.
 */
const BASELINE = '0136_baseline.sql';

const PREVIOUS = 'the previous release (commit 5afebb62)';

/** One migration file, for one of the schemas it runs in. */
export interface Migration {
  /** `live/0002_orders.sql` */
  readonly id: string;
  readonly schema: string;
  /** Empty for a migration of the previous release. */
  readonly text: string;
  readonly hash: string;
}

export type Applied = Pick<Migration, 'id' | 'hash'>;

export class EditedMigration extends Error {}

const TARGETS = [
  { folder: 'shared', schema: 'shared' },
  { folder: 'world', schema: 'live' },
  { folder: 'world', schema: 'sandbox' },
  { folder: 'simulated', schema: 'simulated' },
] as const;

/** Every schema of ours, in the order in which they depend on each other. */
export const SCHEMAS: readonly string[] = TARGETS.map(({ schema }) => schema);

let named: readonly Applied[] | undefined;

/** The order within a folder: those of the previous release, the baseline, and later ones. */
export async function migrationsOnDisk(): Promise<readonly Migration[]> {
  const found = await readMigrations();
  named ??= found.map(({ id, hash }) => ({ id, hash }));
  return found;
}

/** The same without their texts, kept from the first reading on: the files do not change while the program runs. */
export const namesOnDisk = async (): Promise<readonly Applied[]> => named ?? (await migrationsOnDisk());

const pathOf = (name: string): string => fileURLToPath(new URL(`../../../../migrations/${name}`, import.meta.url));

async function readMigrations(): Promise<Migration[]> {
  const previous = JSON.parse(await readFile(pathOf('previous-release.json'), 'utf8'));
  const read = async ({ folder, schema }: (typeof TARGETS)[number]): Promise<Migration[]> => {
    const old = Object.entries<string>(previous[folder]).map(([file, hash]) => ({
      id: `${schema}/${file}`,
      schema,
      text: '',
      hash,
    }));
    const files = (await readdir(pathOf(folder))).filter((name) => name.endsWith('.sql')).sort();
    const later = files.map(async (file) => {
      const text = await readFile(pathOf(`${folder}/${file}`), 'utf8');
      return { id: `${schema}/${file}`, schema, text, hash: createHash('sha256').update(text).digest('hex') };
    });
    return [...old, ...(await Promise.all(later))];
  };
  return (await Promise.all(TARGETS.map(read))).flat();
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

export const isBaseline = ({ id }: Applied): boolean => id.endsWith(`/${BASELINE}`);

const schemaOf = ({ id }: Applied): string => id.slice(0, id.indexOf('/'));

/** Whether a database, or a backup of one, lacks a migration of the previous release: those before the baseline. */
export function isTooOld(onDisk: readonly Applied[], applied: readonly Applied[]): boolean {
  const begun = new Set(applied.map(schemaOf));
  const pending = unapplied(onDisk, applied);
  return SCHEMAS.some((schema) => {
    const own = onDisk.filter((one) => schemaOf(one) === schema);
    const previous = own.slice(0, Math.max(0, own.findIndex(isBaseline)));
    return begun.has(schema) && previous.some((one) => pending.includes(one));
  });
}

/** Throws if the database has to be upgraded to the previous release first. */
export function requireRecent(onDisk: readonly Applied[], applied: readonly Applied[]): void {
  if (isTooOld(onDisk, applied))
    throw new Refused(
      'older_database',
      `this database is older than ${PREVIOUS}: install that release, start it once on this database, then upgrade to this version`,
    );
}

/** What to run, so that nothing is left unapplied. Schemas are told apart: one without any migration gets the baseline. */
export function stepsFrom(applied: readonly Applied[], onDisk: readonly Migration[]): Migration[] {
  requireRecent(onDisk, applied);
  const pending = unapplied(onDisk, applied);
  return SCHEMAS.flatMap((schema) => {
    const own = pending.filter((migration) => migration.schema === schema);
    const baseline = own.find(isBaseline);
    if (!baseline) return own;
    const isBegun = applied.some((one) => schemaOf(one) === schema);
    if (isBegun) return own.map((migration) => (migration === baseline ? { ...baseline, text: '' } : migration));
    const at = own.indexOf(baseline);
    return [{ ...baseline, text: [baseline.text, ...own.slice(0, at).map(noted)].join('\n') }, ...own.slice(at + 1)];
  });
}

const noted = ({ id, hash }: Applied): string =>
  `insert into shared.migrations (id, hash) values (${pg.escapeLiteral(id)}, '${hash}');`;
