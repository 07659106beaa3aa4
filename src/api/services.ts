import type { Catalog } from '../catalog/catalog.ts';
import type { Pricing } from '../pricing/pricing.ts';
import type { Routes } from '../routes/routes.ts';
import type { PreparedAnswers } from './prepared.ts';
import type { ReadyAnswers } from './ready.ts';

/** What both worlds share. Everything that works on a world's own rows is reached through the world. */
export interface Services {
  readonly catalog: Catalog;
  readonly pricing: Pricing;
  readonly routes: Routes;
  readonly ready: ReadyAnswers;
  readonly prepared: PreparedAnswers;
}
