import type { Tier } from '../api/tiers.ts';
import type { Db } from '../db/database.ts';
import type { Listener } from '../db/listen.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import { type AddressList, addressList } from './address-list.ts';
import { isWellFormed, keyHash, type Mode } from './key-format.ts';

/** What the edge must know of a key, in one row. */
export interface KnownKey {
  readonly keyId: number;
  readonly partnerId: number;
  readonly mode: Mode;
  readonly partner: 'active' | 'disabled' | 'gone';
  /** Undefined: no restriction. */
  readonly allowed: AddressList | undefined;
  readonly ceilings: Readonly<Partial<Record<Tier, number>>>;
  readonly expiresAt: number | undefined;
}

const MAX_KNOWN = 100_000;
const FLUSH_MS = 250;

/**
 * Keys in memory. A warm key takes no query; a change in any process clears the memory by notification, and while the
 * notification connection is down nothing is remembered at all.
 */
export class KeyDirectory {
  private known = new Map<string, KnownKey | undefined>();
  private asking = new Map<string, Promise<KnownKey | undefined>>();
  private generation = 0;
  private used = new Map<number, number>();
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
    const hash = keyHash(key);
    if (this.listener.healthy && this.known.has(hash)) return this.known.get(hash);
    if (!isWellFormed(key)) return undefined;
    const running = this.asking.get(hash);
    if (running) return running;
    const asked = this.ask(hash).finally(() => this.asking.delete(hash));
    this.asking.set(hash, asked);
    return asked;
  }

  private async ask(hash: string): Promise<KnownKey | undefined> {
    const asked = this.generation;
    const row = await this.db.maybe<KeyRow>(sql`
      select k.id, k.partner_id, k.mode, k.allow_list, k.tier_ceilings, k.expires_at, p.disabled, p.deleted_at
      from api_keys k join partners p on p.id = k.partner_id
      where k.hash = decode(${hash}, 'hex') and k.revoked_at is null`);
    const key = row && known(row);
    // A change that was announced while we asked may not be in the answer.
    if (asked === this.generation) {
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      this.known.set(hash, key);
    }
    return key;
  }

  private forget(): void {
    this.generation++;
    this.known.clear();
    // A request that comes now must not join a question asked before the change.
    this.asking.clear();
  }

  /** Remembered here, written in batches: use is recorded off the request's path. */
  recordUse(keyId: number, now: number): void {
    this.used.set(keyId, now);
  }

  async recordRefusal(keyId: number, address: string, now: number): Promise<void> {
    await this.db.run(sql`
      update api_keys set refused_address = ${address}, refused_at = ${new Date(now)} where id = ${keyId}`);
  }

  private async flush(): Promise<void> {
    if (this.used.size === 0) return;
    const used = this.used;
    this.used = new Map();
    try {
      await this.db.run(sql`
        update api_keys set last_used_at = used.at
        from unnest(${[...used.keys()]}::int[], ${[...used.values()].map((at) => new Date(at))}::timestamptz[]) as used (id, at)
        where api_keys.id = used.id`);
    } catch (error) {
      this.log.warn({ err: error }, 'last use of keys could not be recorded');
    }
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
}

function known(row: KeyRow): KnownKey {
  return {
    keyId: row.id,
    partnerId: row.partner_id,
    mode: row.mode,
    partner: row.deleted_at ? 'gone' : row.disabled ? 'disabled' : 'active',
    allowed: row.allow_list.length > 0 ? addressList(row.allow_list) : undefined,
    ceilings: row.tier_ceilings,
    expiresAt: row.expires_at?.getTime(),
  };
}
