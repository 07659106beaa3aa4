/** API keys, and the keys in memory that the edge asks. */
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
