import type { Services } from '../api/services.ts';
import type { Base } from '../base.ts';
import { Refused } from '../contract/refused.ts';
import type { AnswerParts } from '../edge/answer.ts';
import type { OpenAction } from '../site/action.ts';
import { fixedReply } from '../site/fixed-reply.ts';
import { JsonApi } from '../site/json-api.ts';
import { refusal } from '../site/refusals.ts';
import type { SiteRoute } from '../site/routes.ts';
import { accountActions } from './accounts.ts';
import { activityActions } from './activity.ts';
import { balanceAlertActions } from './balance-alert.ts';
import { brandActions } from './brand.ts';
import { catalogActions } from './catalog.ts';
import { clockActions } from './clock.ts';
import { deliveryActions } from './deliveries.ts';
import { inboxActions } from './inbox.ts';
import { insightActions } from './insight.ts';
import { keyActions } from './keys.ts';
import { liveApplicationActions } from './live-application.ts';
import { meActions } from './me.ts';
import type { MemberAction } from './member-action.ts';
import { memberActions } from './members.ts';
import { membersOnly } from './members-only.ts';
import { moneyExportActions } from './money-exports.ts';
import { noticeActions } from './notices.ts';
import { orderExportActions } from './order-exports.ts';
import { orderActions } from './orders.ts';
import { overviewActions } from './overview.ts';
import { memberOwnActions } from './own.ts';
import { purchaseActions } from './purchases.ts';
import { requestActions } from './requests.ts';
import { resendActions } from './resend.ts';
import { retailActions } from './retail.ts';
import { searchActions } from './search.ts';
import { memberSignInActions } from './sign-in.ts';
import { statementActions } from './statements.ts';
import { timelineActions } from './timeline.ts';
import { topupActions } from './topups.ts';
import { travellerLinkActions } from './traveller-links.ts';
import { tryActions } from './try.ts';
import { v3Route } from './v3.ts';
import { webhookActions } from './webhooks.ts';

/** Everything under /api/. A new action goes into the list of its file, a new file into the list here. */
export function panelApiRoutes(base: Base, answer: AnswerParts): SiteRoute[] {
  const api = new JsonApi({ base, ...answer.ground }, membersOnly(base));
  return [
    ...api.routes([...panelActions(base, answer.ground.services), ...tryActions(answer), ...purchaseActions(answer)]),
    v3Route(api, answer),
    ...descriptionRoutes(answer),
    nothingElse(base),
  ];
}

export function panelActions(base: Base, services: Services): (MemberAction | OpenAction)[] {
  return [
    ...memberSignInActions(base),
    ...meActions(base),
    ...accountActions,
    ...liveApplicationActions(base),
    ...memberActions(base),
    ...memberOwnActions,
    ...activityActions(base),
    ...keyActions(base),
    ...webhookActions(base),
    ...deliveryActions(base),
    ...resendActions(base),
    ...inboxActions(base),
    ...noticeActions(base),
    ...overviewActions(base, services.catalog),
    ...orderActions(base, services.catalog),
    ...orderExportActions(base, services.catalog),
    ...searchActions(base, services.catalog),
    ...travellerLinkActions(base),
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
    ...moneyExportActions(base),
  ];
}

const nothingElse = ({ log }: Base): SiteRoute => ({
  verb: 'any',
  path: '/api/{*}',
  handle: () => refusal(new Refused('not_found', 'there is nothing at this address'), log),
});

/** The API's description on the panel's own address, for its reference pages. It is public on every API host, too. */
const descriptionRoutes = ({ openapi }: Pick<AnswerParts, 'openapi'>): SiteRoute[] => [
  { verb: 'GET', path: '/openapi.json', handle: (incoming) => fixedReply(incoming, 'application/json', openapi()) },
];
