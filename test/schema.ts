import { writeFile } from 'node:fs/promises';
import { freshDatabase, startTestPostgres } from './support/database/postgres.ts';
import { dumpSchema } from './support/database/schema-dump.ts';

/** `npm run schema`: writes schema.sql, the schema that the migrations make. */
const postgres = await startTestPostgres();
process.env.WAYFARE_TEST_POSTGRES = postgres.url;
try {
  const { url } = await freshDatabase();
  await writeFile(new URL('../schema.sql', import.meta.url), await dumpSchema(url));
} finally {
  await postgres.stop();
}
