import { sql } from '../../../src/platform/db/query/sql.ts';
import type { World } from '../../../src/worlds/world.ts';
import { record, type TestApp } from '../program/app.ts';
import { paidOrder, type TestPlan } from './paid-order.ts';

export interface SharedOrder {
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
