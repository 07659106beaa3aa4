import type { Books, LedgerLook, Periods } from '../books/books.ts';
import type { WorldCodes } from '../contract/codes.ts';
import type { Mode } from '../contract/mode.ts';
import type { Matter } from '../db/matters.ts';
import type { Readers } from '../db/replicas.ts';
import type { Esims } from '../esims/esims.ts';
import type { Insight } from '../insight/insight.ts';
import type { Mail } from '../mail/mail.ts';
import type { Orders } from '../order-lists/order-lists.ts';
import type { Checkout, Provisioning, ProvisioningOptions, Wanted } from '../purchase/purchase.ts';
import type { Refunds } from '../refunds/refunds.ts';
import type { RequestLog } from '../request-log/request-log.ts';
import type { ShareBook, SharesLook } from '../revenue-share/revenue-share.ts';
import type { SupplierLog } from '../supplier-log/supplier-log.ts';
import type { Suppliers } from '../suppliers/suppliers.ts';
import type { Topups } from '../topups/topups.ts';
import type { TravellerLinks } from '../traveller-links/traveller-links.ts';
import type { UsageDesk } from '../usage/usage.ts';
import type { Outgoing, Webhooks } from '../webhooks/webhooks.ts';
import type { Attention } from './matters.ts';
import type { NewsKind } from './news.ts';
import type { Script } from './sandbox/script.ts';
import type { SandboxTools } from './sandbox/tools.ts';

export type { Script } from './sandbox/script.ts';

/**
 * One of the two worlds a key can open: the same code and the same SQL, on its own schema and under its own role. Every domain
 * that works on a world's rows is reached through its world (`world.orders.find(…)`), so above the worlds no caller chooses a
 * database. The key picks the world once, at the edge; nothing below asks again.
 */
export interface World extends Readers {
  /** Printed (or left out) in answers, never branched on. */
  readonly livemode: boolean;
  readonly schema: Mode;
  /** Error codes that the contract names differently in this world. */
  readonly codes: WorldCodes;
  readonly checkout: Checkout;
  readonly provisioning: Provisioning;
  readonly orders: Orders;
  readonly esims: Esims;
  readonly refunds: Refunds;
  readonly usage: UsageDesk;
  /** Pages for travellers. */
  readonly travellerLinks: TravellerLinks;
  /** What a partner reads of its money. */
  readonly books: Books & Periods & ShareBook;
  /** What operators read of all shares. */
  readonly shares: SharesLook;
  /** What operators read of the ledger. */
  readonly ledger: LedgerLook;
  readonly topups: Topups;
  /** Sums over orders and requests. */
  readonly insight: Insight;
  readonly webhooks: Webhooks;
  readonly suppliers: Suppliers;
  readonly requestLog: RequestLog;
  readonly supplierLog: SupplierLog;
  /** What needs a person now. */
  attention(now: number): Promise<Attention[]>;
  /** What happened since a time. */
  news(since: Date): Promise<Matter<NewsKind>[]>;
  /** What a purchase's script changes about it. Only a sandbox plays scripts. */
  script?(script: Script): Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'>;
  /** What only a sandbox can do. */
  readonly tools?: SandboxTools;
  /** Accounts can open a built-in inbox for their events. Only the sandbox has them. */
  readonly hasInbox?: boolean;
}

/** What both worlds are built from. */
export interface WorldParts extends ProvisioningOptions, Readers {
  readonly prober: Outgoing['prober'];
  readonly panelUrl: URL;
  readonly mail: Mail;
}
