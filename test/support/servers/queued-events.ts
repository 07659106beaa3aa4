import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../eventually.ts';
import type { TestApp } from '../program/app.ts';
import { run } from '../program/operator.ts';

type World = 'live' | 'sandbox';

/** A paused subscription to these events: its deliveries stay in the log. */
export async function subscribePaused(t: TestApp, partnerId: number, mode: World, events: string): Promise<bigint> {
  const url = 'https://93.184.215.14/told';
  const made = await run(
    t.operator(),
    `webhook create --partner ${partnerId} --mode ${mode} --url ${url} --events ${events}`,
  );
  await run(t.operator(), `webhook pause ${made.subscription_id}`);
  return made.subscription_id;
}

/** The bodies a partner was sent, oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
export async function bodies(t: TestApp, partnerId: number, mode: World): Promise<any[]> {
  const rows = await t.base.worlds[mode].db.query<{ body: Buffer }>(sql`
    select body from webhook_deliveries where partner_id = ${partnerId} order by id`);
  return rows.map(({ body }) => JSON.parse(t.base.vault.open(body)));
}

export const eventIds = async (t: TestApp, partnerId: number, mode: World): Promise<string[]> =>
  (await bodies(t, partnerId, mode)).map(({ event_id }) => event_id);

/** Waits until this many events were queued for the partner, and returns the ids of all of them. */
export const queuedEventIds = (t: TestApp, partnerId: number, mode: World, count: number): Promise<string[]> =>
  eventually(`${count} events`, async () => {
    const ids = await eventIds(t, partnerId, mode);
    return ids.length >= count && ids;
  });
