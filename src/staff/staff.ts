/** The people who run the service: operators, their roles and their sessions in the console. */

export {
  mayOperator,
  type OperatorPermission,
  type OperatorRole,
  operatorPermissions,
  operatorRoles,
} from './operator-roles.ts';
export {
  type OperatorSession,
  type OperatorSessionLookUp,
  openOperatorSession,
  operatorSessionLookUp,
} from './operator-sessions.ts';
export { createOperator, findOperator, listOperators, type NewOperator, type Operator } from './operators.ts';
