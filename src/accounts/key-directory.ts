import { type AddressList, addressList } from '../address-list.ts';
import type { Tier } from '../contract/tiers.ts';
import type { Db } from '../db/database.ts';
import type { Listener } from '../db/listen.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import { isWellFormed, keyHash, type Mode } from './key-format.ts';

/** Whose calls are counted together: a key's number, or a member of the panel, whose numbers are others. */
export type QuotaId = number | `member:${number}`;

/** Who calls an endpoint: a key, or a member of the panel in a key's place. */
export interface Caller {
  readonly quota: QuotaId;
  readonly partnerId: number;
  readonly mode: Mode;
  readonly ceilings: Readonly<Partial<Record<Tier, number>>>;
  /** How far the account's time is ahead of the real one: a test clock that was turned. Never in live. */
  readonly aheadMs: number;
}

/** What the edge must know of a key, in one row. */
export interface KnownKey extends Caller {
  readonly keyId: number;
  readonly partner: 'active' | 'disabled' | 'gone';
  /** Undefined: no restriction. */
  readonly allowed: AddressList | undefined;
  readonly expiresAt: number | undefined;
}

const MAX_KNOWN = 100_000;
/** How often use and refusals are written. */
const FLUSH_MS = 200;

/**
 * Keys in memory. A warm key takes no query; a change in any process clears the memory by notification, and while the
 * notification connection is down nothing is remembered at all.
 */
export class KeyDirectory {
  /** By the key as it is sent, in this process's memory only: a hash at every request would cost more than all the gates. */
  private known = new Map<string, KnownKey | undefined>();
  private asking = new Map<string, Promise<KnownKey | undefined>>();
  private generation = 0;
  private used = new Map<number, number>();
  private refused = new Map<number, { address: string; at: number }>();
  private readonly timer: NodeJS.Timeout;
  private readonly db: Db;
  private readonly listener: Listener;
  private readonly log: Log;

  constructor(db: Db, listener: Listener, log: Log) {
    this.db = db;
    this.listener = listener;
    this.log = log;
    listener.on('wayfare_accounts', () => this.forget());
    listener.onReconnect(() => this.forget());
    this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  /** The key's row, or undefined when it is unknown or revoked. Expiry is the caller's to check: it depends on the time. */
  find(key: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    if (this.listener.healthy && this.known.has(key)) return this.known.get(key);
    if (!isWellFormed(key)) return undefined;
    const running = this.asking.get(key);
    if (running) return running;
    const asked = this.ask(key).finally(() => this.asking.delete(key));
    this.asking.set(key, asked);
    return asked;
  }

  private async ask(text: string): Promise<KnownKey | undefined> {
    const asked = this.generation;
    const row = await this.db.maybe<KeyRow>(sql`
      select k.id, k.partner_id, k.mode, k.allow_list, k.tier_ceilings, k.expires_at, p.disabled, p.deleted_at,
        extract(epoch from c.ahead)::float8 * 1000 as ahead_ms
      from api_keys k join partners p on p.id = k.partner_id
      left join sandbox.account_clocks c on c.partner_id = k.partner_id and k.mode = 'sandbox'
      where k.hash = decode(${keyHash(text)}, 'hex') and k.revoked_at is null`);
    const key = row && known(row);
    // A change that was announced while we asked may not be in the answer.
    if (asked === this.generation) {
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      this.known.set(text, key);
    }
    return key;
  }

  private forget(): void {
    this.generation++;
    this.known.clear();
    // A request that comes now must not join a question asked before the change.
    this.asking.clear();
  }

  /** Remembered here and written in batches: a request waits for neither, and a flood of refusals costs a few statements a second. */
  recordUse(keyId: number, now: number): void {
    this.used.set(keyId, now);
  }

  recordRefusal(keyId: number, address: string, now: number): void {
    this.refused.set(keyId, { address, at: now });
  }

  private async flush(): Promise<void> {
    const [used, refused] = [this.used, this.refused];
    const left = new Set([...used.keys(), ...refused.keys()]);
    if (left.size === 0) return;
    this.used = new Map();
    this.refused = new Map();
    try {
      for (const { id } of await this.record([...left], used, refused)) left.delete(id);
    } catch (error) {
      this.log.warn({ err: error }, 'use and refusals of keys could not be recorded; trying again');
    }
    for (const id of left) {
      const [at, refusal] = [used.get(id), refused.get(id)];
      if (at !== undefined && !this.used.has(id)) this.used.set(id, at);
      if (refusal !== undefined && !this.refused.has(id)) this.refused.set(id, refusal);
    }
  }

  /** A row another process is writing at this moment is left for the next batch: nobody waits, and two batches cannot deadlock. */
  private record(ids: readonly number[], used: KeyDirectory['used'], refused: KeyDirectory['refused']) {
    const date = (at: number | undefined) => (at === undefined ? null : new Date(at));
    return this.db.query<{ id: number }>(sql`
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
    clearInterval(this.timer);
    await this.flush();
  }
}

interface KeyRow {
  id: number;
  partner_id: number;
  mode: Mode;
  allow_list: string[];
  tier_ceilings: Partial<Record<Tier, number>>;
  expires_at: Date | null;
  disabled: boolean;
  deleted_at: Date | null;
  ahead_ms: number | null;
}

function known(row: KeyRow): KnownKey {
  return {
    keyId: row.id,
    quota: row.id,
    partnerId: row.partner_id,
    mode: row.mode,
    partner: row.deleted_at ? 'gone' : row.disabled ? 'disabled' : 'active',
    allowed: row.allow_list.length > 0 ? addressList(row.allow_list) : undefined,
    ceilings: row.tier_ceilings,
    expiresAt: row.expires_at?.getTime(),
    aheadMs: row.ahead_ms ?? 0,
  };
}
