import type { Base } from '../../worlds/base.ts';
import type { Services } from '../api/endpoint.ts';
import type { AnswerParts } from '../api/gates/answer.ts';
import type { CallsOf } from '../site/json/action.ts';
import { JsonApi } from '../site/json/json-api.ts';
import { nothingElse } from '../site/json/refusals.ts';
import type { SiteRoute } from '../site/routes.ts';
import { catalogActions } from './catalog/catalog.ts';
import { importActions, uploadedList } from './catalog/imports.ts';
import { priceActions } from './catalog/prices.ts';
import { routeActions } from './catalog/routes.ts';
import { homeActions, sinceLastVisitActions } from './home.ts';
import { figureActions } from './money/figures.ts';
import { invoiceActions } from './money/invoices.ts';
import { proofActions, trialBalanceActions } from './money/ledger.ts';
import { paymentActions, settlementActions } from './money/payments.ts';
import { statementActions } from './money/statements.ts';
import { meActions, operatorAccountActions } from './my-account.ts';
import { operatorSignInActions, operatorsOnly } from './operators-only.ts';
import { orderActions } from './orders/orders.ts';
import { refundActions, replacementActions } from './orders/requests.ts';
import { partnerAccessActions, partnerActions, partnerWebhookActions, viewActions } from './partners/partner.ts';
import { applicationActions, partnerMoneyActions, partnersActions } from './partners/partners.ts';
import { proposalActions } from './proposals.ts';
import { guardedActions, runActions } from './run.ts';
import { searchActions } from './search.ts';
import { stockActions } from './supply/stock.ts';
import { guardedAccounts, supplierAccountActions, supplierActions } from './supply/suppliers.ts';
import { auditActions } from './system/audit.ts';
import { incidentActions, singleSignOnActions, staffActions, systemActions } from './system/system.ts';
import { webhookActions } from './system/webhooks.ts';

/** Everything under /operator/api/. A new action goes into the list of its file, a new file into the list here. */
export function consoleApiRoutes(base: Base, answer: AnswerParts): SiteRoute[] {
  const api = new JsonApi({ base, ...answer.ground }, operatorsOnly(base));
  return [...api.routes(consoleActions(base, answer.ground.services)), nothingElse('/operator/api/{*}', base)];
}

export function consoleActions(base: Base, services: Services) {
  return [
    ...operatorSignInActions(base),
    ...meActions(base),
    ...operatorAccountActions(base),
    ...staffActions(base),
    ...singleSignOnActions(base),
    ...viewActions(base),
    ...priceActions(services),
    ...catalogActions,
    ...importActions,
    ...routeActions(services),
    ...homeActions,
    ...proposalActions([...guardedActions, uploadedList, ...guardedAccounts]),
    ...sinceLastVisitActions,
    ...figureActions(base),
    ...trialBalanceActions,
    ...proofActions,
    ...settlementActions,
    ...paymentActions,
    ...statementActions,
    ...invoiceActions(base),
    ...supplierActions(base),
    ...supplierAccountActions,
    ...stockActions(base),
    ...webhookActions,
    ...auditActions(base),
    ...incidentActions(base),
    ...systemActions(base),
    ...runActions,
    ...orderActions(services),
    ...refundActions(services),
    ...replacementActions(base, services),
    ...searchActions(base, services),
    ...applicationActions,
    ...partnersActions,
    ...partnerActions,
    ...partnerMoneyActions,
    ...partnerAccessActions,
    ...partnerWebhookActions,
  ];
}

/** What the console's pages call, by verb and path. */
export type ConsoleCalls = CallsOf<ReturnType<typeof consoleActions>[number]>;
