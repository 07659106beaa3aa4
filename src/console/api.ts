import type { Services } from '../api/services.ts';
import type { Base } from '../base.ts';
import { Refused } from '../contract/refused.ts';
import type { AnswerParts } from '../edge/answer.ts';
import type { OpenAction } from '../site/action.ts';
import { JsonApi } from '../site/json-api.ts';
import { refusal } from '../site/refusals.ts';
import type { SiteRoute } from '../site/routes.ts';
import type { OperatorAction } from './action.ts';
import { applicationActions } from './applications.ts';
import { auditActions } from './audit.ts';
import { catalogActions } from './catalog.ts';
import { figureActions } from './figures.ts';
import { homeActions } from './home.ts';
import { importActions } from './imports.ts';
import { incidentActions } from './incidents.ts';
import { meActions } from './me.ts';
import { operatorsOnly } from './operators-only.ts';
import { orderActions } from './orders.ts';
import { operatorOwnActions } from './own.ts';
import { partnerActions } from './partner.ts';
import { partnerAccessActions } from './partner-access.ts';
import { partnerMoneyActions } from './partner-money.ts';
import { partnerWebhookActions } from './partner-webhooks.ts';
import { partnersActions } from './partners.ts';
import { paymentActions } from './payments.ts';
import { priceActions } from './prices.ts';
import { proofActions } from './proof.ts';
import { refundActions } from './refunds.ts';
import { routeActions } from './routes.ts';
import { runActions } from './run.ts';
import { searchActions } from './search.ts';
import { settlementActions } from './settlement.ts';
import { operatorSignInActions } from './sign-in.ts';
import { sinceActions } from './since.ts';
import { staffActions } from './staff.ts';
import { statementActions } from './statements.ts';
import { stockActions } from './stock.ts';
import { supplierAccountActions } from './supplier-accounts.ts';
import { supplierActions } from './suppliers.ts';
import { systemActions } from './system.ts';
import { trialBalanceActions } from './trial-balance.ts';
import { viewActions } from './view.ts';
import { webhookActions } from './webhooks.ts';

/** Everything under /operator/api/. A new action goes into the list of its file, a new file into the list here. */
export function consoleApiRoutes(base: Base, answer: AnswerParts): SiteRoute[] {
  const api = new JsonApi({ base, ...answer.ground }, operatorsOnly(base));
  return [...api.routes(consoleActions(base, answer.ground.services)), nothingElse(base)];
}

export function consoleActions(base: Base, services: Services): (OperatorAction | OpenAction)[] {
  return [
    ...operatorSignInActions(base),
    ...meActions(base),
    ...operatorOwnActions(base),
    ...staffActions(base),
    ...viewActions(base),
    ...priceActions(services),
    ...catalogActions,
    ...importActions,
    ...routeActions(services),
    ...homeActions(base),
    ...sinceActions(base),
    ...figureActions(base),
    ...trialBalanceActions(base),
    ...proofActions(base),
    ...settlementActions(base),
    ...paymentActions(base),
    ...statementActions(base),
    ...supplierActions(base),
    ...supplierAccountActions,
    ...stockActions(base),
    ...webhookActions(base),
    ...auditActions(base),
    ...incidentActions(base),
    ...systemActions(base),
    ...runActions,
    ...orderActions(base, services),
    ...refundActions(base, services),
    ...searchActions(base, services),
    ...applicationActions,
    ...partnersActions,
    ...partnerActions,
    ...partnerMoneyActions,
    ...partnerAccessActions,
    ...partnerWebhookActions,
  ];
}

const nothingElse = ({ log }: Base): SiteRoute => ({
  verb: 'any',
  path: '/operator/api/{*}',
  handle: () => refusal(new Refused('not_found', 'there is nothing at this address'), log),
});
