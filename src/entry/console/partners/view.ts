import { partnerViews } from '../../../domains/partners/people/people.ts';
import { change } from '../../../platform/audit/audit-log.ts';
import type { Base } from '../../../worlds/base.ts';
import { idOf } from '../../site/json/action.ts';
import { memberCookie } from '../../site/json/cookie.ts';
import { type OperatorAction, operatorAction } from '../action.ts';

/** A partner's panel as the partner sees it, read-only. The cookie is the panel's: it replaces what this browser was signed in as there. */
export const viewActions = ({ config }: Base): OperatorAction[] => {
  const cookie = memberCookie(config.panelUrl);
  return [
    operatorAction({
      verb: 'POST',
      path: '/operator/api/partners/{id}/view',
      may: 'see',
      keyless: 'each view is opened with an entry of its own in the audit log',
      noCommand:
        'it opens pages in a browser; the command line shows the same with partner show, order list and others',
      async handle(call) {
        const partnerId = idOf(call);
        const opened = await change(call.context, 'partner view', async (tx) => {
          const { token, until } = await partnerViews.open(tx, call.token, partnerId, call.now);
          return { target: `partner ${partnerId}`, after: { until }, result: token };
        });
        return { body: {}, session: { opened, cookie } };
      },
    }),
  ];
};
