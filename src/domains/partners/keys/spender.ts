import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { type BindingLimit, bindingLimits, type StoredLimits } from '../limits/limits.ts';
import type { Mode } from './key-rows.ts';

/** Who spends when no request does: an account, by the key or the member that arranged it. */
interface Spender {
  readonly partnerId: number;
  /** Null: a member. */
  readonly keyId: number | null;
}

/**
 * What bounds purchases that are made without a request. A key that was revoked since still bounds what it arranged.
 * `isOpen`: the account could buy by itself.
 */
export async function spenderTerms(
  db: Queryable,
  { partnerId, keyId }: Spender,
  mode: Mode,
): Promise<{ readonly isOpen: boolean; readonly limits: readonly BindingLimit[] }> {
  const row = await db.maybe<{ isOpen: boolean; limits: StoredLimits | null; partnerLimits: StoredLimits }>(sql`
    select not (p.disabled or ${mode === 'live'} and not p.live) and p.deleted_at is null as "isOpen", k.limits,
      p.limits as "partnerLimits"
    from partners p left join api_keys k on k.id = ${keyId}::int and k.partner_id = p.id where p.id = ${partnerId}`);
  return { isOpen: row?.isOpen ?? false, limits: bindingLimits(row?.limits ?? [], row?.partnerLimits ?? []) };
}
