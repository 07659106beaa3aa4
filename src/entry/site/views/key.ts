import { type ApiKey, maskKey } from '../../../domains/partners/keys/keys.ts';
import { limitsText } from '../../../domains/partners/limits/limits.ts';
import { type LimitUse, limitValues } from '../../../domains/sales/purchase/purchase.ts';
import { limitBody } from '../../../platform/contract/resources.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../json/action.ts';

const keyView = (key: ApiKey, uses: readonly LimitUse[]) => ({
  id: key.keyId,
  mode: key.mode,
  name: key.name,
  note: key.note,
  mask: maskKey(key.mode, key.last4),
  allow_list: key.allowList,
  /** What it may do; null if it is not restricted. */
  permissions: key.permissions,
  /** What it may spend, with its use; and as it is typed: `day=500.00, hour=20x`. */
  limits: uses.map((use) => ({ ...limitBody(limitValues(use)), resets_at: iso(use.resetsAt) })),
  limits_text: limitsText(key.limits),
  created_at: iso(key.createdAt),
  expires_at: iso(key.expiresAt),
  revoked_at: iso(key.revokedAt),
  last_used_at: iso(key.lastUsedAt),
  refused_address: key.refusedAddress,
  refused_at: iso(key.refusedAt),
});

export type KeyView = ReturnType<typeof keyView>;

/** Keys of one partner, whose sandbox is so far ahead of real time. A key that is revoked spends nothing any more. */
export function keyViews(
  { worlds }: Pick<Base, 'worlds'>,
  keys: readonly ApiKey[],
  { now, aheadMs }: { readonly now: number; readonly aheadMs: number },
): Promise<KeyView[]> {
  return Promise.all(
    keys.map(async (key) => {
      const { keyId, partnerId, mode, revokedAt } = key;
      const limits = revokedAt ? [] : key.limits.map((limit) => ({ ...limit, scope: 'key' as const }));
      const at = new Date(mode === 'sandbox' ? now + aheadMs : now);
      return keyView(key, await worlds[mode].checkout.limitUses({ partnerId, keyId, limits, at }));
    }),
  );
}
