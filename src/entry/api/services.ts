import type { Actor } from '../../actions/actor.ts';
import type { Catalog } from '../../domains/catalog/catalog.ts';
import type { Pricing } from '../../domains/catalog/prices/prices.ts';
import type { Routes } from '../../domains/supply/routes/routes.ts';
import type { PreparedAnswers } from './prepared.ts';
import type { ReadyAnswers } from './ready.ts';

/** What both worlds share. Everything that works on a world's own rows is reached through the world. */
export interface Services {
  readonly catalog: Catalog;
  readonly pricing: Pricing;
  readonly routes: Routes;
  readonly ready: ReadyAnswers;
  readonly prepared: PreparedAnswers;
  /** A key as somebody who makes changes, with the rules and the audit entries of the panel. */
  readonly actorOf: (key: { readonly keyId: number; readonly partnerId: number }) => Actor;
  /** The caller's next request sees what has just changed about its account, without waiting for the notification. */
  readonly forgetKeys: () => void;
}
