import type { Base } from '../../base.ts';
import type { AnswerParts } from '../../edge/answer.ts';
import { Refused } from '../../refused.ts';
import type { PanelRoute } from '../routes.ts';
import { accountActions } from './accounts.ts';
import type { MemberAction, OpenAction } from './action.ts';
import { activityActions } from './activity.ts';
import { balanceAlertActions } from './balance-alert.ts';
import { brandActions } from './brand.ts';
import { clockActions } from './clock.ts';
import { confirmActions } from './confirm.ts';
import { descriptionRoutes } from './description.ts';
import { keyActions } from './keys.ts';
import { meActions } from './me.ts';
import { memberActions } from './members.ts';
import { noticeActions } from './notices.ts';
import { PanelApi } from './panel-api.ts';
import { refusal } from './refusals.ts';
import { secondFactorActions } from './second-factor.ts';
import { sessionActions } from './sessions.ts';
import { shareActions } from './share.ts';
import { signInActions } from './sign-in.ts';
import { tryActions } from './try.ts';
import { v3Route } from './v3.ts';
import { webhookActions } from './webhooks.ts';

/** Everything under /api/. A new action goes into the list of its file, a new file into the list here. */
export function panelApiRoutes(base: Base, answer: AnswerParts): PanelRoute[] {
  const api = new PanelApi({ base, ...answer.ground });
  return [
    ...api.routes([...panelActions(base), ...tryActions(answer)]),
    v3Route(api, answer),
    ...descriptionRoutes(answer),
    nothingElse(base),
  ];
}

export function panelActions(base: Base): (MemberAction | OpenAction)[] {
  return [
    ...signInActions(base),
    ...meActions(base),
    ...accountActions(base),
    ...memberActions(base),
    ...confirmActions(base),
    ...secondFactorActions(base),
    ...sessionActions(base),
    ...activityActions(base),
    ...keyActions(base),
    ...webhookActions(base),
    ...noticeActions(base),
    ...shareActions(base),
    ...brandActions(base),
    ...clockActions,
    ...balanceAlertActions,
  ];
}

const nothingElse = ({ log }: Base): PanelRoute => ({
  verb: 'any',
  path: '/api/{*}',
  handle: () => refusal(new Refused('not_found', 'there is nothing at this address'), log),
});
