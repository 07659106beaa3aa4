import { openCatalog } from '../../src/domains/catalog/catalog.ts';
import { openPricing } from '../../src/domains/catalog/prices/prices.ts';
import { claim, dueLanes } from '../../src/domains/messages/webhooks/queue/queue.ts';
import { openRoutes } from '../../src/domains/supply/routes/routes.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { listenForNotifications } from '../../src/platform/db/notifications.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import type { Job } from '../../src/platform/jobs/runner.ts';
import { createLog } from '../../src/platform/log.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { startWork } from '../../src/work.ts';
import { openBase } from '../../src/worlds/base.ts';
import type { Measured } from './measure.ts';
import type { Site } from './site.ts';

/** Every job of a process that works, to be run by hand. */
export async function openJobs({ env }: Site): Promise<{ readonly jobs: readonly Job[] } & AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  const log = createLog('silent');
  const base = undo.use(await openBase({ config: readConfig(env), clock: systemClock, log, as: 'guest' }));
  const listener = await listenForNotifications(base.url, [], log);
  undo.defer(() => listener.close());
  const catalog = await openCatalog({ db: base.db, listener, log, imageBase: '' });
  undo.defer(() => catalog.close());
  const routes = undo.use(await openRoutes({ db: base.db, listener, catalog, clock: systemClock, log }));
  const pricing = openPricing({ db: base.db, listener, clock: systemClock, catalog });
  const { jobs } = startWork(base, listener, { catalog, pricing, routes }, undo);
  const owned = undo.move();
  return { jobs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

class Undone extends Error {}
const LANES = 64;
const DUE_OF_EACH = 6;

/** Looks for lanes and claims 256 of some thousand due rows, and takes all of it back. */
export async function claimOfDeliveries({ owner, live }: Site): Promise<Measured> {
  const due = await owner.query<{ id: bigint; subscriptionId: bigint }>(sql`
    select sent.id, subscription.id as "subscriptionId" from webhook_subscriptions subscription cross join lateral (
      select id from webhook_deliveries where subscription_id = subscription.id and status = 'sent' and event_type = 'order.created'
      order by id desc limit ${DUE_OF_EACH}
    ) as sent where partner_id between 10 and 200`);
  const claimed = (): Promise<never> =>
    live.tx(async (tx) => {
      await tx.run(sql`
        insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
        select id, subscription_id, now() - interval '1 min', 5
        from unnest(${due.map(({ id }) => id)}::bigint[], ${due.map((row) => row.subscriptionId)}::bigint[]) as due (id, subscription_id)`);
      const lanes = (await dueLanes(tx, Date.now())).slice(0, LANES);
      const rooms = lanes.map((subscriptionId) => ({ subscriptionId, room: 4 }));
      const { length } = await claim(tx, rooms, Date.now());
      if (length === 0) throw new Error('nothing was claimed');
      throw new Undone();
    });
  return {
    name: 'claim of deliveries',
    run: () =>
      claimed().catch((error) => {
        if (!(error instanceof Undone)) throw error;
      }),
  };
}
