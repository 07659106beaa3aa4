import type { WorldCodes } from '../contract/codes.ts';
import type { RawValue } from '../contract/fields.ts';
import type { Db } from '../db/database.ts';
import type { Books } from '../money/books.ts';
import type { Provisioning, ProvisioningOptions } from '../purchase/provision.ts';
import type { Checkout, Wanted } from '../purchase/purchase.ts';
import type { ShareBook } from '../revenue-share/revenue-share.ts';
import type { Suppliers } from '../suppliers/registry.ts';
import type { CardPayments } from '../topups/cards.ts';
import type { TopupTerms } from '../topups/topups.ts';
import type { WebhookPort } from '../webhooks/webhooks.ts';
import type { SandboxTools } from './sandbox/tools.ts';

/**
 * One of the two worlds a key can open. Same code, same SQL; what differs is the schema and role behind `db`, a few ports
 * and a few error codes. The key picks the world once, at the edge; nothing below asks again.
 */
export interface World {
  /** Printed (or left out) in answers, never branched on. */
  readonly livemode: boolean;
  readonly schema: 'live' | 'sandbox';
  readonly db: Db;
  readonly codes: WorldCodes;
  readonly webhooks: WebhookPort;
  readonly suppliers: Suppliers;
  readonly provisioning: Provisioning;
  readonly checkout: Checkout;
  /** What a partner reads of its money. */
  readonly books: Books & ShareBook;
  /** Who takes card payments; undefined: top-ups by card are off. */
  readonly cards: CardPayments | undefined;
  readonly topupTerms: TopupTerms;
  /** What a purchase's own script fields ask for; live has none and ignores them. */
  readScript(scenario: RawValue, usage: RawValue): Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'>;
  /** Brings orders of a partner up to date before they are shown; how many changed. */
  beforeRead(partnerId: number, orderIds: readonly bigint[]): Promise<number>;
  /** What only a sandbox can do. Live has none, so nothing leads there. */
  readonly tools?: SandboxTools;
}

/** What both worlds are built from. */
export interface WorldParts extends ProvisioningOptions {
  readonly db: Db;
}
