import { type AddressList, addressList } from '../address-list.ts';
import type { Tier } from '../contract/tiers.ts';
import type { Db } from '../db/database.ts';
import type { Listener } from '../db/listen.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import { isWellFormed, keyHash, type Mode } from './key-format.ts';

/** Whose calls are counted together: a key's id, or a panel member's, marked because ids of keys and members overlap. */
export type QuotaId = number | `member:${number}`;

/** Who calls an endpoint: a key, or a panel member in place of a key. */
export interface Caller {
  readonly quota: QuotaId;
  readonly partnerId: number;
  readonly mode: Mode;
  readonly ceilings: Readonly<Partial<Record<Tier, number>>>;
  /** How far the test clock of the partner's sandbox is ahead of real time; always 0 in live. */
  readonly aheadMs: number;
}

/** What the edge needs to know about a key, in one row. */
export interface KnownKey extends Caller {
  readonly keyId: number;
  readonly partner: 'active' | 'disabled' | 'gone';
  /** Undefined: no restriction. */
  readonly allowed: AddressList | undefined;
  readonly expiresAt: number | undefined;
}

/** By key id: when it was last used, and the last refusal of its address. */
type Uses = Map<number, number>;
type Refusals = Map<number, { readonly address: string; readonly at: number }>;

const MAX_KNOWN = 100_000;
/** How often uses and refusals are written. */
const FLUSH_MS = 200;

/**
 * Keys in memory. A key that was seen before takes no query. A change in any process clears the memory by notification, and
 * while the notification connection is down every key is read from the database.
 */
export class KeyDirectory {
  /** By the key as sent, in this process's memory only: hashing it at every request would cost more than all the gates together. */
  #known = new Map<string, KnownKey | undefined>();
  #asking = new Map<string, Promise<KnownKey | undefined>>();
  #generation = 0;
  #used: Uses = new Map();
  #refused: Refusals = new Map();
  readonly #timer: NodeJS.Timeout;
  readonly #db: Db;
  readonly #listener: Listener;
  readonly #log: Log;

  constructor(db: Db, listener: Listener, log: Log) {
    this.#db = db;
    this.#listener = listener;
    this.#log = log;
    listener.on('wayfare_accounts', () => this.#forget());
    listener.onReconnect(() => this.#forget());
    this.#timer = setInterval(() => void this.#flush(), FLUSH_MS).unref();
  }

  /** The key's row, or undefined if it is unknown or revoked. The caller checks the expiry, because it depends on the time. */
  find(key: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    if (this.#listener.healthy && this.#known.has(key)) return this.#known.get(key);
    if (!isWellFormed(key)) return undefined;
    const running = this.#asking.get(key);
    if (running) return running;
    const asked = this.#ask(key).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asked);
    return asked;
  }

  async #ask(text: string): Promise<KnownKey | undefined> {
    const asked = this.#generation;
    const row = await this.#db.maybe<KeyRow>(sql`
      select k.id as "keyId", k.partner_id as "partnerId", k.mode, k.allow_list as "allowList",
        k.tier_ceilings as "tierCeilings", k.expires_at as "expiresAt", p.disabled, p.deleted_at as "deletedAt",
        extract(epoch from c.ahead)::float8 * 1000 as "aheadMs"
      from api_keys k join partners p on p.id = k.partner_id
      left join sandbox.account_clocks c on c.partner_id = k.partner_id and k.mode = 'sandbox'
      where k.hash = decode(${keyHash(text)}, 'hex') and k.revoked_at is null`);
    const key = row && known(row);
    // A change announced while the query ran may be missing from its answer: do not remember that.
    if (asked === this.#generation) {
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(text, key);
    }
    return key;
  }

  #forget(): void {
    this.#generation++;
    this.#known.clear();
    // A request that comes now must not wait for a query that began before the change.
    this.#asking.clear();
  }

  /** Written in batches later: the request does not wait, and a flood of refusals costs a few statements a second. */
  recordUse(keyId: number, now: number): void {
    this.#used.set(keyId, now);
  }

  recordRefusal(keyId: number, address: string, now: number): void {
    this.#refused.set(keyId, { address, at: now });
  }

  async #flush(): Promise<void> {
    const [used, refused] = [this.#used, this.#refused];
    const left = new Set([...used.keys(), ...refused.keys()]);
    if (left.size === 0) return;
    this.#used = new Map();
    this.#refused = new Map();
    try {
      for (const { id } of await this.#record([...left], used, refused)) left.delete(id);
    } catch (error) {
      this.#log.warn({ err: error }, 'uses and refusals of keys could not be recorded; retrying');
    }
    for (const id of left) {
      const [at, refusal] = [used.get(id), refused.get(id)];
      if (at !== undefined && !this.#used.has(id)) this.#used.set(id, at);
      if (refusal !== undefined && !this.#refused.has(id)) this.#refused.set(id, refusal);
    }
  }

  /** Skips rows another process is writing right now and leaves them for the next batch, so two batches cannot deadlock. */
  #record(ids: readonly number[], used: Uses, refused: Refusals) {
    const date = (at: number | undefined) => (at === undefined ? null : new Date(at));
    return this.#db.query<{ id: number }>(sql`
      with seen as (
        select * from unnest(
          ${ids}::int[],
          ${ids.map((id) => date(used.get(id)))}::timestamptz[],
          ${ids.map((id) => refused.get(id)?.address ?? null)}::text[],
          ${ids.map((id) => date(refused.get(id)?.at))}::timestamptz[]
        ) as seen (id, used_at, refused_address, refused_at)
      ), free as (
        select id from api_keys where id = any(${ids}::int[]) for no key update skip locked
      )
      update api_keys set
        last_used_at = greatest(last_used_at, seen.used_at),
        refused_address = coalesce(seen.refused_address, api_keys.refused_address),
        refused_at = coalesce(seen.refused_at, api_keys.refused_at)
      from seen join free using (id)
      where api_keys.id = seen.id
      returning api_keys.id`);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }
}

interface KeyRow {
  keyId: number;
  partnerId: number;
  mode: Mode;
  allowList: string[];
  tierCeilings: Partial<Record<Tier, number>>;
  expiresAt: Date | null;
  disabled: boolean;
  deletedAt: Date | null;
  aheadMs: number | null;
}

function known(row: KeyRow): KnownKey {
  return {
    keyId: row.keyId,
    quota: row.keyId,
    partnerId: row.partnerId,
    mode: row.mode,
    partner: row.deletedAt ? 'gone' : row.disabled ? 'disabled' : 'active',
    allowed: row.allowList.length > 0 ? addressList(row.allowList) : undefined,
    ceilings: row.tierCeilings,
    expiresAt: row.expiresAt?.getTime(),
    aheadMs: row.aheadMs ?? 0,
  };
}
