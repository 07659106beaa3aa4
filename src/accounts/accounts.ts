/** Partners, their API keys and where those may be used from, and the people who sign in to the panel. */
export {
  type Ended,
  endPurchase,
  type Reserved,
  readSpendingLimit,
  reservePurchase,
  type SpendingLimit,
  spendingLimitText,
  spendingPeriods,
  spentBy,
  unendedPurchases,
} from './agent-purchases.ts';
export {
  type ApiKey,
  createKey,
  findKey,
  type KeyChange,
  latestKeys,
  listKeys,
  MAX_ACTIVE_KEYS,
  MAX_REVOKED_SHOWN,
  type NewKey,
  revokeKey,
  setKey,
} from './api-keys.ts';
export { keysEndingIn, membersBeginning, partnersNamed } from './find-by-text.ts';
export { KeyDirectory } from './key-directory.ts';
export { claimedMode, type Mode, maskKey } from './key-format.ts';
export type { Caller, KnownKey, QuotaId } from './key-rows.ts';
export {
  createMember,
  findMember,
  listMembers,
  lockMember,
  lockMembersWithAddress,
  MAX_MEMBERS,
  type Member,
  memberByEmail,
  type NewMember,
  peopleToTell,
  removeMember,
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
export { requireOpenPartner } from './open-partner.ts';
export {
  type ListedPartner,
  type PartnerState,
  partnerStates,
  type SoughtPartners,
  searchPartners,
} from './partner-list.ts';
export {
  type BillingMode,
  createPartner,
  deletePartner,
  findPartner,
  listPartners,
  type NewPartner,
  type Partner,
  type PartnerChange,
  partnerNames,
  SANDBOX_OPENING,
  setPartner,
} from './partners.ts';
export { hashPassword, PASSWORD_LENGTH, requirePasswordLength } from './password.ts';
export { assignMember, joinProven, type ProvenPerson, peopleByEmail, startPerson } from './people.ts';
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
