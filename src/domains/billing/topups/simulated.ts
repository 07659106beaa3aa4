import { randomBytes } from 'node:crypto';
import { ZERO } from '../../../platform/amounts/cents.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { type CardPayments, CardsRejected, type Intent } from './cards.ts';

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
