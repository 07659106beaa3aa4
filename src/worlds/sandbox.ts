import { createHash } from 'node:crypto';
import { createInvoices, type InvoiceWorldTerms } from '../domains/billing/invoices/invoices.ts';
import { shareReads, takeBackShares } from '../domains/billing/revenue-share/revenue-share.ts';
import {
  type CardPayments,
  createTopups,
  type Intent,
  type Payment,
  type TopupTerms,
} from '../domains/billing/topups/topups.ts';
import { createInsight } from '../domains/insight/figures/figures.ts';
import { createRequestLog } from '../domains/insight/request-log/request-log.ts';
import { createAiraloNotices } from '../domains/messages/airalo/airalo.ts';
import { createWebhooks, esimWatch } from '../domains/messages/webhooks/webhooks.ts';
import { ledgerReads } from '../domains/money/books/books.ts';
import { createAutorefills } from '../domains/sales/autorefill/autorefill.ts';
import { createEsims } from '../domains/sales/esims/esims.ts';
import { createOrders } from '../domains/sales/order-lists/order-lists.ts';
import { createProvisioning, openCheckout, type Provisioning } from '../domains/sales/purchase/purchase.ts';
import { createRefunds } from '../domains/sales/refunds/refunds.ts';
import { createReplacements } from '../domains/sales/replacements/replacements.ts';
import { createSuspensions } from '../domains/sales/suspension/suspension.ts';
import { createUsageDesk } from '../domains/sales/usage/usage.ts';
import { createSupplierLog } from '../domains/supply/calls/calls.ts';
import { createHelpDesk, createTravellerLinks } from '../domains/travellers/travellers.ts';
import { ZERO } from '../platform/amounts/cents.ts';
import { sandboxCodes } from '../platform/contract/codes.ts';
import { createWalks } from '../platform/db/query/walk.ts';
import { readAttention, readNews } from './alerts.ts';
import type { WorldParts } from './live.ts';
import {
  finishedBeforeEsims,
  finishedBeforeInsight,
  finishedBeforeRead,
  finishedBeforeUsage,
  finisher,
} from './sandbox/finish.ts';
import { emptyBooks } from './sandbox/reset.ts';
import {
  replacedScript,
  scripted,
  scriptedEsims,
  scriptedSupplier,
  scriptedSupply,
  scriptedWatch,
} from './sandbox/scripted-supplier.ts';
import { MAX_BALANCE, sandboxTools } from './sandbox/tools.ts';
import type { World } from './world.ts';

const intent = ({ paymentKey, amount, currency }: Payment, state: Intent['state']): Intent => ({
  id: paymentKey,
  paymentKey,
  state,
  amount,
  currency,
  refunded: ZERO,
  disputed: ZERO,
});

/** Calls no provider and waits for no card holder: every payment counts as made in full as soon as it is looked at. */
export const fakeCards: CardPayments = {
  name: 'sandbox',
  open: async (payment) => ({
    ...intent(payment, 'open'),
    clientSecret: `sbx_secret_${createHash('sha256').update(payment.paymentKey).digest('hex').slice(0, 32)}`,
  }),
  read: async (_id, payment) => intent(payment, 'succeeded'),
  cancel: async (_id, payment) => intent(payment, 'canceled'),
};

/** How many deliveries of one account may wait, so that a runaway script fills only its own queue. */
const WAITING_DELIVERIES = 500;

const sandboxTopupTerms: TopupTerms = {
  keyPrefix: 'sbx_topup_',
  openStatus: 'requires_confirmation',
  clearing: 'play_money',
  maxBalance: MAX_BALANCE,
};

/** A partner's clock goes back when it is reset. */
const sandboxInvoiceTerms: InvoiceWorldTerms = {
  numberPrefix: 'SANDBOX-',
  graceMs: 0,
  areInTime: false,
  closesBeforeRead: true,
};

/** Play money, fake eSIMs, the same rules. */
export function sandboxWorld(parts: WorldParts): World {
  const { db, reads } = parts;
  const webhookTerms = {
    eventIdPrefix: 'sbx_',
    bodyExtra: { livemode: false },
    waitingLimit: WAITING_DELIVERIES,
    firstReadingMs: 0,
  };
  const webhooks = createWebhooks({ db, reads, webhookTerms }, parts);
  // Whichever supplier sells the plan in live, here the order's own script delivers it.
  const supplier = Promise.resolve(scriptedSupplier(parts.clock));
  const supplierLog = createSupplierLog({ db }, parts);
  const walks = createWalks();
  const suppliers = { of: () => supplier };
  const ground = { schema: 'sandbox', db, reads, walks, suppliers, supplierLog, webhooks } as const;
  const finishing = finisher(ground, parts);
  const played = createProvisioning({ ...ground, supplyTerms: scriptedSupply }, parts);
  const provisioning: Provisioning = {
    ...played,
    async cancel(wanted) {
      await finishing.beforeRead(wanted.partnerId, [wanted.orderId]);
      return played.cancel(wanted);
    },
    async cancelUnsent(wanted) {
      await finishing.beforeRead(wanted.partnerId, wanted.orderIds);
      return played.cancelUnsent(wanted);
    },
    // A deferred order is delivered by its first reader after its time, not before, so the job leaves it alone.
    provisionDue: finishing.abandoned,
    reportOverdue: async () => 0,
  };
  const esims = finishedBeforeEsims(createEsims(ground, scriptedEsims), finishing);
  const { newProfile } = scriptedEsims;
  const desk = createUsageDesk({ ...ground, newProfile, watchTerms: scriptedWatch }, parts);
  const usage = finishedBeforeUsage(desk, finishing);
  const checkout = openCheckout({ ...ground, provisioning, beforeRead: finishing.beforeRead }, parts);
  const suspensions = createSuspensions(ground, parts);
  const replacements = createReplacements(
    { ...ground, esims, usage, provisioning, suspensions, beforeRead: finishing.beforeRead, scriptOf: replacedScript },
    parts,
  );
  return {
    ...ground,
    livemode: false,
    codes: sandboxCodes,
    provisioning,
    checkout,
    refunds: createRefunds({ ...ground, beforeRead: finishing.beforeRead }, { ...parts, takeBackShares }),
    replacements,
    requestLog: createRequestLog(ground, parts),
    airaloNotices: createAiraloNotices({ db, watchEarlier: esimWatch.watchAllEarlier }),
    attention: (now) => readAttention(reads, now, { hasSeller: parts.invoicing.seller !== undefined }),
    news: (since) => readNews(reads, since),
    orders: finishedBeforeRead(createOrders(ground, parts), finishing),
    esims,
    suspensions,
    autorefills: createAutorefills({ ...ground, esims, usage, checkout, scriptOf: replacedScript }, parts),
    usage,
    travellerLinks: createTravellerLinks({ ...ground, esims, usage, linkTerms: { isTest: true } }, parts),
    help: createHelpDesk({ ...ground, esims, replacements, helpTerms: { isSupplierDown: async () => false } }, parts),
    books: emptyBooks(ground, walks),
    ledger: ledgerReads(reads),
    shares: shareReads(reads),
    insight: finishedBeforeInsight(createInsight(ground, parts), finishing),
    invoices: createInvoices({ ...ground, invoiceTerms: sandboxInvoiceTerms }, parts),
    topups: createTopups({ ...ground, cards: fakeCards, topupTerms: sandboxTopupTerms }, parts),
    script: scripted,
    tools: sandboxTools({ ...ground, newProfile }),
    hasInbox: true,
  };
}
