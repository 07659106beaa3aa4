import { hash, randomBytes } from 'node:crypto';
import { API_KEY } from '../../../platform/contract/ids.ts';
import type { KeyPermission, Tier } from '../../../platform/contract/key-terms.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type Batched, lookUps } from '../../../platform/db/query/batch.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { type AddressList, addressList } from '../../../platform/http/address-list.ts';
import type { QuotaId } from '../../../platform/limits/rate-limit.ts';
import { type BindingLimit, bindingLimits, type StoredLimits } from '../limits/limits.ts';

export type { Mode };

const PREFIX = { live: 'esk_', sandbox: 'esk_test_' } as const;
const RANDOM_HEX = 32;
const CHECK_HEX = 8;

const checksum = (text: string): string => hash('sha256', text, 'hex').slice(0, CHECK_HEX);

/** 32 random hex characters and an 8-character checksum, so that a made-up key is rejected without a query. */
export function newKey(mode: Mode): string {
  const body = PREFIX[mode] + randomBytes(RANDOM_HEX / 2).toString('hex');
  return body + checksum(body);
}

/** Enough to recognise a key, but useless for a call. */
export const maskKey = (mode: Mode, last4: string): string => `${PREFIX[mode]}…${last4}`;

/** The mode a key claims by its prefix; undefined if it has neither prefix. */
export function claimedMode(key: string): Mode | undefined {
  if (key.startsWith(PREFIX.sandbox)) return 'sandbox';
  return key.startsWith(PREFIX.live) ? 'live' : undefined;
}

export function isWellFormed(key: string): boolean {
  if (!API_KEY.test(key)) return false;
  return checksum(key.slice(0, -CHECK_HEX)) === key.slice(-CHECK_HEX);
}

/** What the database stores of a key, in hex. */
export const keyHash = (key: string): string => hash('sha256', key, 'hex');

/** Who calls an endpoint: a key, or a panel member in place of a key. */
export interface Caller {
  readonly quota: QuotaId;
  readonly partnerId: number;
  readonly mode: Mode;
  readonly ceilings: Readonly<Partial<Record<Tier, number>>>;
  /** How far the test clock of the partner's sandbox is ahead of real time; always 0 in live. */
  readonly aheadMs: number;
  /** What bounds its purchases: the limits of the key, if there is one, and those of the partner. */
  readonly limits: readonly BindingLimit[];
}

/** What the edge needs to know about a key, in one row. */
export interface KnownKey extends Caller {
  readonly keyId: number;
  readonly partner: 'active' | 'disabled' | 'gone';
  /** Undefined: no restriction. */
  readonly allowed: AddressList | undefined;
  /** What it may do; undefined: it is not restricted. */
  readonly permissions: readonly KeyPermission[] | undefined;
  readonly expiresAt: number | undefined;
  /** Sealed; undefined: it was not found by its client id. */
  readonly clientSecret?: Buffer | undefined;
}

/** What `KeyDirectory` finds keys by: texts of this form, many at a time. */
export interface FoundBy {
  isWellFormed(text: string): boolean;
  lookUp(db: Db): Batched<string, KnownKey | undefined>;
}

const CLIENT_ID_BYTES = 16;

/** A client id and its secret, in characters that Airalo's own clients accept. */
export const newClient = () => ({
  clientId: randomBytes(CLIENT_ID_BYTES).toString('hex'),
  clientSecret: `wfa_${randomBytes(20).toString('hex')}`,
});

const MAX_BATCH = 500;

/**
 * Looks keys up, all that are waiting in one query, one query at a time. Anyone can compute the checksum of an invented key, so
 * a look-up must cost neither a connection nor a place in a queue: however many strangers call, they share one connection,
 * and a new partner's first call waits for two queries at most.
 */
const keyLookUp = (db: Db): Batched<string, KnownKey | undefined> =>
  lookUps(async (keys) => {
    const hashes = keys.map(keyHash);
    const isOne = sql`k.hash = any(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])`;
    const rows = new Map((await readKeys(db, isOne)).map((row) => [row.hash, known(row)]));
    return hashes.map((hash) => rows.get(hash));
  }, MAX_BATCH);

/** By the key itself. */
export const byKey: FoundBy = { isWellFormed, lookUp: keyLookUp };

/** By the client id that it has for software made for Airalo. */
export const byClient: FoundBy = {
  isWellFormed: (text) => /^[0-9a-f]{32}$/.test(text),
  lookUp: (db) =>
    lookUps(async (ids) => {
      const rows = await readKeys(db, sql`k.client_id = any(${ids}::text[])`);
      const keys = new Map(rows.map((row) => [row.clientId, { ...known(row), clientSecret: row.clientSecret }]));
      return ids.map((id) => keys.get(id));
    }, MAX_BATCH),
};

interface KeyRow {
  hash: string;
  clientId: string;
  clientSecret: Buffer;
  keyId: number;
  partnerId: number;
  mode: Mode;
  allowList: string[];
  permissions: KeyPermission[] | null;
  tierCeilings: Partial<Record<Tier, number>>;
  expiresAt: Date | null;
  /** Its partner, or its partner in live. */
  disabled: boolean;
  deletedAt: Date | null;
  aheadMs: number | null;
  limits: StoredLimits;
  partnerLimits: StoredLimits;
}

const readKeys = (db: Db, isOne: Sql): Promise<KeyRow[]> =>
  db.query(sql`
    select encode(k.hash, 'hex') as hash, k.id as "keyId", k.partner_id as "partnerId", k.mode,
      k.allow_list as "allowList", k.permissions, k.tier_ceilings as "tierCeilings", k.expires_at as "expiresAt",
      p.disabled or k.mode = 'live' and not p.live as disabled,
      k.limits, p.limits as "partnerLimits", p.deleted_at as "deletedAt",
      extract(epoch from c.ahead)::float8 * 1000 as "aheadMs", k.client_id as "clientId", k.client_secret as "clientSecret"
    from api_keys k join partners p on p.id = k.partner_id
    left join sandbox.account_clocks c on c.partner_id = k.partner_id and k.mode = 'sandbox'
    where ${isOne} and k.revoked_at is null`);

function known(row: KeyRow): KnownKey {
  return {
    keyId: row.keyId,
    quota: row.keyId,
    partnerId: row.partnerId,
    mode: row.mode,
    partner: row.deletedAt ? 'gone' : row.disabled ? 'disabled' : 'active',
    allowed: row.allowList.length > 0 ? addressList(row.allowList) : undefined,
    permissions: row.permissions ?? undefined,
    ceilings: row.tierCeilings,
    expiresAt: row.expiresAt?.getTime(),
    aheadMs: row.aheadMs ?? 0,
    limits: bindingLimits(row.limits, row.partnerLimits),
  };
}
