import { type KeyPermission, keyPermissions, type Tier } from '../../../platform/contract/key-terms.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import { badAddresses } from '../../../platform/http/address-list.ts';
import { findPartner, requireOpenPartner } from '../accounts/accounts.ts';
import {
  type BindingLimit,
  bindingLimits,
  type Limit,
  limitsIn,
  type StoredLimits,
  storedLimits,
} from '../limits/limits.ts';
import { keyHash, type Mode, newClient, newKey } from './key-rows.ts';

const MAX_ACTIVE_KEYS: Record<Mode, number> = { live: 5, sandbox: 2 };

export interface ApiKey {
  keyId: number;
  partnerId: number;
  mode: Mode;
  /** What the partner calls it, and what they want to remember about it; '' if nothing. */
  name: string;
  note: string;
  last4: string;
  allowList: string[];
  /** What it may do; null: it is not restricted. */
  permissions: KeyPermission[] | null;
  tierCeilings: Partial<Record<Tier, number>>;
  /** What it may spend. With none, agents can only read with it. */
  limits: Limit[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** For software made for Airalo; null: it has none. */
  clientId: string | null;
  /** The last address outside the allow-list that used the key. */
  refusedAddress: string | null;
  refusedAt: Date | null;
}

export interface NewKey {
  partnerId: number;
  mode: Mode;
  name?: string | undefined;
  note?: string | undefined;
  allowList?: readonly string[];
  /** What it may do, for good; undefined: it is not restricted. */
  permissions?: readonly string[] | undefined;
  expiresAt?: Date | null | undefined;
  /** It gets a client id and a secret for software made for Airalo, too. */
  isAiralo?: boolean | undefined;
}

export interface MadeKey {
  readonly key: string;
  readonly keyId: number;
  readonly client?: { readonly clientId: string; readonly clientSecret: string } | undefined;
}

/**
 * Makes a key. The key itself is only in the answer; the database gets its hash, and of a sandbox key, if there is a `seal`, what
 * `sampleKey` reads. The secret of a client is sealed.
 */
export async function createKey(tx: Tx, wanted: NewKey, seal?: Seal): Promise<MadeKey> {
  const allowList = requireAllowList(wanted.allowList ?? []);
  await requireOpenPartner(tx, wanted.partnerId);
  if (wanted.mode === 'live' && !(await findPartner(tx, wanted.partnerId)).isLive) throw new Refused('live_not_open');
  const key = newKey(wanted.mode);
  const client = wanted.isAiralo && seal ? newClient() : undefined;
  const { keyId } = await tx.one<{ keyId: number }>(sql`
    insert into api_keys (partner_id, mode, hash, last4, name, note, allow_list, permissions, expires_at, sealed, client_id, client_secret)
    values (${wanted.partnerId}, ${wanted.mode}, decode(${keyHash(key)}, 'hex'), ${key.slice(-4)},
      ${requireText('name', wanted.name ?? '')}, ${requireText('note', wanted.note ?? '')}, ${allowList},
      ${wanted.permissions ? requirePermissions(wanted.permissions) : null}, ${wanted.expiresAt ?? null},
      ${seal ? sealedSample(wanted, key, seal) : null}, ${client?.clientId ?? null},
      ${client && seal ? seal(client.clientSecret) : null})
    returning id as "keyId"`);
  await requireWithinLimit(tx, wanted.partnerId, wanted.mode);
  return { key, keyId, client };
}

/** Checked after the change, with the partner's row locked, so that two changes at once cannot exceed the limit. */
async function requireWithinLimit(tx: Tx, partnerId: number, mode: Mode): Promise<void> {
  const { active } = await tx.one<{ active: number }>(sql`
    select count(*)::int as active from api_keys
    where partner_id = ${partnerId} and mode = ${mode} and revoked_at is null
      and (expires_at is null or expires_at > now())`);
  if (active > MAX_ACTIVE_KEYS[mode]) throw new Refused('key_limit_reached');
}

const MAX_LENGTH = { name: 60, note: 500 } as const;

/** Of a name or note; control characters would spoil lists and terminals. */
function requireText(field: keyof typeof MAX_LENGTH, given: string): string {
  const text = given.trim();
  if (text.length > MAX_LENGTH[field])
    throw new Refused(`${field}_too_long`, `a ${field} has at most ${MAX_LENGTH[field]} characters`);
  if (/[^\P{C}\n]/u.test(field === 'note' ? text : text.replaceAll('\n', '\0')))
    throw new Refused(`invalid_${field}`, `the ${field} has characters that cannot be shown`);
  return text;
}

function requireAllowList(entries: readonly string[]): readonly string[] {
  // A zone (`fe80::1%eth0`) only means something on one machine: no request comes from one, and it may contain any text.
  const [bad = entries.find((entry) => entry.includes('%'))] = badAddresses(entries);
  if (bad !== undefined) throw new Refused('invalid_allow_list', `"${bad}" is not an address or CIDR block`);
  return entries;
}

/** Without duplicates, in our order. */
function requirePermissions(chosen: readonly string[]): KeyPermission[] {
  const known = keyPermissions.filter((name) => chosen.includes(name));
  if (known.length === 0 || chosen.some((name) => !known.some((one) => one === name)))
    throw new Refused('invalid_permissions', `choose one or more of ${keyPermissions.join(', ')}`);
  return known;
}

export async function revokeKey(tx: Tx, keyId: number): Promise<void> {
  const changed = await tx.run(sql`
    update api_keys set revoked_at = coalesce(revoked_at, now()), sealed = null, client_secret = null where id = ${keyId}`);
  if (changed === 0) throw new Refused('key_not_found');
}

export interface KeyChange {
  name?: string | undefined;
  note?: string | undefined;
  allowList?: readonly string[];
  expiresAt?: Date | null;
  /** Null restores the default. */
  ceilings?: Partial<Record<Tier, number | null>>;
  limits?: readonly Limit[];
}

export async function setKey(tx: Tx, keyId: number, change: KeyChange): Promise<void> {
  const key = await tx.maybe<{ partnerId: number; mode: Mode }>(sql`
    select k.partner_id as "partnerId", k.mode from api_keys k join partners p on p.id = k.partner_id
    where k.id = ${keyId} and k.revoked_at is null for no key update`);
  if (!key) throw new Refused('key_not_found');
  await requireOpenPartner(tx, key.partnerId);
  await tx.run(sql`
    update api_keys set
      name = coalesce(${change.name === undefined ? null : requireText('name', change.name)}, name),
      note = coalesce(${change.note === undefined ? null : requireText('note', change.note)}, note),
      allow_list = coalesce(${change.allowList ? requireAllowList(change.allowList) : null}, allow_list),
      expires_at = case when ${change.expiresAt !== undefined} then ${change.expiresAt ?? null} else expires_at end,
      tier_ceilings = jsonb_strip_nulls(tier_ceilings || ${JSON.stringify(change.ceilings ?? {})}::jsonb),
      limits = coalesce(${change.limits ? storedLimits(change.limits) : null}::jsonb, limits)
    where id = ${keyId}`);
  // A later expiry can make an expired key active again.
  if (change.expiresAt !== undefined) await requireWithinLimit(tx, key.partnerId, key.mode);
}

const columns = sql`
  id as "keyId", partner_id as "partnerId", mode, name, note, last4, allow_list as "allowList", permissions, tier_ceilings as "tierCeilings",
  client_id as "clientId", limits, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
  refused_address as "refusedAddress", refused_at as "refusedAt"`;

export async function findKey(db: Queryable, keyId: number): Promise<ApiKey> {
  const key = await db.maybe<KeyRow>(sql`select ${columns} from api_keys where id = ${keyId}`);
  if (!key) throw new Refused('key_not_found');
  return keyOf(key);
}

type KeyRow = Omit<ApiKey, 'limits'> & { limits: StoredLimits };
const keyOf = (row: KeyRow): ApiKey => ({ ...row, limits: limitsIn(row.limits) });

export async function listKeys(db: Queryable, partnerId: number): Promise<ApiKey[]> {
  const rows = await db.query<KeyRow>(sql`select ${columns} from api_keys where partner_id = ${partnerId} order by id`);
  return rows.map(keyOf);
}

/** Revoked keys only ever grow in number, so the panel shows the latest of them. */
const MAX_REVOKED_SHOWN = 100;

export async function latestKeys(db: Queryable, partnerId: number): Promise<ApiKey[]> {
  const rows = await db.query<KeyRow>(sql`
    (select ${columns} from api_keys where partner_id = ${partnerId} and revoked_at is null)
    union all
    (select ${columns} from api_keys where partner_id = ${partnerId} and revoked_at is not null
      order by id desc limit ${MAX_REVOKED_SHOWN})
    order by "keyId" desc`);
  return rows.map(keyOf);
}

type FoundKey = Pick<ApiKey, 'keyId' | 'partnerId' | 'mode' | 'name' | 'last4'> & { readonly isRevoked: boolean };

/** Keys by the four characters that are shown of them; active ones first. */
export function keysEndingIn(db: Queryable, last4: string, mode: Mode | undefined, limit: number): Promise<FoundKey[]> {
  return db.query(sql`
    select id as "keyId", partner_id as "partnerId", mode, name, last4,
      revoked_at is not null as "isRevoked"
    from api_keys
    where last4 = ${last4} ${mode === undefined ? nothing : sql`and mode = ${mode}`}
    order by revoked_at is not null, id desc limit ${limit}`);
}

type Seal = (text: string) => Buffer;

/**
 * A sandbox key is also kept sealed, so that samples can show it to those who could make one anyway: it moves no money. Never a live
 * key, which the table refuses, too, and not a restricted one, with which most samples would fail.
 */
const sealedSample = (
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

/** API keys, and the keys in memory that the edge asks. */
export { KeyDirectory } from './key-directory.ts';
export { byClient, type Caller, claimedMode, type KnownKey, maskKey } from './key-rows.ts';

/** The sealed secret with which webhooks to the client of a key are signed; undefined: it has none, or may no longer be used. */
export async function clientSecretOf(db: Queryable, keyId: number, now: number): Promise<Buffer | undefined> {
  const row = await db.maybe<{ secret: Buffer }>(sql`
    select client_secret as secret from api_keys k join partners p on p.id = k.partner_id and p.deleted_at is null
    where k.id = ${keyId} and revoked_at is null and client_secret is not null
      and (expires_at is null or expires_at > ${new Date(now)})`);
  return row?.secret;
}

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
