import { signInBySso } from '../../actions/partners/operator-sign-on.ts';
import { breakGlassMails } from '../../actions/partners/single-sign-on.ts';
import {
  needsSecondFactor,
  type OperatorPermission,
  operatorAccess,
  operatorRoles,
  visits,
} from '../../domains/partners/people/people.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { Type } from '../../platform/contract/schema.ts';
import { shareOf } from '../../platform/db/database.ts';
import { beginSignIn, finishSignIn } from '../../platform/oidc/oidc.ts';
import type { OidcSettings } from '../../platform/settings/oidc.ts';
import type { Base } from '../../worlds/base.ts';
import { longText, openAction } from '../site/json/action.ts';
import { sessionCookie, ticketCookie } from '../site/json/browser.ts';
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
      const { role, hasSecondFactor, isSso } = operator;
      // Checked with every request: a role can be raised after the sign-in.
      // Of those who come by single sign-on, the issuer asks for one.
      if (!hasSecondFactor && !isSso && !beforeSecondFactor && needsSecondFactor(role, base.config.panelUrl))
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
export function operatorSignInActions(base: Base) {
  const { db: pool, config, clock, vault, log, fetch } = base;
  const db = shareOf(pool, Math.ceil(config.pools.shared / 4));
  const { oidc, panelUrl } = config;
  return [
    openAction('GET', '/operator/api/sign-in', {
      // Left out: operators sign in here only.
      handle: async () => ({ body: { ...(oidc && { sso: oidc.issuer.host }) } }),
    }),
    ...(oidc ? ssoActions({ db, clock, vault, log, fetch }, oidc, panelUrl) : []),
    ...passwordActions({ db, clock, vault }, panelUrl, breakGlassMails(base).ofOperator),
  ];
}

const passwordActions = (
  desk: Pick<Base, 'db' | 'clock' | 'vault'>,
  panelUrl: URL,
  onBreakGlass: ReturnType<typeof breakGlassMails>['ofOperator'],
) =>
  signInActions(desk, panelUrl, {
    at: '/operator/api',
    access: operatorAccess,
    welcome: { '/welcome': (desk, link) => operatorAccess.acceptLink(desk, link) },
    leave: (db, token) => operatorAccess.sessions.end(db, token),
    onBreakGlass,
    invitation: invitationView,
  });

/** Signing in where the operators' company says who they are. */
function ssoActions(desk: Pick<Base, 'db' | 'clock' | 'vault' | 'log' | 'fetch'>, oidc: OidcSettings, panelUrl: URL) {
  const registration = { ...oidc, redirectUri: new URL('/operator/sso', panelUrl) };
  const cookie = ticketCookie(panelUrl);
  return [
    openAction('POST', '/operator/api/sso/start', {
      body: Type.Object({ again: Type.Optional(Type.Boolean()) }),
      async handle({ now }, { again }) {
        const { url, ticket } = await beginSignIn(desk, 'operators', registration, now, again);
        return { body: { url }, session: { opened: ticket, cookie } };
      },
    }),
    openAction('POST', '/operator/api/sso/finish', {
      body: Type.Object({ answer: longText }),
      async handle({ address, userAgent, token: left, now, cookie: read }, { answer }) {
        const sent = { ticket: read(cookie), answer };
        const identity = await finishSignIn(desk, 'operators', registration, sent, now);
        const opened = await signInBySso(desk, oidc, identity, { address, userAgent });
        if (left !== '') await operatorAccess.sessions.end(desk.db, left);
        return { body: {}, session: { opened } };
      },
    }),
  ];
}

const invitationView = ({ email }: { readonly email: string }) => ({ email });
