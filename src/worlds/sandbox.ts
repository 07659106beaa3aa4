import { sandboxCodes } from '../contract/codes.ts';
import { createProvisioning, type Provisioning } from '../purchase/provision.ts';
import { openCheckout } from '../purchase/purchase.ts';
import { emptyBooks } from './sandbox/empty-books.ts';
import { fakeCards } from './sandbox/fake-cards.ts';
import { finisher } from './sandbox/finish.ts';
import { MAX_BALANCE } from './sandbox/play-funds.ts';
import { readScript } from './sandbox/script.ts';
import { scriptedSupplier } from './sandbox/scripted-supplier.ts';
import { sandboxTools } from './sandbox/tools.ts';
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
  const { beforeRead, abandoned } = finisher(supplied, parts);
  const provisioning: Provisioning = {
    ...createProvisioning(supplied, parts),
    // A deferred order is delivered by its first reader after its time, not before: the job leaves it alone.
    provisionDue: abandoned,
    reportOverdue: async () => 0,
  };
  const ports = {
    ...supplied,
    livemode: false,
    provisioning,
    beforeRead,
    readScript,
    tools: sandboxTools(db),
    codes: sandboxCodes,
    cards: fakeCards,
    topupTerms: {
      keyPrefix: 'sbx_topup_',
      openStatus: 'requires_confirmation',
      clearing: 'play_money',
      maxBalance: MAX_BALANCE,
    },
  } as const;
  return { ...ports, checkout: openCheckout(ports, parts), books: emptyBooks(db) };
}
