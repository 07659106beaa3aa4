import { createProvisioning } from '../purchase/provision.ts';
import { openCheckout } from '../purchase/purchase.ts';
import { readScript } from './sandbox/script.ts';
import { scriptedSupplier } from './sandbox/scripted-supplier.ts';
import type { World, WorldParts } from './world.ts';

/** Deliveries of one account that may wait at a time: a script gone wild fills its own queue, nobody else's. */
const WAITING_DELIVERIES = 500;

/** Play money, fake eSIMs, the same rules. */
export function sandboxWorld(parts: WorldParts): World {
  const { db } = parts;
  // Whoever supplies the plan in live, here the order's own script does.
  const scripted = Promise.resolve(scriptedSupplier(parts.clock));
  const supplied = {
    schema: 'sandbox',
    db,
    suppliers: { of: () => scripted },
    webhooks: {
      eventIdPrefix: 'sbx_',
      bodyExtra: { livemode: false },
      waitingLimit: { most: WAITING_DELIVERIES, code: 'sandbox_queue_full' },
    },
  } as const;
  const provisioning = createProvisioning(supplied, parts);
  const ports = {
    ...supplied,
    livemode: false,
    provisioning,
    // A deferred order is delivered by the first read after its time, not before: no job does it.
    beforeRead: (partnerId: number) => provisioning.provisionDue(partnerId),
    readScript,
    codes: {
      orderRead: 'sandbox_order_read_failed',
      orderInsert: 'sandbox_order_insert_failed',
      webhookRead: 'sandbox_webhook_read_failed',
      balanceRead: 'sandbox_balance_read_failed',
      balanceWrite: 'sandbox_balance_write_failed',
    },
  } as const;
  return { ...ports, checkout: openCheckout(ports, parts) };
}
