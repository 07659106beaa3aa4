import { SECOND } from '../clock.ts';
import { type Failure, fail } from '../contract/errors.ts';
import { type Batched, batcher } from '../db/batch.ts';
import { sqlState } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import { type Cents, centsToNumber } from '../money/money.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { type Charged, ChargeNotWritten, chargeAll } from './charge.ts';
import type { Balance, Wanted } from './decide.ts';
import type { CheckoutWorld } from './purchase.ts';

/** A twin of a request that is still being written waits this long for its outcome. */
export const TWIN_WAIT_MS = 5 * SECOND;
const MAX_BATCH = 64;
const LOCK_NOT_AVAILABLE = '55P03';

/** Whoever still finds the wallet held at the end of the wait is refused, and never comes back as `busy`. */
type Settled = Exclude<Charged, { outcome: 'busy' }>;

/** Charges purchases: decides which share a transaction, and who waits for whom. */
export function openLanes(
  world: Pick<CheckoutWorld, 'db' | 'codes' | 'webhooks' | 'provisioning'>,
  { webhooks, log }: { webhooks: Webhooks; log: Log },
): (wanted: Wanted) => Promise<Settled> {
  const parts = { world, webhooks, firstDueAt: world.provisioning.firstDueAt };
  /** Purchases that arrive together are one transaction; a wallet another process holds is left for its own lane. */
  const fast = batcher<Wanted, Charged>((batch) => world.db.tx((tx) => chargeAll(tx, parts, batch, { wait: false })), {
    max: MAX_BATCH,
  });
  const lanes = new Map<number, { take: Batched<Wanted, Charged>; users: number }>();

  async function tried(wanted: Wanted): Promise<Settled> {
    if (!lanes.has(wanted.partnerId)) {
      const charged = await fast(wanted);
      if (charged.outcome !== 'busy') return charged;
    }
    return inLane(wanted);
  }

  /** One transaction at a time for this wallet alone, waiting for whoever holds it: nobody else waits with it. */
  async function inLane(wanted: Wanted): Promise<Settled> {
    const lane = lanes.get(wanted.partnerId) ?? { take: batcher(waiting, { max: MAX_BATCH }), users: 0 };
    lanes.set(wanted.partnerId, lane);
    lane.users++;
    try {
      const charged = await lane.take(wanted);
      if (charged.outcome === 'busy') throw await chargeInProgress(wanted.partnerId);
      return charged;
    } catch (error) {
      if (sqlState(error) === LOCK_NOT_AVAILABLE) throw await chargeInProgress(wanted.partnerId);
      throw error;
    } finally {
      if (--lane.users === 0) lanes.delete(wanted.partnerId);
    }
  }

  const waiting = (batch: readonly Wanted[]) =>
    world.db.tx(async (tx) => {
      await tx.run(sql`select set_config('lock_timeout', ${String(TWIN_WAIT_MS)}, true)`);
      return chargeAll(tx, parts, batch, { wait: true });
    });

  async function chargeInProgress(partnerId: number): Promise<Failure> {
    const { billing_mode, outstanding } = await world.db.one<{
      billing_mode: Balance['billingMode'];
      outstanding: Cents;
    }>(sql`
      select billing_mode, outstanding from wallets where partner_id = ${partnerId}`);
    return fail('charge_in_progress', { order_id: null, billing_mode, outstanding: centsToNumber(outstanding) });
  }

  /** A charge the ledger would not take: on credit the order is recorded as failed, a wallet's leaves no trace. */
  return async (wanted) => {
    try {
      return await tried(wanted);
    } catch (error) {
      if (!(error instanceof ChargeNotWritten)) throw error;
      log.error({ err: error, partnerId: wanted.partnerId }, 'a charge could not be written');
      if (error.onCredit) return tried({ ...wanted, refuse: 'credit_charge_failed' });
      throw fail((world.codes.balanceWrite ?? world.codes.orderInsert) as 'sale_insert_failed');
    }
  };
}
