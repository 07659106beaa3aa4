import { setTimeout as wait } from 'node:timers/promises';
import type { Micros } from '../../../platform/amounts/cents.ts';
import { DatabaseAway, type Db, isDuplicate, type Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Services } from '../../../platform/start/services.ts';
import { OWN_KEY, type Vault } from '../../../platform/vault/secrets.ts';
import {
  type Absent,
  type EsimReference,
  esimOf,
  type OrderAnswer,
  type Supplier,
  type SupplierOrder,
  type WithdrawAnswer,
} from '../port/port.ts';
import { stateAgain } from './items.ts';
import type { SealedEsim } from './stock-check.ts';

export interface StockParts extends Pick<Services, 'vault' | 'clock' | 'log'> {
  /** Live's: it alone has stock. */
  readonly db: Db;
}

/**
 * Sells eSIMs from stock.
 *
 * An order takes its item in one statement, which writes the order's reference on it. From then on the reference identifies that
 * item: if a process dies before the order is delivered, `find` sees the item. Two processes that take at once skip each other's
 * rows; two with the same reference meet at its unique index, and the second one reads what the first one took.
 */
export function stockSupplier(parts: StockParts, slug: string): Supplier {
  const { db, clock, log } = parts;

  /** The answer, or why there is none: suppliers never throw, and answer in time. */
  async function within<A>(limitMs: number, work: () => Promise<A>): Promise<A | { reason: string; away: boolean }> {
    const over = new AbortController();
    const late = wait(limitMs, { reason: 'the database did not answer in time', away: false }, over);
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      log.warn({ err: error, supplier: slug }, 'stock could not be read');
      return { reason: 'the database did not answer', away: error instanceof DatabaseAway };
    } finally {
      over.abort();
      late.catch(() => {});
    }
  }

  return {
    name: slug,
    sellsRefills: false,
    plans: async () => undefined,
    async order(order, limitMs) {
      if (order.refillOf) return { outcome: 'refused', reason: 'eSIMs from stock cannot be refilled' };
      const answer = await within(limitMs, () => take(parts, slug, order));
      if ('outcome' in answer) return answer;
      return { outcome: answer.away ? 'unavailable' : 'unknown', reason: answer.reason, silent: true };
    },
    async find(order, limitMs) {
      const answer = await within(limitMs, () => find(parts, order));
      return 'outcome' in answer ? answer : { outcome: 'unavailable', reason: answer.reason, silent: true };
    },
    usage: async () => ({ outcome: 'none' }),
    async withdraw(esim, limitMs) {
      const answer = await within(limitMs, () => putAside(db, slug, esim, new Date(clock.now())));
      return 'outcome' in answer ? answer : { outcome: 'unavailable', reason: answer.reason };
    },
    async release(tx, reference) {
      await tx.run(sql`
        update stock_items set state = ${stateAgain}, reference = null, changed_at = ${new Date(clock.now())}
        where reference = ${reference} and state = 'sold'`);
    },
  };
}

interface TakenRow {
  readonly iccid: string;
  readonly state: string;
  readonly esim: Buffer;
  readonly cost: Micros | null;
}

async function take(parts: StockParts, supplier: string, order: SupplierOrder): Promise<OrderAnswer> {
  const { db, vault, clock } = parts;
  const now = new Date(clock.now());
  try {
    const taken = await db.maybe<TakenRow>(sql`
      update stock_items set state = 'sold', reference = ${order.reference}, changed_at = ${now}
      where id = (
        select id from stock_items
        where supplier = ${supplier} and plan = ${order.plan} and state = 'available'
          and (expires_at is null or expires_at > ${now})
          and not exists (select from stock_items as taken where taken.reference = ${order.reference})
        order by expires_at, id limit 1 for update skip locked)
      returning iccid, state, esim, cost_micros as cost`);
    if (taken) return deliveredOf(vault, order.reference, taken);
  } catch (error) {
    // Another process has just taken one for the same order.
    if (!isDuplicate(error)) throw error;
  }
  const found = await find(parts, order);
  return found.outcome === 'absent' ? { outcome: 'unavailable', reason: 'out of stock' } : found;
}

async function find({ db, vault }: StockParts, { reference }: SupplierOrder): Promise<OrderAnswer | Absent> {
  const row = await db.maybe<TakenRow>(sql`
    select iccid, state, esim, cost_micros as cost from stock_items where reference = ${reference}`);
  if (!row) return { outcome: 'absent' };
  return row.state === 'sold'
    ? deliveredOf(vault, reference, row)
    : { outcome: 'refused', reason: `its item is ${row.state}` };
}

/** The order's number there is our own reference: an item can be sold again, so its ICCID would not say which sale is meant. */
function deliveredOf(vault: Vault, reference: string, { iccid, esim, cost }: TakenRow): OrderAnswer {
  const { activationCode, confirmationCode, msisdn, apn } = JSON.parse(vault.open(esim)) as SealedEsim;
  const [, smdpAddress = '', matchingId] = activationCode.split('$');
  return {
    outcome: 'delivered',
    supplierOrder: reference,
    esim: esimOf({
      iccid,
      smdpAddress,
      matchingId: matchingId || null,
      activationCode,
      confirmationCode,
      msisdn,
      apn,
      apnValue: apn,
    }),
    ...(cost === null ? {} : { charged: cost }),
  };
}

/** An item that no longer has this sale's reference was returned before, and released since. */
async function putAside(
  db: Db,
  supplier: string,
  { iccid, supplierOrder }: EsimReference,
  now: Date,
): Promise<WithdrawAnswer> {
  if (supplierOrder === null) return { outcome: 'refused', reason: 'it was not sold from this stock' };
  const row = await db.maybe<{ state: string }>(sql`
    with returned as (
      update stock_items set state = 'returned', changed_at = ${now}
      where iccid = ${iccid} and supplier = ${supplier} and state = 'sold' and reference = ${supplierOrder}
      returning id
    )
    select state from stock_items where iccid = ${iccid} and supplier = ${supplier}`);
  return row ? { outcome: 'withdrawn' } : { outcome: 'refused', reason: 'it was not sold from this stock' };
}

/** Destroys the codes of items that were sold. One that was returned since can be sold again and keeps them. */
export async function forgetCodes(tx: Tx, sales: readonly string[]): Promise<number> {
  if (sales.length === 0) return 0;
  return tx.run(sql`
    update stock_items set esim = ${OWN_KEY} where reference = any(${sales}::text[]) and state = 'sold'`);
}
