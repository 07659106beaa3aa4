import { writeFile } from 'node:fs/promises';
import { dumpSchema } from '../src/platform/db/migrate/schema-dump.ts';
import { freshDatabase, startTestPostgres } from './support/database/postgres.ts';

/** `npm run schema`: writes schema.sql, the schema that the migrations make. */
const postgres = await startTestPostgres();
process.env.WAYFARE_TEST_POSTGRES = postgres.url;
try {
  const { url } = await freshDatabase();
  await writeFile(new URL('../schema.sql', import.meta.url), await dumpSchema(url));
} finally {
  await postgres.stop();
}
