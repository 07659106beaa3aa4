import { readFile, writeFile } from 'node:fs/promises';
import { personalTable, textColumns, withTable } from './support/database/personal-columns.ts';
import { freshDatabase, startTestPostgres } from './support/database/postgres.ts';
import { dumpSchema } from './support/database/schema-dump.ts';

/** `npm run schema`: writes schema.sql, the schema that the migrations make. */
const postgres = await startTestPostgres();
process.env.WAYFARE_TEST_POSTGRES = postgres.url;
try {
  const { url } = await freshDatabase();
  await writeFile(new URL('../schema.sql', import.meta.url), await dumpSchema(url));
  const page = new URL('../docs/privacy.md', import.meta.url);
  await writeFile(page, withTable(await readFile(page, 'utf8'), personalTable(await textColumns(url))));
} finally {
  await postgres.stop();
}
