import type { Db } from '../db/database.ts';
import type { World } from './world.ts';

/** Deliveries of one account that may wait at a time: a script gone wild fills its own queue, nobody else's. */
const WAITING_DELIVERIES = 500;

/** Play money, fake eSIMs, the same rules. */
export function sandboxWorld(db: Db): World {
  return {
    livemode: false,
    schema: 'sandbox',
    db,
    codes: {
      orderRead: 'sandbox_order_read_failed',
      orderInsert: 'sandbox_order_insert_failed',
      webhookRead: 'sandbox_webhook_read_failed',
      balanceRead: 'sandbox_balance_read_failed',
      balanceWrite: 'sandbox_balance_write_failed',
    },
    webhooks: {
      eventIdPrefix: 'sbx_',
      bodyExtra: { livemode: false },
      waitingLimit: { most: WAITING_DELIVERIES, code: 'sandbox_queue_full' },
    },
  };
}
