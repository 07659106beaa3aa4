import { needsSecondFactor, operatorAccess, operatorRoles } from '../../domains/partners/people/people.ts';
import type { Base } from '../../worlds/base.ts';
import { securityActions } from '../site/json/account-security.ts';
import { savedViewActions } from '../site/json/saved-views.ts';
import { type OperatorCall, operatorAction } from './action.ts';

/** No command: no one is signed in at the command line. */
const ABOUT_SELF = 'it is about the operator who is signed in: their own password, second factor and sessions';
/** For those who have a second factor. Everything else helps to set one up, or to end sessions before that. */
const withFactor = [
  '/operator/api/second-factor/recovery-codes',
  '/operator/api/second-factor/turn-off',
  '/operator/api/passkeys/{id}/remove',
];

/** What operators do for themselves, whatever their role. */
const accessActions = ({ config }: Base) =>
  securityActions({
    at: '/operator/api',
    access: operatorAccess,
    panelUrl: config.panelUrl,
    siteName: config.site.name,
    self: ({ context, operator, token, address }: OperatorCall) => ({
      ...context,
      personId: operator.personId,
      email: operator.email,
      isSso: operator.isSso,
      target: `operator ${operator.operatorId}`,
      token,
      address,
      needsFactor: needsSecondFactor(operator.role, config.panelUrl)
        ? `the role ${operator.role} needs a second factor; it cannot be turned off`
        : undefined,
    }),
  }).map(
    (action) =>
      ({
        ...action,
        signedIn: true,
        may: 'see',
        ...(!withFactor.includes(action.path) && { beforeSecondFactor: true as const }),
        ...(action.verb !== 'GET' && { noCommand: ABOUT_SELF }),
      }) as const,
  );

const viewActions = savedViewActions({
  at: '/operator/api',
  desk: ({ context }: OperatorCall) => context,
  owner: ({ operator }: OperatorCall) => ({ operatorId: operator.operatorId }),
}).map(
  (action) =>
    ({
      ...action,
      signedIn: true,
      may: 'see',
      ...(action.verb !== 'GET' && { noCommand: 'it names filters of pages, which the command line does not have' }),
    }) as const,
);

export const operatorAccountActions = (base: Base) => [...accessActions(base), ...viewActions];

export const meActions = ({ config }: Base) => [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/me',
    may: 'see',
    beforeSecondFactor: true,
    handle: async (call) => ({ body: view(call, config.panelUrl) }),
  }),
];

const view = ({ operator }: OperatorCall, panelUrl: URL) => ({
  operator: {
    id: operator.operatorId,
    email: operator.email,
    role: operator.role,
    may: operatorRoles.permissionsOf(operator.role),
    second_factor: operator.hasSecondFactor,
    needs_second_factor: needsSecondFactor(operator.role, panelUrl),
    /** Then they can do nothing until they have set it up. */
    second_factor_missing: !operator.hasSecondFactor && !operator.isSso && needsSecondFactor(operator.role, panelUrl),
    ...(operator.isSso && { sso: true }),
  },
});
