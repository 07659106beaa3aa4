import { sql } from '../../../src/platform/db/query/sql.ts';
import type { World } from '../../../src/worlds/world.ts';
import { record, type TestApp } from '../program/app.ts';
import { paidOrder, type TestPlan } from './paid-order.ts';

interface SharedOrder {
  readonly id: bigint;
  /** The path of the traveller's page. */
  readonly path: string;
  readonly token: string;
}

/** A delivered order, and its page. */
export async function sharedOrder(
  t: TestApp,
  { partnerId, plan, world = t.base.worlds.live }: { partnerId: number; plan: TestPlan; world?: World },
): Promise<SharedOrder> {
  const order = await paidOrder(t, { partnerId, plan, world });
  await world.provisioning.provision(order);
  return { id: order.id, ...(await pageOf(world, order.id)) };
}

/** Recorded as secrets, so that the end of the run proves that none of them was ever logged. */
export async function pageOf(world: World, id: bigint): Promise<{ path: string; token: string }> {
  const url = await world.travellerLinks.urlOf({ id });
  if (url === undefined) throw new Error(`order ${id} has no page`);
  const path = new URL(url).pathname;
  const token = path.slice('/e/'.length);
  record('secrets', `${token}\n`);
  return { path, token };
}

interface AskedHelp {
  readonly shows?: string;
  readonly email?: string;
  readonly message?: string;
  readonly lang?: string;
}

/** Asks for help on an order's page, as a traveller does; returns the number of the request. */
export async function askForHelp(
  t: TestApp,
  world: World,
  orderId: bigint,
  { shows = 'no_internet', email = '', message = '', lang = 'en' }: AskedHelp = {},
): Promise<bigint> {
  const address = `${(await pageOf(world, orderId)).path}/help/ask?lang=${lang}&shows=${shows}`;
  const host = { authority: t.base.config.panelUrl.host };
  const page = await t.ask(address, { host });
  const form = /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const { status } = await t.ask(address, {
    host,
    method: 'POST',
    body: new URLSearchParams({ form, email, message }).toString(),
    headers: { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (status !== 303) throw new Error(`asking for help was answered with ${status}`);
  const { id } = await world.db.one<{ id: bigint }>(
    sql`select id from help_requests where order_id = ${orderId} order by id desc limit 1`,
  );
  return id;
}

/** What a usage reading says, as if the supplier had just been asked. */
export function setReading(
  t: TestApp,
  world: World,
  orderId: bigint,
  reading: { state: string; totalMb: number; usedMb: number; expiresAt: Date },
): Promise<number> {
  const now = new Date(t.clock.now());
  return world.db.run(sql`
    insert into usage_readings (iccid, state, total_mb, used_mb, activated_at, expires_at, fetched_at, fresh_until)
    select iccid, ${reading.state}, ${reading.totalMb}, ${reading.usedMb}, ${now}, ${reading.expiresAt}, ${now}, 'infinity'
    from orders where id = ${orderId}
    on conflict (iccid) do update set state = excluded.state, total_mb = excluded.total_mb, used_mb = excluded.used_mb,
      expires_at = excluded.expires_at, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until`);
}
