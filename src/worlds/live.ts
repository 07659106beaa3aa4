import { ledgerBooks, ledgerPeriods, ledgerWallets, lookAtLedger } from '../books/books.ts';
import { MINUTE } from '../clock.ts';
import { liveCodes } from '../contract/codes.ts';
import { createWalks } from '../db/walk.ts';
import { createEsims, suppliedEsims } from '../esims/esims.ts';
import { createInsight } from '../insight/insight.ts';
import { createOrders } from '../order-lists/order-lists.ts';
import { createProvisioning, openCheckout } from '../purchase/purchase.ts';
import { createRefunds } from '../refunds/refunds.ts';
import { createRequestLog } from '../request-log/request-log.ts';
import { lookAtShares, shareBook } from '../revenue-share/revenue-share.ts';
import { createSupplierLog } from '../supplier-log/supplier-log.ts';
import type { Suppliers } from '../suppliers/suppliers.ts';
import { type CardPayments, createTopups, type TopupTerms } from '../topups/topups.ts';
import { createTravellerLinks } from '../traveller-links/traveller-links.ts';
import { createUsageDesk } from '../usage/usage.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import { readAttention } from './matters.ts';
import { readNews } from './news.ts';
import type { World, WorldParts } from './world.ts';

export const liveTopupTerms: TopupTerms = {
  keyPrefix: 'topup_',
  openStatus: 'requires_payment',
  clearing: 'card_clearing',
};

/** Real orders, real money. */
export function liveWorld(parts: WorldParts & { suppliers: Suppliers; cards: CardPayments | undefined }): World {
  const { db, reads, suppliers, cards } = parts;
  const webhookTerms = { eventIdPrefix: '', bodyExtra: {}, waitingLimit: undefined, firstReadingMs: 10 * MINUTE };
  const webhooks = createWebhooks({ db, reads, webhookTerms, notices: parts.mail }, parts);
  const supplierLog = createSupplierLog({ db }, parts);
  const walks = createWalks();
  const ground = { schema: 'live', db, reads, walks, suppliers, supplierLog, webhooks, isScripted: false } as const;
  const provisioning = createProvisioning(ground, parts);
  // A job brings live orders up to date; reading them changes nothing.
  const beforeRead = async () => 0;
  const esims = createEsims(ground, suppliedEsims(suppliers));
  const usage = createUsageDesk(ground, parts);
  return {
    ...ground,
    livemode: true,
    codes: liveCodes,
    provisioning,
    checkout: openCheckout({ ...ground, provisioning, beforeRead }, parts),
    refunds: createRefunds({ ...ground, beforeRead }, parts),
    requestLog: createRequestLog(ground, parts),
    attention: (now) => readAttention(reads, now),
    news: (since) => readNews(reads, since),
    orders: createOrders(ground, parts),
    esims,
    usage,
    travellerLinks: createTravellerLinks({ ...ground, esims, usage, linkTerms: { isTest: false } }, parts),
    books: { ...ledgerWallets(db), ...ledgerBooks(reads, walks), ...ledgerPeriods(reads), ...shareBook(reads, walks) },
    ledger: lookAtLedger(reads),
    shares: lookAtShares(reads),
    insight: createInsight(ground, parts),
    topups: createTopups({ ...ground, cards, topupTerms: liveTopupTerms, notices: parts.mail }, parts),
  };
}
