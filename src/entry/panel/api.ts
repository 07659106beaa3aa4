import type { Base } from '../../worlds/base.ts';
import type { Services } from '../api/endpoint.ts';
import type { AnswerParts } from '../api/gates/answer.ts';
import type { CallsOf } from '../site/json/action.ts';
import { JsonApi } from '../site/json/json-api.ts';
import { nothingElse } from '../site/json/refusals.ts';
import { fixedReply, type SiteRoute } from '../site/routes.ts';
import { activityActions } from './account/activity.ts';
import { brandActions } from './account/brand.ts';
import { keyActions } from './account/keys.ts';
import { liveApplicationActions } from './account/live-application.ts';
import { accountActions, balanceAlertActions, meActions, memberAccountActions } from './account/me.ts';
import { memberActions } from './account/members.ts';
import { noticeActions } from './account/notices.ts';
import { memberSignInActions } from './account/sign-in.ts';
import { ssoSettingsActions } from './account/single-sign-on.ts';
import { catalogActions } from './catalog/catalog.ts';
import { retailActions } from './catalog/retail.ts';
import { insightActions } from './insight/insight.ts';
import { overviewActions } from './insight/overview.ts';
import { requestActions } from './insight/requests.ts';
import { searchActions } from './insight/search.ts';
import { membersOnly } from './members-only.ts';
import { invoiceActions } from './money/invoices.ts';
import { moneyExportActions, statementActions } from './money/statements.ts';
import { topupActions } from './money/topups.ts';
import { orderActions, orderExportActions, timelineActions } from './orders/orders.ts';
import { purchaseActions, purchaseReads } from './orders/purchases.ts';
import { severalActions } from './orders/several.ts';
import { helpRequestActions, travellerLinkActions } from './orders/travellers.ts';
import { clockActions, inboxActions, tryActions } from './sandbox.ts';
import { v3Route } from './v3.ts';
import { deliveryActions, resendActions } from './webhooks/deliveries.ts';
import { webhookActions } from './webhooks/webhooks.ts';

/** Everything under /api/. A new action goes into the list of its file, a new file into the list here. */
export function panelApiRoutes(base: Base, answer: AnswerParts): SiteRoute[] {
  const api = new JsonApi({ base, ...answer.ground }, membersOnly(base));
  return [
    ...api.routes([
      ...panelActions(base, answer.ground.services),
      ...tryActions(answer),
      ...purchaseActions(answer),
      ...severalActions(answer),
    ]),
    v3Route(api, answer),
    ...descriptionRoutes(answer),
    nothingElse('/api/{*}', base),
  ];
}

export function panelActions(base: Base, services: Services) {
  return [
    ...memberSignInActions(base),
    ...meActions(base),
    ...accountActions,
    ...liveApplicationActions(base),
    ...memberActions(base),
    ...ssoSettingsActions(base),
    ...memberAccountActions(base),
    ...activityActions(base),
    ...keyActions(base, services.catalog),
    ...webhookActions(base),
    ...deliveryActions(base),
    ...resendActions(base),
    ...inboxActions(base),
    ...noticeActions(base),
    ...overviewActions(base, services.catalog),
    ...orderActions(base, services.catalog),
    ...orderExportActions(base, services.catalog),
    ...purchaseReads(base),
    ...searchActions(base, services.catalog),
    ...travellerLinkActions(base),
    ...helpRequestActions(base),
    ...requestActions(base),
    ...timelineActions(base),
    ...brandActions(base),
    ...clockActions,
    ...balanceAlertActions,
    ...insightActions(base),
    ...catalogActions(base, services),
    ...retailActions(base, services.catalog),
    ...topupActions(base),
    ...statementActions(base),
    ...invoiceActions(base),
    ...moneyExportActions(base),
  ];
}

/** What the panel's pages call, by verb and path. */
export type PanelCalls = CallsOf<
  | ReturnType<typeof panelActions>[number]
  | ReturnType<typeof tryActions>[number]
  | ReturnType<typeof purchaseActions>[number]
  | ReturnType<typeof severalActions>[number]
>;

/** The API's description on the panel's own address, for its reference pages. It is public on every API host, too. */
const descriptionRoutes = ({ openapi }: Pick<AnswerParts, 'openapi'>): SiteRoute[] => [
  { verb: 'GET', path: '/openapi.json', handle: (incoming) => fixedReply(incoming, 'application/json', openapi()) },
];
