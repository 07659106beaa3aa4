import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * - `unpaid`: recorded; the customer has not paid, as far as we know.
 * - `abandoned`: never paid, and can no longer be.
 * - `paid`: the customer has paid; what came of the purchase at Wayfare is not known yet.
 * - `waiting`: bought, and on its way.
 * - `delivered`, `failed`: finished.
 */
export type Status = 'unpaid' | 'abandoned' | 'paid' | 'waiting' | 'delivered' | 'failed';

export interface Order {
  /** Also the idempotency key and the reference at Wayfare, and the secret part of the customer's link: 122 random bits. */
  readonly id: string;
  readonly product_id: string;
  readonly title: string;
  readonly email: string;
  /** Orders of one group have its id here: they are bought in one call, and paid by invoice. */
  readonly batch: string;
  /** The eSIM that a refill is for. */
  readonly refills: string;
  /** Sandbox only: which outcome to play. */
  readonly scenario: '' | 'deferred' | 'failed';
  /** What the customer pays. */
  readonly retail_cents: number;
  /** What Wayfare charged us, and what it gave back. */
  readonly cost_cents: number;
  readonly refunded_cents: number;
  /** What the customer has to get back, and what they have got. */
  readonly owed_cents: number;
  readonly returned_cents: number;
  readonly status: Status;
  readonly refund: '' | 'requested' | 'refunded' | 'rejected';
  readonly cancel: '' | 'requested' | 'cancelled' | 'too_late';
  readonly wayfare_id: number;
  readonly iccid: string;
  readonly share_url: string;
  /** Why it failed, or why it is not finished: for the admin. */
  readonly note: string;
  readonly created_at: string;
  readonly changed_at: string;
}

type NewOrder = Pick<Order, 'id' | 'product_id' | 'title' | 'email' | 'retail_cents'> & Partial<Order>;
type Change = Partial<Omit<Order, 'id' | 'created_at' | 'changed_at'>>;
type Row = Record<string, string | number>;

const SCHEMA = `
  create table if not exists orders (
    id text primary key, product_id text not null, title text not null, email text not null, batch text not null default '',
    refills text not null default '', scenario text not null default '', retail_cents integer not null,
    cost_cents integer not null default 0, refunded_cents integer not null default 0, owed_cents integer not null default 0,
    returned_cents integer not null default 0, status text not null default 'unpaid', refund text not null default '',
    cancel text not null default '', wayfare_id integer not null default 0, iccid text not null default '',
    share_url text not null default '', note text not null default '', created_at text not null, changed_at text not null,
    looked_at text not null default '') strict;
  create index if not exists orders_by_time on orders (created_at);
  create index if not exists orders_by_change on orders (changed_at);
  create index if not exists orders_open on orders (looked_at) where
    status in ('unpaid', 'paid', 'waiting') or refund = 'requested' or cancel = 'requested'
      or returned_cents < owed_cents;
  create table if not exists kept (name text primary key, value text not null) strict;`;

/** The shop's records, in a SQLite file. */
export class Store {
  readonly db: DatabaseSync;

  constructor(path: string) {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // The nightly job is a process of its own, so a writer may have to wait.
    this.db = new DatabaseSync(path, { timeout: 10_000 });
    this.db.exec(`pragma journal_mode = wal; ${SCHEMA}`);
  }

  order(id: string): Order | undefined {
    return this.db.prepare('select * from orders where id = ?').get(id) as Order | undefined;
  }

  /** Records an order. One that is there stays as it is: a form that was sent twice makes one order. */
  add(order: NewOrder): Order {
    const now = new Date().toISOString();
    const row: Row = { ...order, created_at: now, changed_at: now };
    const names = Object.keys(row);
    const marks = names.map((name) => `:${name}`);
    this.db.prepare(`insert or ignore into orders (${names}) values (${marks})`).run(row);
    return this.order(order.id) as Order;
  }

  /** Changes an order based on its current state, without a concurrent change in between. */
  change(id: string, work: (now: Order) => Change): Order {
    return this.atOnce(() => {
      const now = this.order(id);
      if (!now) throw new Error(`There is no order ${id}`);
      const row: Row = { ...work(now), changed_at: new Date().toISOString() };
      const set = Object.keys(row).map((name) => `${name} = :${name}`);
      this.db.prepare(`update orders set ${set} where id = :id`).run({ ...row, id });
      return this.order(id) as Order;
    });
  }

  /** A transaction with an exclusive write lock. */
  atOnce<T>(work: () => T): T {
    this.db.exec('begin immediate');
    try {
      const made = work();
      this.db.exec('commit');
      return made;
    } catch (error) {
      this.db.exec('rollback');
      throw error;
    }
  }

  /** Unfinished orders, the least recently checked first. */
  open(limit: number): Order[] {
    const found = this.db.prepare(`
      select * from orders where status in ('unpaid', 'paid', 'waiting') or refund = 'requested' or cancel = 'requested'
      or returned_cents < owed_cents
      order by looked_at limit ?`);
    return found.all(limit) as unknown as Order[];
  }

  looked(id: string): void {
    this.db.prepare('update orders set looked_at = ? where id = ?').run(new Date().toISOString(), id);
  }

  latest(limit: number): Order[] {
    return this.db.prepare('select * from orders order by created_at desc limit ?').all(limit) as unknown as Order[];
  }

  batch(id: string): Order[] {
    return this.db.prepare('select * from orders where batch = ? order by rowid').all(id) as unknown as Order[];
  }

  refillsOf(iccid: string): Order[] {
    const found = this.db.prepare(
      "select * from orders where refills = ? and status <> 'abandoned' order by created_at",
    );
    return found.all(iccid) as unknown as Order[];
  }

  /** Orders that were made or changed in a time. */
  touched(from: string, to: string): Order[] {
    const found = this.db.prepare(`
      select * from orders where created_at >= :from and created_at < :to
      union select * from orders where changed_at >= :from and changed_at < :to`);
    return found.all({ from, to }) as unknown as Order[];
  }

  kept(name: string): string | undefined {
    return this.db.prepare('select value from kept where name = ?').get(name)?.value as string | undefined;
  }

  keep(name: string, value: string): void {
    this.db.prepare('insert or replace into kept (name, value) values (?, ?)').run(name, value);
  }

  [Symbol.dispose](): void {
    this.db.close();
  }
}
