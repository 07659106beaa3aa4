import { openBase } from '../../../src/base.ts';
import { openCatalog } from '../../../src/catalog/catalog.ts';
import { systemClock } from '../../../src/clock.ts';
import { readConfig } from '../../../src/config.ts';
import { listen } from '../../../src/db/listen.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Job } from '../../../src/jobs/runner.ts';
import { createLog } from '../../../src/log.ts';
import { openRoutes } from '../../../src/routes/routes.ts';
import { claim, dueLanes } from '../../../src/webhooks/queue.ts';
import { startWork } from '../../../src/work.ts';
import type { Site } from './site.ts';

/** Every job of a process that works, to be run by hand. */
export async function openJobs({ env }: Site): Promise<{ readonly jobs: readonly Job[] } & AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  const log = createLog('silent');
  const base = undo.use(await openBase({ config: readConfig(env), clock: systemClock, log, as: 'guest' }));
  const listener = await listen(base.url, [], log);
  undo.defer(() => listener.close());
  const catalog = await openCatalog({ db: base.db, listener, log, imageBase: '' });
  undo.defer(() => catalog.close());
  const routes = undo.use(await openRoutes({ db: base.db, listener, catalog, clock: systemClock, log }));
  const { jobs } = startWork(base, listener, routes, undo);
  const owned = undo.move();
  return { jobs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

class Undone extends Error {}
const LANES = 64;
const DUE = 1_000;

/** Looks for lanes and claims 256 of a thousand due rows, and takes all of it back. */
export async function claimDeliveries({ live }: Site): Promise<void> {
  const work = live.tx(async (tx) => {
    await tx.run(sql`
      insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
      select id, subscription_id, now() - interval '1 min', 5 from webhook_deliveries
      where partner_id between 10 and 200 and status = 'sent' order by id desc limit ${DUE} on conflict do nothing`);
    const lanes = (await dueLanes(tx, Date.now())).slice(0, LANES);
    await claim(
      tx,
      lanes.map((subscriptionId) => ({ subscriptionId, room: 4 })),
      Date.now(),
    );
    throw new Undone();
  });
  await work.catch((error) => {
    if (!(error instanceof Undone)) throw error;
  });
}
