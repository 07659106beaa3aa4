import pg from 'pg';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openBase } from '../../../src/worlds/base.ts';

/** The program's own parts on a bench's database, which is migrated. */
export const benchBase = (database: { url: string; folder: string }): ReturnType<typeof openBase> =>
  openBase({
    config: readConfig({ DATABASE_URL: database.url, WAYFARE_DATA: database.folder }),
    clock: systemClock,
    log: createLog('error'),
    as: 'migrator',
  });

/** A connection to fill the live world, without the program's statement timeout. The caller ends it. */
export async function liveLoader({ url }: { url: string }): Promise<pg.Client> {
  const loader = new pg.Client({ connectionString: url });
  await loader.connect();
  await loader.query('set search_path = live, shared');
  return loader;
}
