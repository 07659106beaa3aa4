import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { demoImports } from './demo/demo.ts';
import type { RawImport } from './import-file.ts';

/** Everything a supplier lists, in the import's own format; undefined when it lists nothing. */
export type Feed = (supplier: { slug: string; title: string }) => Promise<RawImport | undefined>;

/** By the kind of the supplier. */
const feeds: Readonly<Record<string, Feed>> = {
  simulated: async ({ slug }) =>
    (await demoImports()).find(({ supplier }) => (supplier as { slug: string }).slug === slug),
};

/** The feed of a supplier, read now; undefined when there is no such supplier or it has none. */
export async function feedOf(db: Queryable, slug: string): Promise<RawImport | undefined> {
  const supplier = await db.maybe<{ slug: string; title: string; kind: string }>(
    sql`select slug, title, kind from suppliers where slug = ${slug}`,
  );
  return supplier && feeds[supplier.kind]?.(supplier);
}
