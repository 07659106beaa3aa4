import type { Action, ResultOf, SentTo } from './action.ts';
import { catalogActions } from './catalog/catalog.ts';
import { priceQuestions } from './catalog/price-questions.ts';
import { pricingActions } from './catalog/pricing.ts';
import { mailActions } from './messages/mail.ts';
import { webhookActions } from './messages/webhook.ts';
import { invoiceActions } from './money/invoice.ts';
import { archiveActions, auditActions } from './money/proof.ts';
import { revenueShareActions } from './money/revenue-share.ts';
import { topupActions } from './money/topup.ts';
import { walletActions } from './money/wallet.ts';
import { applicationActions } from './partners/applications.ts';
import { keyActions } from './partners/keys.ts';
import { memberActions } from './partners/members.ts';
import { noteActions } from './partners/note.ts';
import { operatorActions } from './partners/operators.ts';
import { partnerActions } from './partners/partner.ts';
import { ssoActions } from './partners/single-sign-on.ts';
import { orderActions } from './sales/order.ts';
import { refundActions } from './sales/refund.ts';
import { refundManyActions } from './sales/refund-many.ts';
import { replacementActions } from './sales/replacement.ts';
import { routeActions } from './supply/route.ts';
import { stockActions } from './supply/stock.ts';
import { supplierActions, usageActions } from './supply/supplier.ts';
import { supplierAccountActions } from './supply/supplier-accounts.ts';
import { auditFileActions, changesActions } from './system/changes.ts';
import { incidentActions } from './system/incident.ts';
import { privacyActions } from './system/privacy.ts';
import { secretActions } from './system/secret.ts';
import { sandboxActions } from './system/test-clock.ts';

const declared = [
  ...partnerActions,
  ...keyActions,
  ...memberActions,
  ...operatorActions,
  ...ssoActions,
  ...applicationActions,
  ...mailActions,
  ...walletActions,
  ...invoiceActions,
  ...catalogActions,
  ...pricingActions,
  ...priceQuestions,
  ...webhookActions,
  ...orderActions,
  ...noteActions,
  ...refundActions,
  ...refundManyActions,
  ...replacementActions,
  ...supplierAccountActions,
  ...supplierActions,
  ...stockActions,
  ...routeActions,
  ...incidentActions,
  ...usageActions,
  ...sandboxActions,
  ...auditFileActions,
  ...archiveActions,
  ...auditActions,
  ...changesActions,
  ...topupActions,
  ...revenueShareActions,
  ...privacyActions,
  ...secretActions,
];

/** Every action. `start` and `migrate` are in src/program.ts, backups and a developer's commands in src/entry/cli/. */
export const actions: readonly Action[] = declared;

type Runnable = Extract<(typeof declared)[number], { readonly console: { readonly may: string } }>;

/** By name, what a page of the console sends and what it gets. */
export type Actions = {
  readonly [D in Runnable as D['name']]: { readonly input: SentTo<D>; readonly result: ResultOf<D> };
};
