import type { Clock } from '../../clock.ts';
import { aheadOf } from '../../db/account-time.ts';
import type { Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { referenceOf } from '../../orders/reference.ts';
import {
  carryOutRefunding,
  nextMove,
  type ProvisionedWorld,
  type ProvisioningOptions,
} from '../../purchase/provision.ts';
import { play } from './scripted-supplier.ts';

/** Brings scripted orders to their end. Nobody is called, so it happens in one transaction. */
export interface Finisher {
  /** Of these orders, what is due; whoever reads one at the same moment waits and sees it finished. */
  beforeRead(partnerId: number, orderIds: readonly bigint[]): Promise<number>;
  /** Orders whose purchase was cut off between payment and delivery. Deferred ones wait for their reader. */
  abandoned(): Promise<number>;
}

interface Due {
  readonly id: bigint;
  readonly partnerId: number;
  readonly state: 'paid' | 'deferred';
  readonly paidAt: Date;
  readonly script: unknown;
  readonly aheadMs: number;
}

const MAX_AT_ONCE = 100;

export function finisher(
  world: ProvisionedWorld,
  parts: Pick<ProvisioningOptions, 'vault' | 'webhooks'> & { clock: Clock },
): Finisher {
  async function finish(which: Sql): Promise<number> {
    const now = parts.clock.now();
    const due = sql`${which} and provision_due_at <= ${new Date(now)}::timestamptz + ${aheadOf(sql`orders.partner_id`)}`;
    const any = await world.db.maybe(sql`select id from orders where ${due} limit 1`);
    return any ? world.db.tx((tx) => finishLocked(tx, due, now)) : 0;
  }

  async function finishLocked(tx: Tx, due: Sql, now: number): Promise<number> {
    const orders = await tx.query<Due>(sql`
      select id, partner_id as "partnerId", case delivery when 'deferred' then 'deferred' else 'paid' end as state,
        paid_at as "paidAt", script, extract(epoch from ${aheadOf(sql`orders.partner_id`)})::float8 * 1000 as "aheadMs"
      from orders where ${due} order by id limit ${MAX_AT_ONCE} for update`);
    const moves = orders.map((order) => {
      const accountNow = now + order.aheadMs;
      const answer = play({ ...order, reference: referenceOf(world, order.id) }, accountNow);
      return nextMove({ ...order, attempts: 0 }, answer, accountNow);
    });
    await carryOutRefunding(tx, world, parts, moves);
    return moves.length;
  }

  return {
    beforeRead: async (partnerId, orderIds) =>
      orderIds.length === 0 ? 0 : finish(sql`id = any(${orderIds}::bigint[]) and partner_id = ${partnerId}`),
    abandoned: () => finish(sql`delivery = ''`),
  };
}
