/** API keys, what agents may spend with them, and the keys in memory that the edge asks. */
export {
  type Ended,
  endPurchase,
  readSpendingLimit,
  reservePurchase,
  type SpendingLimit,
  spendingLimitText,
  spentBy,
  unendedPurchases,
} from './agent-purchases.ts';
export {
  type ApiKey,
  createKey,
  findKey,
  type KeyChange,
  keysEndingIn,
  latestKeys,
  listKeys,
  type NewKey,
  revokeKey,
  sampleKey,
  setKey,
} from './api-keys.ts';
export { KeyDirectory } from './key-directory.ts';
export { claimedMode, maskKey } from './key-format.ts';
export type { Caller, KnownKey } from './key-rows.ts';
