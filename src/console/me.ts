import { operatorPermissions } from '../staff/staff.ts';
import { type OperatorAction, type OperatorCall, operatorAction } from './action.ts';

/** Who is signed in, and what they may do. */
export const meActions: readonly OperatorAction[] = [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/me',
    may: 'see',
    beforeSecondFactor: true,
    handle: async (call) => ({ body: view(call) }),
  }),
];

const view = ({ operator }: OperatorCall) => ({
  operator: {
    id: operator.operatorId,
    email: operator.email,
    role: operator.role,
    may: operatorPermissions(operator.role),
    second_factor: operator.hasSecondFactor,
  },
});

export type OperatorMeView = ReturnType<typeof view>;
