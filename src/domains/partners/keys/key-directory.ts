import { SECOND } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Listener } from '../../../platform/db/notifications.ts';
import type { Batched } from '../../../platform/db/query/batch.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import { byKey, type FoundBy, type KnownKey } from './key-rows.ts';

/** By key id: when it was last used, and the last refusal of its address. */
type Uses = Map<number, number>;
type Refusals = Map<number, { readonly address: string; readonly at: number }>;

const LIMITS = { known: 100_000, unknown: 10_000 };
const FLUSH_MS = 200;
/** A key's last use is accurate to this. Writing every use would add a write to most purchases. */
const USE_PRECISION_MS = 10 * SECOND;

/**
 * Keys in memory. A key that was seen before takes no query. A change in any process clears the memory by notification, and
 * while the notification connection is down every key is read from the database. Unknown keys are remembered apart from
 * the real ones: a stranger can invent any number of them, which evicts only other invented keys.
 */
export class KeyDirectory {
  /** By the key as sent, in this process's memory only: hashing it at every request would cost more than all the gates together. */
  #known = new Map<string, KnownKey>();
  #unknown = new Set<string>();
  #asking = new Map<string, Promise<KnownKey | undefined>>();
  #generation = 0;
  #used: Uses = new Map();
  /** By key id: the last use that was queued for writing. */
  #noted: Uses = new Map();
  #refused: Refusals = new Map();
  readonly #timer: NodeJS.Timeout;
  readonly #db: Db;
  readonly #lookUp: Batched<string, KnownKey | undefined>;
  readonly #listener: Listener;
  readonly #log: Log;
  readonly #limits: typeof LIMITS;
  readonly #by: FoundBy;

  constructor(db: Db, listener: Listener, log: Log, by = byKey, limits = LIMITS) {
    this.#db = db;
    this.#by = by;
    this.#lookUp = by.lookUp(db);
    this.#listener = listener;
    this.#log = log;
    this.#limits = limits;
    listener.on('wayfare_accounts', () => this.forget());
    listener.onReconnect(() => this.forget());
    this.#timer = setInterval(() => void this.#flush(), FLUSH_MS).unref();
  }

  /** The key's row, or undefined if it is unknown or revoked. The caller checks the expiry, because it depends on the time. */
  find(key: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    if (this.#listener.healthy) {
      const known = this.#known.get(key);
      if (known || this.#unknown.has(key)) return known;
    }
    if (!this.#by.isWellFormed(key)) return undefined;
    const running = this.#asking.get(key);
    if (running) return running;
    const answer = this.#ask(key).finally(() => this.#asking.delete(key));
    this.#asking.set(key, answer);
    return answer;
  }

  async #ask(text: string): Promise<KnownKey | undefined> {
    const generation = this.#generation;
    const key = await this.#lookUp(text);
    // A change announced while the query ran may be missing from its answer: do not remember that.
    if (generation === this.#generation) this.#remember(text, key);
    return key;
  }

  /** Makes room by dropping the entry that was added first. */
  #remember(text: string, key: KnownKey | undefined): void {
    const [kept, max] = key ? [this.#known, this.#limits.known] : [this.#unknown, this.#limits.unknown];
    if (kept.size >= max) for (const first of kept.keys().take(1)) kept.delete(first);
    if (key) this.#known.set(text, key);
    else this.#unknown.add(text);
  }

  /**
   * The next call of each key reads it again. Called after a change whose author must see it at once, before its notification
   * arrives.
   */
  forget(): void {
    this.#generation++;
    this.#known.clear();
    this.#unknown.clear();
    // A request that comes now must not wait for a query that began before the change.
    this.#asking.clear();
  }

  /** Written in batches later: the request does not wait, and a flood of refusals costs a few statements a second. */
  recordUse(keyId: number, now: number): void {
    const sinceNoted = now - (this.#noted.get(keyId) ?? -Infinity);
    if (sinceNoted >= 0 && sinceNoted < USE_PRECISION_MS) return;
    if (this.#noted.size >= this.#limits.known) this.#noted.clear();
    this.#noted.set(keyId, now);
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
