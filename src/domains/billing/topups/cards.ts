import { randomBytes } from 'node:crypto';
import { type Cents, ZERO } from '../../../platform/amounts/cents.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** A payment as we recorded it before asking anyone for money. `paymentKey` is our reference at the provider. */
export interface Payment {
  readonly paymentKey: string;
  readonly amount: Cents;
  readonly currency: string;
}

/** What the provider says about a payment. This is the only source we trust: never a caller, never an event. */
export interface Intent {
  readonly id: string;
  /** The reference the provider holds; empty when the intent was not opened by us. */
  readonly paymentKey: string;
  /** open: can still be paid. pending: paid, but not settled yet. succeeded and canceled are final. */
  readonly state: 'open' | 'pending' | 'succeeded' | 'canceled';
  /** What was received once succeeded, else what is asked for. */
  readonly amount: Cents;
  readonly currency: string;
  /** Sent back to the card holder. */
  readonly refunded: Cents;
  /** Withdrawn by the card holder's bank and not won back. */
  readonly disputed: Cents;
}

/** The client secret is handed to the caller once and never stored. */
type OpenedIntent = Intent & { readonly clientSecret: string };

/** A provider of card payments. Every method may be repeated: the same arguments never open or pay anything twice. */
export interface CardPayments {
  readonly name: string;
  /** With it a partner can complete a payment on its own page. */
  readonly publishableKey?: string | undefined;
  /** The same payment key gives the same intent. Throws `CardsRejected` when the provider refuses the payment. */
  open(payment: Payment): Promise<OpenedIntent>;
  read(intentId: string, payment: Payment): Promise<Intent>;
  /** Closes an unpaid intent for good. One that is paid or being paid comes back as it is. */
  cancel(intentId: string, payment: Payment): Promise<Intent>;
}

/** Which payment an event is about. It is only a hint: the state is then read from the provider. */
export interface PaymentHint {
  readonly intentId?: string | undefined;
  readonly paymentKey?: string | undefined;
}

/** The provider understood and said no: repeating the call would not help. */
export class CardsRejected extends Error {}

/** No answer, or none that says what happened. The call may have had its effect. */
export class CardsUnavailable extends Error {}

/** An event that does not carry its sender's signature, or an old one. */
export class BadSignature extends Error {}

/** The card provider that needs no outside account: a book in our database, and a pay page for the card holder. */
export interface SimulatedCards extends CardPayments {
  /** The intent behind a pay page; the client secret is its unguessable address. */
  atPage(clientSecret: string): Promise<Intent | undefined>;
  /** What the card holder does. A closed intent stays as it is. */
  pay(intentId: string): Promise<Intent>;
}

const columns = sql`id, payment_key as "paymentKey", amount, currency, state`;
type Row = Omit<Intent, 'refunded' | 'disputed'>;
const view = <R extends Row>(row: R) => ({ ...row, refunded: ZERO, disputed: ZERO });

const SECRET = /^sim_[0-9a-f]{24}_secret_[0-9a-f]{32}$/;

export function simulatedCards(db: Db): SimulatedCards {
  async function find(which: Sql): Promise<Intent | undefined> {
    const row = await db.maybe<Row>(sql`select ${columns} from simulated_intents where ${which}`);
    return row && view(row);
  }

  async function read(intentId: string): Promise<Intent> {
    const intent = await find(sql`id = ${intentId}`);
    if (!intent) throw new CardsRejected(`no simulated intent ${intentId}`);
    return intent;
  }

  async function close(intentId: string, state: 'succeeded' | 'canceled'): Promise<Intent> {
    await db.run(sql`update simulated_intents set state = ${state} where id = ${intentId} and state = 'open'`);
    return read(intentId);
  }

  return {
    name: 'simulated',
    async open({ paymentKey, amount, currency }) {
      const id = `sim_${randomBytes(12).toString('hex')}`;
      const clientSecret = `${id}_secret_${randomBytes(16).toString('hex')}`;
      // The update changes nothing; it makes a repeated call return the existing row.
      const row = await db.one<Row & { clientSecret: string }>(sql`
        insert into simulated_intents (id, payment_key, client_secret, amount, currency)
        values (${id}, ${paymentKey}, ${clientSecret}, ${amount}, ${currency})
        on conflict (payment_key) do update set payment_key = excluded.payment_key
        returning ${columns}, client_secret as "clientSecret"`);
      return view(row);
    },
    read,
    cancel: (intentId) => close(intentId, 'canceled'),
    pay: (intentId) => close(intentId, 'succeeded'),
    atPage: async (clientSecret) =>
      SECRET.test(clientSecret) ? find(sql`client_secret = ${clientSecret}`) : undefined,
  };
}
