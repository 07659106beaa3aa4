import { needsSecondFactor, type Operator, operators } from '../../../domains/partners/people/people.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../../site/json/action.ts';
import { type OperatorAction, operatorRead } from '../action.ts';

/** Who may sign in to the console. Changes are commands: `operator invite`, `set`, `remove`, `reset-second-factor`. */
export const staffActions = ({ db, config }: Base): OperatorAction[] => [
  operatorRead('/operator/api/operators', async () => ({
    operators: (await operators.list(db)).map((one) => view(one, needsSecondFactor(one.role, config.panelUrl))),
  })),
];

const view = (operator: Operator, needsFactor: boolean) => ({
  id: operator.operatorId,
  email: operator.email,
  role: operator.role,
  accepted: operator.hasAccepted,
  second_factor: operator.hasSecondFactor,
  /** Their role can do nothing until it is on. */
  needs_second_factor: needsFactor,
  created_at: iso(operator.createdAt),
  last_sign_in_at: iso(operator.lastSignInAt),
});

export type OperatorView = ReturnType<typeof view>;
