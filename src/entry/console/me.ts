import { needsSecondFactor, operatorRoles } from '../../domains/partners/people/people.ts';
import type { Base } from '../../worlds/base.ts';
import { type OperatorAction, type OperatorCall, operatorAction } from './action.ts';

/** Who is signed in, and what they may do. */
export const meActions = ({ config }: Base): OperatorAction[] => [
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
    second_factor_missing: !operator.hasSecondFactor && needsSecondFactor(operator.role, panelUrl),
  },
});

export type OperatorMeView = ReturnType<typeof view>;
