import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Mode } from './key-format.ts';

export type Seal = (text: string) => Buffer;

/**
 * A sandbox key is also kept sealed, so that samples can show it to those who could make one anyway: it moves no money. Never a live
 * key, which the table refuses, too, and not a restricted one, with which most samples would fail.
 */
export const sealedSample = (
  { mode, permissions }: { readonly mode: Mode; readonly permissions?: readonly string[] | undefined },
  key: string,
  seal: Seal,
): Buffer | null => (mode === 'sandbox' && !permissions ? seal(key) : null);

/** The partner's newest sandbox key that works for every sample from everywhere; undefined: none of those can be read. */
export async function sampleKey(
  db: Queryable,
  partnerId: number,
  { now, open }: { readonly now: number; readonly open: (sealed: Buffer) => string },
): Promise<{ readonly key: string; readonly name: string } | undefined> {
  const found = await db.maybe<{ sealed: Buffer; name: string }>(sql`
    select sealed, name from api_keys
    where partner_id = ${partnerId} and mode = 'sandbox' and revoked_at is null and sealed is not null
      and permissions is null and allow_list = '{}' and (expires_at is null or expires_at > ${new Date(now)})
    order by id desc limit 1`);
  return found && { key: open(found.sealed), name: found.name };
}
