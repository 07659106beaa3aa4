import { badAddresses } from '../address-list.ts';
import type { Tier } from '../contract/tiers.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';
import { keyHash, type Mode, newKey } from './key-format.ts';

/** Active keys an account may have, per mode. */
export const MAX_ACTIVE_KEYS: Record<Mode, number> = { live: 5, sandbox: 2 };

export interface ApiKey {
  key_id: number;
  partner_id: number;
  mode: Mode;
  last4: string;
  allow_list: string[];
  tier_ceilings: Partial<Record<Tier, number>>;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  refused_address: string | null;
  refused_at: Date | null;
}

export interface NewKey {
  partnerId: number;
  mode: Mode;
  allowList?: readonly string[];
  expiresAt?: Date | undefined;
}

/** Makes a key. The key itself exists only in the answer: what is stored is its hash. */
export async function createKey(tx: Tx, wanted: NewKey): Promise<{ key: string; key_id: number }> {
  const allowList = checkedAllowList(wanted.allowList ?? []);
  const partner = await tx.maybe(sql`
    select id from partners where id = ${wanted.partnerId} and deleted_at is null for no key update`);
  if (!partner) throw new Refused('partner_not_found');
  const key = newKey(wanted.mode);
  const { id } = await tx.one<{ id: number }>(sql`
    insert into api_keys (partner_id, mode, hash, last4, allow_list, expires_at)
    values (${wanted.partnerId}, ${wanted.mode}, decode(${keyHash(key)}, 'hex'), ${key.slice(-4)}, ${allowList}, ${wanted.expiresAt ?? null})
    returning id`);
  await checkLimit(tx, wanted.partnerId, wanted.mode);
  return { key, key_id: id };
}

/** Asked after a change, with the partner's row locked: two changes at once never leave more active keys than allowed. */
async function checkLimit(tx: Tx, partnerId: number, mode: Mode): Promise<void> {
  const { active } = await tx.one<{ active: number }>(sql`
    select count(*)::int as active from api_keys
    where partner_id = ${partnerId} and mode = ${mode} and revoked_at is null
      and (expires_at is null or expires_at > now())`);
  if (active > MAX_ACTIVE_KEYS[mode]) throw new Refused('key_limit_reached');
}

export function checkedAllowList(entries: readonly string[]): readonly string[] {
  // A zone (`fe80::1%eth0`) is a name on one machine: no request comes from one, and anything at all can be written there.
  const [bad = entries.find((entry) => entry.includes('%'))] = badAddresses(entries);
  if (bad !== undefined) throw new Refused('invalid_allow_list', `"${bad}" is not an address or CIDR block`);
  return entries;
}

export async function revokeKey(tx: Tx, keyId: number): Promise<void> {
  const changed = await tx.run(sql`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${keyId}`);
  if (changed === 0) throw new Refused('key_not_found');
}

export interface KeyChange {
  allowList?: readonly string[];
  expiresAt?: Date | null;
  /** Null: back to the default. */
  ceilings?: Partial<Record<Tier, number | null>>;
}

export async function setKey(tx: Tx, keyId: number, change: KeyChange): Promise<void> {
  const key = await tx.maybe<{ partner_id: number; mode: Mode }>(sql`
    select k.partner_id, k.mode from api_keys k join partners p on p.id = k.partner_id
    where k.id = ${keyId} and k.revoked_at is null for no key update`);
  if (!key) throw new Refused('key_not_found');
  await tx.run(sql`
    update api_keys set
      allow_list = coalesce(${change.allowList ? checkedAllowList(change.allowList) : null}, allow_list),
      expires_at = case when ${change.expiresAt !== undefined} then ${change.expiresAt ?? null} else expires_at end,
      tier_ceilings = jsonb_strip_nulls(tier_ceilings || ${JSON.stringify(change.ceilings ?? {})}::jsonb)
    where id = ${keyId}`);
  // A later expiry can bring an expired key back.
  if (change.expiresAt !== undefined) await checkLimit(tx, key.partner_id, key.mode);
}

const columns = sql`
  id as key_id, partner_id, mode, last4, allow_list, tier_ceilings, created_at, expires_at, revoked_at, last_used_at,
  refused_address, refused_at`;

export async function showKey(db: Queryable, keyId: number): Promise<ApiKey> {
  const key = await db.maybe<ApiKey>(sql`select ${columns} from api_keys where id = ${keyId}`);
  if (!key) throw new Refused('key_not_found');
  return key;
}

export function listKeys(db: Queryable, partnerId: number): Promise<ApiKey[]> {
  return db.query(sql`select ${columns} from api_keys where partner_id = ${partnerId} order by id`);
}

/** Newest first; of the revoked ones, which only ever become more, the latest. */
export const MAX_REVOKED_SHOWN = 100;
export function latestKeys(db: Queryable, partnerId: number): Promise<ApiKey[]> {
  return db.query(sql`
    (select ${columns} from api_keys where partner_id = ${partnerId} and revoked_at is null)
    union all
    (select ${columns} from api_keys where partner_id = ${partnerId} and revoked_at is not null
      order by id desc limit ${MAX_REVOKED_SHOWN})
    order by key_id desc`);
}
