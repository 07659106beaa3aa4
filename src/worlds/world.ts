import type { Invoices } from '../domains/billing/invoices/invoices.ts';
import type { ShareBook, ShareReads } from '../domains/billing/revenue-share/revenue-share.ts';
import type { Topups } from '../domains/billing/topups/topups.ts';
import type { Insight } from '../domains/insight/figures/figures.ts';
import type { RequestLog } from '../domains/insight/request-log/request-log.ts';
import type { AiraloNotices } from '../domains/messages/airalo/airalo.ts';
import type { Mail } from '../domains/messages/mail/mail.ts';
import type { Outgoing, Webhooks } from '../domains/messages/webhooks/webhooks.ts';
import type { Books, LedgerReads, Periods } from '../domains/money/books/books.ts';
import type { Autorefills } from '../domains/sales/autorefill/autorefill.ts';
import type { Esims } from '../domains/sales/esims/esims.ts';
import type { Orders } from '../domains/sales/order-lists/order-lists.ts';
import type { Checkout, Provisioning, ProvisioningOptions, Wanted } from '../domains/sales/purchase/purchase.ts';
import type { Refunds } from '../domains/sales/refunds/refunds.ts';
import type { Replacements } from '../domains/sales/replacements/replacements.ts';
import type { Suspensions } from '../domains/sales/suspension/suspension.ts';
import type { UsageDesk } from '../domains/sales/usage/usage.ts';
import type { SupplierLog } from '../domains/supply/calls/calls.ts';
import type { Suppliers } from '../domains/supply/supply.ts';
import type { HelpDesk, TravellerLinks } from '../domains/travellers/travellers.ts';
import type { WorldCodes } from '../platform/contract/codes.ts';
import type { Mode } from '../platform/contract/mode.ts';
import type { Alert } from '../platform/db/alerts.ts';
import type { Readers } from '../platform/db/replicas.ts';
import type { InvoiceSettings } from '../platform/settings/invoices.ts';
import type { SiteSettings } from '../platform/settings/site.ts';
import type { Attention, NewsKind } from './alerts.ts';
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
  readonly suspensions: Suspensions;
  readonly refunds: Refunds;
  /** eSIMs that refill themselves. */
  readonly autorefills: Autorefills;
  /** New eSIMs in place of others, free of charge. */
  readonly replacements: Replacements;
  readonly usage: UsageDesk;
  readonly travellerLinks: TravellerLinks;
  /** What travellers do when it does not work. */
  readonly help: HelpDesk;
  /** What a partner reads of its money. */
  readonly books: Books & Periods & ShareBook;
  /** What operators read of all shares. */
  readonly shares: ShareReads;
  /** What operators read of the ledger. */
  readonly ledger: LedgerReads;
  readonly topups: Topups;
  readonly invoices: Invoices;
  readonly insight: Insight;
  readonly webhooks: Webhooks;
  /** Webhooks in the form of Airalo's. */
  readonly airaloNotices: AiraloNotices;
  readonly suppliers: Suppliers;
  readonly requestLog: RequestLog;
  readonly supplierLog: SupplierLog;
  /** What needs a person now. */
  attention(now: number): Promise<Attention[]>;
  /** What happened since a time. */
  news(since: Date): Promise<Alert<NewsKind>[]>;
  /** What a purchase's script changes about it. Only a sandbox plays scripts. */
  script?(script: Script): Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'>;
  /** What only a sandbox can do. */
  readonly tools?: SandboxTools;
  /** Accounts can open a built-in inbox for their events. Only the sandbox has them. */
  readonly hasInbox?: boolean;
}

export interface WorldParts extends ProvisioningOptions, Readers {
  readonly prober: Outgoing['prober'];
  readonly panelUrl: URL;
  readonly mail: Mail;
  readonly invoicing: InvoiceSettings;
  readonly look: Pick<SiteSettings, 'name' | 'color' | 'logo'>;
}

export type OrderTrail = NonNullable<Awaited<ReturnType<typeof readOrderTrail>>>;

type TrailWorld = Pick<
  World,
  'orders' | 'refunds' | 'ledger' | 'webhooks' | 'usage' | 'replacements' | 'autorefills' | 'airaloNotices'
>;

/** What is on record about an order: at the supplier, in the books and towards its partner. Undefined: there is no such order. */
export async function readOrderTrail(
  { orders, refunds, ledger, webhooks, usage, replacements, autorefills, airaloNotices }: TrailWorld,
  id: bigint,
) {
  const order = await orders.all.read(id);
  if (!order) return undefined;
  const [refund, money, deliveries, attempts, refills, phone, replacement, former, autorefill, airalo] =
    await Promise.all([
      refunds.read(id),
      ledger.linesOfOrder(id),
      webhooks.all.deliveriesOfOrder(id),
      webhooks.attemptsOfOrder(order.partnerId, id),
      orders.all.refillsOf(id),
      usage.eventsOf(id),
      replacements.ofOrder(id),
      replacements.behind(id),
      autorefills.of({ orderId: id }),
      airaloNotices.ofOrder([id, order.batchId ?? id]),
    ]);
  return {
    order,
    refund,
    money,
    deliveries,
    attempts,
    refills,
    phone,
    replacement,
    autorefill,
    airalo,
    replaces: former?.oldOrderId ?? null,
  };
}
