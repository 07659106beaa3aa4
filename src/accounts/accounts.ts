/** Partners, their API keys and who may use them from where. */
export {
  type ApiKey,
  createKey,
  listKeys,
  MAX_ACTIVE_KEYS,
  revokeKey,
  setKey,
  showKey,
} from './api-keys.ts';
export { KeyDirectory, type KnownKey } from './key-directory.ts';
export { claimedMode, type Mode } from './key-format.ts';
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
export { Refused } from './refused.ts';
