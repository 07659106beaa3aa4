import { createProvisioning } from '../purchase/provision.ts';
import { openCheckout } from '../purchase/purchase.ts';
import type { Suppliers } from '../suppliers/registry.ts';
import type { World, WorldParts } from './world.ts';

/** Real orders, real money. */
export function liveWorld(parts: WorldParts & { suppliers: Suppliers }): World {
  const { db, suppliers } = parts;
  const supplied = {
    schema: 'live',
    db,
    suppliers,
    webhooks: { eventIdPrefix: '', bodyExtra: {}, waitingLimit: undefined },
  } as const;
  const ports = {
    ...supplied,
    livemode: true,
    provisioning: createProvisioning(supplied, parts),
    // A job brings live orders up to date.
    beforeRead: async () => {},
    readScript: () => ({}),
    codes: {
      orderRead: 'order_read_failed',
      orderInsert: 'sale_insert_failed',
      webhookRead: 'webhook_read_failed',
      balanceRead: undefined,
      balanceWrite: undefined,
    },
  } as const;
  return { ...ports, checkout: openCheckout(ports, parts) };
}
