import type { Mode } from '../contract/mode.ts';
import { sql } from './query/sql.ts';
import type { Tx } from './query/transaction.ts';

/*
 * In which schemas a connection looks for tables. Tables of a world are found first, then those both worlds share; a statement names
 * neither. This is the only file that sets `search_path`.
 */

/** A schema with the shared tables behind it. */
export const searchPathOf = (schema: string): string => (schema === 'shared' ? schema : `${schema},shared`);

/** As a setting of a session (`session.ts`). */
export const searchPathSetting = (path: string): Readonly<Record<string, string>> => ({ search_path: path });

/** As text, for the connections of migrations. `local`: until the transaction ends. */
export const setSearchPath = (schema: string, until: 'local' | 'session'): string =>
  `set ${until} search_path = ${searchPathOf(schema)}`;

/** The owner's connection sees all schemas; this picks one for the rest of the transaction. */
export async function enterSchema(tx: Tx, schema: Mode | 'shared'): Promise<void> {
  await tx.run(sql`select set_config('search_path', ${searchPathOf(schema)}, true)`);
}
