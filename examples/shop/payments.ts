import type { DatabaseSync } from 'node:sqlite';

/**
 * What the shop needs from a payment provider. Every call may be repeated: the order's id is the key of its payment.
 * The guide says how Stripe Checkout fits behind these four.
 */
export interface Payments {
  /** Where the customer pays. They come back to the page of their order. */
  start(orderId: string, cents: number): Promise<string>;
  statusOf(orderId: string): Promise<'open' | 'paid'>;
  /** Ends an open payment; `paid` if the customer was quicker. */
  close(orderId: string): Promise<'closed' | 'paid'>;
  /** Refunds until this much has been refunded in total. */
  giveBack(orderId: string, totalCents: number): Promise<void>;
}

const SCHEMA = `create table if not exists simulated_payments (
  order_id text primary key, cents integer not null, status text not null default 'open', returned_cents integer not null default 0) strict`;

/** Cards that never touch money. Its page is in simulated-pay.ts; a real provider has its own. */
export class SimulatedCards implements Payments {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(SCHEMA);
  }

  async start(orderId: string, cents: number): Promise<string> {
    this.#db.prepare('insert or ignore into simulated_payments (order_id, cents) values (?, ?)').run(orderId, cents);
    return `/pay/${orderId}`;
  }

  async statusOf(orderId: string): Promise<'open' | 'paid'> {
    return this.find(orderId)?.status === 'paid' ? 'paid' : 'open';
  }

  async close(orderId: string): Promise<'closed' | 'paid'> {
    this.#db
      .prepare("update simulated_payments set status = 'closed' where order_id = ? and status = 'open'")
      .run(orderId);
    return this.find(orderId)?.status === 'paid' ? 'paid' : 'closed';
  }

  async giveBack(orderId: string, totalCents: number): Promise<void> {
    const give = 'update simulated_payments set returned_cents = max(returned_cents, min(cents, ?)) where order_id = ?';
    this.#db.prepare(give).run(totalCents, orderId);
  }

  find(orderId: string) {
    const found = this.#db.prepare('select * from simulated_payments where order_id = ?').get(orderId);
    return found as { cents: number; status: 'open' | 'paid' | 'closed'; returned_cents: number } | undefined;
  }

  /** What happens when the customer presses Pay. */
  pay(orderId: string, cardNumber: string): 'paid' | 'declined' | 'unknown_card' | 'closed' {
    const number = cardNumber.replace(/\D/g, '');
    if (number === '4000000000000002') return 'declined';
    if (number !== '4242424242424242') return 'unknown_card';
    this.#db
      .prepare("update simulated_payments set status = 'paid' where order_id = ? and status = 'open'")
      .run(orderId);
    return this.find(orderId)?.status === 'paid' ? 'paid' : 'closed';
  }
}
