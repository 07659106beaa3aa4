import {
  needsSecondFactor,
  type OperatorPermission,
  operatorAccess,
  operatorRoles,
  visits,
} from '../../domains/partners/people/people.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { shareOf } from '../../platform/db/database.ts';
import type { Base } from '../../worlds/base.ts';
import { sessionCookie } from '../site/json/cookie.ts';
import type { Audience } from '../site/json/json-api.ts';
import { signInActions } from '../site/json/sign-in.ts';
import type { OperatorAction, OperatorCall } from './action.ts';

/** The console's audience. Its cookie and its sessions are not the panel's: neither opens the other. */
export function operatorsOnly(base: Base): Audience<OperatorCall, OperatorPermission> {
  const findSession = operatorAccess.sessions.lookUp(base.db);
  return {
    cookie: sessionCookie(base.config.panelUrl, 'wayfare_operator'),
    async signedIn(call) {
      const operator = await findSession(call.token, call.now);
      if (!operator) return undefined;
      const who = `operator:${operator.email}`;
      const { operatorId, role, seenAt } = operator;
      if (visits.isDue(seenAt, call.now)) await visits.seen(base.db, operatorId, call.now);
      return {
        ...call,
        operator,
        context: { ...base, who, operatorId, role, confinedTo: undefined, withoutFiles: true, progress() {} },
      };
    },
    requireAllowed({ operator }, { may, beforeSecondFactor }: OperatorAction) {
      const { role, hasSecondFactor } = operator;
      // Checked with every request: a role can be raised after the sign-in.
      if (!hasSecondFactor && !beforeSecondFactor && needsSecondFactor(role, base.config.panelUrl))
        throw new Refused('second_factor_required', `the role ${role} needs a second factor; set it up first`);
      if (!operatorRoles.may(role, may))
        throw new Refused('role_forbids', 'your role does not allow this; an admin can change it');
    },
    confirmedAt: ({ operator }) => operator.confirmedAt,
    quota: ({ operator }) => `operator:${operator.operatorId}`,
    inSteps: (call, steps) => ({ ...call, context: { ...call.context, steps } }),
    isMoney: (may) => may === 'money',
    account: ({ operator }) => `operator:${operator.operatorId}`,
  };
}

/** Signing in to the console. Anyone can call these, so together they use a quarter of the shared connections at most. */
export const operatorSignInActions = ({ db, config, clock, vault }: Base) =>
  signInActions({ db: shareOf(db, Math.ceil(config.pools.shared / 4)), clock, vault }, config.panelUrl, {
    at: '/operator/api',
    access: operatorAccess,
    welcome: { '/welcome': (desk, link) => operatorAccess.acceptLink(desk, link) },
    leave: (db, token) => operatorAccess.sessions.end(db, token),
    invitation: invitationView,
  });

const invitationView = ({ email }: { readonly email: string }) => ({ email });
