import { writeFile } from 'node:fs/promises';
import { startTestPostgres } from './support/postgres.ts';
import { tour } from './support/tour.ts';

/** `npm run examples`: takes the tour of the API and writes down what it answered, for the description. */
const postgres = await startTestPostgres();
process.env.WAYFARE_TEST_POSTGRES = postgres.url;
try {
  const file = new URL('../openapi/recorded.json', import.meta.url);
  await writeFile(file, `${JSON.stringify(await tour(), null, 2)}\n`);
} finally {
  await postgres.stop();
}
