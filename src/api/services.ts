import type { Catalog } from '../catalog/catalog.ts';
import type { Orders } from '../orders/orders.ts';
import type { Pricing } from '../pricing/pricing.ts';
import type { Topups } from '../topups/topups.ts';
import type { UsageDesk } from '../usage/usage.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { ReadyAnswers } from './ready.ts';

/** The domain services endpoints call, wired once in `app.ts`. */
export interface Services {
  readonly catalog: Catalog;
  readonly pricing: Pricing;
  readonly ready: ReadyAnswers;
  readonly webhooks: Webhooks;
  readonly orders: Orders;
  readonly usageDesk: UsageDesk;
  readonly topups: Topups;
}
