import { createInvoices, type InvoiceWorldTerms } from '../domains/billing/invoices/invoices.ts';
import { shareBook, shareReads, takeBackShares } from '../domains/billing/revenue-share/revenue-share.ts';
import { type CardPayments, createTopups, type TopupTerms } from '../domains/billing/topups/topups.ts';
import { createInsight } from '../domains/insight/figures/figures.ts';
import { createRequestLog } from '../domains/insight/request-log/request-log.ts';
import { createAiraloNotices } from '../domains/messages/airalo/airalo.ts';
import type { Mail } from '../domains/messages/mail/mail.ts';
import { createWebhooks, esimWatch, type Outgoing } from '../domains/messages/webhooks/webhooks.ts';
import { ledgerBooks, ledgerPeriods, ledgerReads, ledgerWallets } from '../domains/money/books/books.ts';
import { createAutorefills } from '../domains/sales/autorefill/autorefill.ts';
import { createEsims, suppliedEsims } from '../domains/sales/esims/esims.ts';
import { createOrders } from '../domains/sales/order-lists/order-lists.ts';
import {
  createProvisioning,
  openCheckout,
  type ProvisioningOptions,
  paidSupply,
} from '../domains/sales/purchase/purchase.ts';
import { createRefunds } from '../domains/sales/refunds/refunds.ts';
import { createReplacements } from '../domains/sales/replacements/replacements.ts';
import { createSuspensions } from '../domains/sales/suspension/suspension.ts';
import { createUsageDesk, watchedUsage } from '../domains/sales/usage/usage.ts';
import { createSupplierLog } from '../domains/supply/calls/calls.ts';
import { type Suppliers, supplierHealth } from '../domains/supply/supply.ts';
import { createHelpDesk, createTravellerLinks } from '../domains/travellers/travellers.ts';
import { MINUTE } from '../platform/clock.ts';
import { liveCodes, type WorldCodes } from '../platform/contract/codes.ts';
import type { Mode } from '../platform/contract/mode.ts';
import { createWalks } from '../platform/db/query/walk.ts';
import type { Readers } from '../platform/db/replicas.ts';
import type { InvoiceSettings } from '../platform/settings/invoices.ts';
import type { SiteSettings } from '../platform/settings/site.ts';
import { readAttention, readNews } from './alerts.ts';

export const liveTopupTerms: TopupTerms = {
  keyPrefix: 'topup_',
  openStatus: 'requires_payment',
  clearing: 'card_clearing',
};

/** A request takes at most five minutes, so by then every purchase of the month is in the ledger. */
const liveInvoiceTerms: InvoiceWorldTerms = {
  numberPrefix: '',
  graceMs: 6 * MINUTE,
  areInTime: true,
  closesBeforeRead: false,
};

const noScript = () => ({ script: null, eventsAhead: [] });

export interface WorldParts extends ProvisioningOptions, Readers {
  readonly prober: Outgoing['prober'];
  readonly panelUrl: URL;
  readonly mail: Mail;
  readonly invoicing: InvoiceSettings;
  readonly look: Pick<SiteSettings, 'name' | 'color' | 'logo'>;
}

/** Real orders, real money. */
export function liveWorld(parts: WorldParts & { suppliers: Suppliers; cards: CardPayments | undefined }) {
  const { db, reads, suppliers, cards } = parts;
  const webhookTerms = { eventIdPrefix: '', bodyExtra: {}, waitingLimit: undefined, firstReadingMs: 10 * MINUTE };
  const webhooks = createWebhooks({ db, reads, webhookTerms, notices: parts.mail }, parts);
  const supplierLog = createSupplierLog({ db }, parts);
  const walks = createWalks();
  const ground = { schema: 'live', db, reads, walks, suppliers, supplierLog, webhooks } as const;
  const provisioning = createProvisioning({ ...ground, supplyTerms: paidSupply }, parts);
  // A job brings live orders up to date; reading them changes nothing.
  const beforeRead = async () => 0;
  const esimRules = suppliedEsims(suppliers);
  const esims = createEsims(ground, esimRules);
  const { newProfile } = esimRules;
  const usage = createUsageDesk({ ...ground, newProfile, watchTerms: watchedUsage }, parts);
  const checkout = openCheckout({ ...ground, provisioning, beforeRead }, parts);
  const suspensions = createSuspensions(ground, parts);
  const helpTerms = { isSupplierDown: (supplier: string, now: number) => supplierHealth.isDown(reads, supplier, now) };
  const replacements = createReplacements(
    { ...ground, esims, usage, provisioning, suspensions, beforeRead, scriptOf: noScript },
    parts,
  );
  return {
    ...ground,
    schema: 'live' as Mode,
    /** Printed (or left out) in answers, never branched on. */
    livemode: true as boolean,
    /** Error codes that the contract names differently in each world. */
    codes: liveCodes as WorldCodes,
    provisioning,
    checkout,
    refunds: createRefunds({ ...ground, beforeRead }, { ...parts, takeBackShares }),
    /** New eSIMs in place of others, free of charge. */
    replacements,
    requestLog: createRequestLog(ground, parts),
    /** Webhooks in the form of Airalo's. */
    airaloNotices: createAiraloNotices({ db, watchEarlier: esimWatch.watchAllEarlier }),
    /** What needs a person now. */
    attention: (now: number) => readAttention(reads, now, { hasSeller: parts.invoicing.seller !== undefined }),
    /** What happened since a time. */
    news: (since: Date) => readNews(reads, since),
    orders: createOrders(ground, parts),
    esims,
    suspensions,
    /** eSIMs that refill themselves. */
    autorefills: createAutorefills({ ...ground, esims, usage, checkout, scriptOf: () => ({}) }, parts),
    usage,
    travellerLinks: createTravellerLinks({ ...ground, esims, usage, linkTerms: { isTest: false } }, parts),
    /** What travellers do when it does not work. */
    help: createHelpDesk({ ...ground, esims, replacements, helpTerms }, parts),
    /** What a partner reads of its money. */
    books: { ...ledgerWallets(db), ...ledgerBooks(reads, walks), ...ledgerPeriods(reads), ...shareBook(reads, walks) },
    /** What operators read of the ledger. */
    ledger: ledgerReads(reads),
    /** What operators read of all shares. */
    shares: shareReads(reads),
    insight: createInsight(ground, parts),
    invoices: createInvoices({ ...ground, invoiceTerms: liveInvoiceTerms, notices: parts.mail }, parts),
    topups: createTopups({ ...ground, cards, topupTerms: liveTopupTerms, notices: parts.mail }, parts),
  };
}
