/** The people who run the service: operators, their roles, how they sign in to the console, and their sessions there. */

export { needsSecondFactor, operatorFactor } from './operator-factor.ts';
export {
  createOperatorLink,
  type OperatorLinkHolder,
  operatorLinkAddress,
  requireOperatorLink,
  useOperatorLink,
} from './operator-links.ts';
export {
  mayOperator,
  type OperatorPermission,
  type OperatorRole,
  operatorPermissions,
  operatorRoles,
} from './operator-roles.ts';
export {
  endOperatorSession,
  endSessionOfOperator,
  endSessionsOfOperator,
  listOperatorSessions,
  type OpenOperatorSession,
  type OperatorSession,
  type OperatorSessionLookUp,
  openOperatorSession,
  operatorSessionLookUp,
} from './operator-sessions.ts';
export {
  confirmOperator,
  type OperatorDoor,
  rememberOperatorPlace,
  requireOperatorPassword,
  setOperatorPassword,
  signInOperator,
} from './operator-sign-in.ts';
export {
  createOperator,
  findOperator,
  listOperators,
  type NewOperator,
  type Operator,
  operatorByEmail,
  operatorsBeginning,
  removeOperator,
  requireNotLastAdmin,
  setOperatorRole,
} from './operators.ts';
export {
  endPartnerView,
  openPartnerView,
  type PartnerView,
  partnerViewLookUp,
  VIEW_MS,
} from './partner-views.ts';
