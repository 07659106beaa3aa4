import { writeFile } from 'node:fs/promises';
import { tour } from './support/browser/tour.ts';
import { startTestPostgres } from './support/database/postgres.ts';
import { writeEventGuide } from './support/event-guide.ts';

/** `npm run examples`: takes the tour of the API and records what it answered, for the description and the guide to events. */
const postgres = await startTestPostgres();
process.env.WAYFARE_TEST_POSTGRES = postgres.url;
try {
  const file = new URL('../openapi/recorded.json', import.meta.url);
  const recorded = await tour();
  await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`);
  await writeEventGuide(recorded.events);
} finally {
  await postgres.stop();
}
