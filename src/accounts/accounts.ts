/** Partners, their API keys and who may use them from where, and the people who sign in to the panel. */
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
export { type Caller, KeyDirectory, type KnownKey, type QuotaId } from './key-directory.ts';
export { claimedMode, type Mode, maskKey } from './key-format.ts';
export {
  checkNotLast,
  createMember,
  findMember,
  listMembers,
  MAX_MEMBERS,
  type Member,
  memberByEmail,
  removeMember,
} from './members.ts';
export { createLink, LINK_MS, type LinkHolder, linkAddress, showLink, useLink } from './one-time-link.ts';
export {
  type BillingMode,
  createPartner,
  deletePartner,
  findPartner,
  listPartners,
  type NewPartner,
  type Partner,
  type PartnerChange,
  SANDBOX_OPENING,
  setPartner,
} from './partners.ts';
export { checkPassword, hashPassword, PASSWORD_LENGTH } from './password.ts';
export { endSession, findSession, IDLE_MS, MAX_SESSIONS, openSession, SESSION_MS, type Session } from './sessions.ts';
export { type Credentials, provePassword, setPassword, signIn, stillProven } from './sign-in.ts';
