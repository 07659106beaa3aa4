import { type ApiKey, maskKey, spendingLimitText } from '../../../domains/partners/keys/keys.ts';
import { iso } from '../json/action.ts';

export const keyView = (key: ApiKey) => ({
  id: key.keyId,
  mode: key.mode,
  name: key.name,
  note: key.note,
  mask: maskKey(key.mode, key.last4),
  allow_list: key.allowList,
  /** What it may do; null if it is not restricted. */
  permissions: key.permissions,
  /** What agents may spend with it, as `50.00/day`; '' if they can only read. */
  spending_limit: spendingLimitText(key),
  created_at: iso(key.createdAt),
  expires_at: iso(key.expiresAt),
  revoked_at: iso(key.revokedAt),
  last_used_at: iso(key.lastUsedAt),
  refused_address: key.refusedAddress,
  refused_at: iso(key.refusedAt),
});

export type KeyView = ReturnType<typeof keyView>;
