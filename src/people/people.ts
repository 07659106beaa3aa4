/** Those who sign in: members of partners in the panel and operators in the console; and operators who look at a partner's panel. */
export {
  createMember,
  findMember,
  listMembers,
  lockMember,
  lockMembersWithAddress,
  MAX_MEMBERS,
  type Member,
  memberByEmail,
  membersBeginning,
  type NewMember,
  peopleToTell,
  removeMember,
  removeMembersOf,
  requireEmail,
  requireNotLast,
  setRole,
} from './members.ts';
export {
  createForgottenLink,
  createLink,
  LINK_MS,
  type LinkHolder,
  linkAddress,
  requireLink,
  useLink,
} from './one-time-link.ts';
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
export { hashPassword, PASSWORD_LENGTH, requirePasswordLength } from './password.ts';
export { assignMember, joinProven, type ProvenPerson, peopleByEmail, startPerson } from './person.ts';
export type { Register } from './register.ts';
export { mayRole, type Permission, permissionsOf, type Role, roles } from './roles.ts';
export {
  codeRequired,
  findSecondFactor,
  guarded,
  membersWithSecondFactor,
  renewRecoveryCodes,
  requireCode,
  type SecondFactor,
  startSecondFactor,
  turnOff,
  turnOn,
} from './second-factor.ts';
export {
  type Account,
  confirmSession,
  type Device,
  endSession,
  endSessionOfPerson,
  endSessionsOfMember,
  endSessionsOfPartner,
  endSessionsOfPerson,
  FRESH_MS,
  IDLE_MS,
  listAccounts,
  listSessions,
  MAX_SESSIONS,
  type OpenSession,
  openSession,
  SESSION_MS,
  type Session,
  type SessionLookUp,
  sessionLookUp,
  switchAccount,
} from './sessions.ts';
export {
  type Credentials,
  requireOwnPassword,
  requirePassword,
  requireProof,
  setPassword,
  signIn,
  wrongCurrent,
  wrongPassword,
} from './sign-in.ts';
export { countForgotten, rememberPlace } from './sign-in-throttle.ts';
export { isTokenOf, newToken, tokenHash } from './token.ts';
export { tokenLookUp } from './token-look-up.ts';
