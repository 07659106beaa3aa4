import { createProvisioning } from '../purchase/provision.ts';
import type { Suppliers } from '../suppliers/registry.ts';
import type { World, WorldParts } from './world.ts';

/** Real orders, real money. */
export function liveWorld(parts: WorldParts & { suppliers: Suppliers }): World {
  const { db, suppliers } = parts;
  const ports = {
    schema: 'live',
    db,
    suppliers,
    webhooks: { eventIdPrefix: '', bodyExtra: {}, waitingLimit: undefined },
  } as const;
  return {
    ...ports,
    livemode: true,
    provisioning: createProvisioning(ports, parts),
    // A job brings live orders up to date.
    beforeRead: async () => {},
    codes: {
      orderRead: 'order_read_failed',
      orderInsert: 'sale_insert_failed',
      webhookRead: 'webhook_read_failed',
      balanceRead: undefined,
      balanceWrite: undefined,
    },
  };
}
