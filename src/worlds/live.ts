import type { Db } from '../db/database.ts';
import type { World } from './world.ts';

/** Real orders, real money. */
export function liveWorld(db: Db): World {
  return {
    livemode: true,
    schema: 'live',
    db,
    codes: {
      orderRead: 'order_read_failed',
      orderInsert: 'sale_insert_failed',
      webhookRead: 'webhook_read_failed',
      balanceRead: undefined,
      balanceWrite: undefined,
    },
    webhooks: { eventIdPrefix: '', bodyExtra: {}, waitingLimit: undefined },
  };
}
