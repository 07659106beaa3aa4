import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import {
  type Ending,
  inDollars,
  type Markup,
  type RetailAmount,
  type RetailCurrency,
  retailPrice,
  revenueOf,
  type Sold,
  unitCost,
} from './formula.ts';

/** Partners' own retail prices, for their panel only. The API does not return them. */
export {
  type Ending,
  endings,
  formatMarkup,
  formatRetail,
  inDollars,
  marginOf,
  marginPercent,
  parseMarkup,
  parseRate,
  parseRetailPrice,
} from './formula.ts';

export interface RetailTerms extends RetailCurrency {
  /** For everything without a price or markup of its own; null: none. */
  readonly markup: Markup | null;
}

interface Exceptions {
  readonly markups: ReadonlyMap<string, Markup>;
  /** By plan, in the currency of the terms. */
  readonly prices: ReadonlyMap<string, RetailAmount>;
  /** Prices that were typed in another currency, and do not apply. */
  readonly idlePrices: number;
}

interface Bought {
  readonly plan: string;
  readonly destination: string;
  readonly cost: Cents;
}

export class RetailPrices {
  readonly terms: RetailTerms;
  readonly exceptions: Exceptions;

  constructor(terms: RetailTerms, exceptions: Exceptions) {
    this.terms = terms;
    this.exceptions = exceptions;
  }

  /** Nothing was set, so nothing has a retail price. */
  get isEmpty(): boolean {
    const { markups, prices } = this.exceptions;
    return this.terms.markup === null && markups.size === 0 && prices.size === 0;
  }

  /** The price typed for the plan, else the destination's markup, else the general one, and which it is; undefined: none of them. */
  of({ plan, destination, cost }: Bought): { price: RetailAmount; by: 'plan' | 'destination' | 'markup' } | undefined {
    const { markups, prices } = this.exceptions;
    const typed = prices.get(plan);
    if (typed !== undefined) return { price: typed, by: 'plan' };
    const own = markups.get(destination);
    if (own !== undefined) return { price: retailPrice(cost, own, this.terms), by: 'destination' };
    const { markup } = this.terms;
    return markup === null ? undefined : { price: retailPrice(cost, markup, this.terms), by: 'markup' };
  }
}

/** Plans with a price and destinations with a markup of their own. */
const MAX_EXCEPTIONS = 5_000;

const UNSET: RetailTerms = { currency: 'USD', rateMicros: 1_000_000n, markup: null, ending: 'none' };

interface Row {
  readonly scope: 'destination' | 'plan';
  readonly target: string;
  readonly markup: Markup | null;
  readonly price: RetailAmount | null;
  readonly currency: string | null;
}

export const findTerms = async (db: Queryable, partnerId: number): Promise<RetailTerms> =>
  (await db.maybe<RetailTerms & { ending: Ending }>(sql`
    select currency, rate_micros as "rateMicros", markup_bp as markup, ending from retail_terms
    where partner_id = ${partnerId}`)) ?? UNSET;

export async function readRetail(db: Queryable, partnerId: number): Promise<RetailPrices> {
  const [terms, rows] = await Promise.all([
    findTerms(db, partnerId),
    db.query<Row>(sql`
      select scope, target, markup_bp as markup, price, currency from retail_prices where partner_id = ${partnerId}`),
  ]);
  const typed = rows.filter(({ price }) => price !== null);
  const current = typed.filter(({ currency }) => currency === terms.currency);
  return new RetailPrices(terms, {
    markups: new Map(rows.flatMap(({ target, markup }) => (markup === null ? [] : [[target, markup]]))),
    prices: new Map(current.flatMap(({ target, price }) => (price === null ? [] : [[target, price]]))),
    idlePrices: typed.length - current.length,
  });
}

export async function saveTerms(
  tx: Tx,
  partnerId: number,
  { currency, rateMicros, markup, ending }: RetailTerms,
): Promise<void> {
  await tx.run(sql`
    insert into retail_terms (partner_id, currency, rate_micros, markup_bp, ending)
    values (${partnerId}, ${currency}, ${rateMicros}, ${markup}, ${ending})
    on conflict (partner_id) do update set currency = excluded.currency, rate_micros = excluded.rate_micros,
      markup_bp = excluded.markup_bp, ending = excluded.ending`);
}

/** A price for a plan, or a markup for a destination; null: none of its own any more. */
export type Exception =
  | { readonly scope: 'plan'; readonly target: string; readonly price: RetailAmount | null; readonly currency: string }
  | { readonly scope: 'destination'; readonly target: string; readonly markup: Markup | null };

export async function saveException(tx: Tx, partnerId: number, exception: Exception): Promise<void> {
  const { scope, target } = exception;
  const [price, markup] = scope === 'plan' ? [exception.price, null] : [null, exception.markup];
  if (price === null && markup === null) {
    await tx.run(sql`
      delete from retail_prices where partner_id = ${partnerId} and scope = ${scope} and target = ${target}`);
    return;
  }
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from retail_prices where partner_id = ${partnerId} and (scope, target) <> (${scope}, ${target})`);
  if (count >= MAX_EXCEPTIONS) throw new Refused('retail_limit_reached');
  await tx.run(sql`
    insert into retail_prices (partner_id, scope, target, markup_bp, price, currency)
    values (${partnerId}, ${scope}, ${target}, ${markup}, ${price}, ${scope === 'plan' ? exception.currency : null})
    on conflict (partner_id, scope, target) do update
      set markup_bp = excluded.markup_bp, price = excluded.price, currency = excluded.currency`);
}

interface SoldPlan extends Sold {
  readonly plan: string;
  readonly destination: string;
}

export type RetailSums = ReturnType<typeof retailSums>;

/**
 * The revenue of purchased plans at today's retail prices. Each row is rounded once, so parts add up to their total. `unpriced`: spent on
 * plans that have no retail price; no part of the margin.
 */
export function retailSums(retail: RetailPrices, sold: readonly SoldPlan[]) {
  let [revenue, margin, unpriced] = [0n, 0n, 0n];
  for (const row of sold) {
    const spent = row.charged - row.returned;
    const priced = retail.of({ plan: row.plan, destination: row.destination, cost: unitCost(row) });
    if (!priced) {
      unpriced += spent;
      continue;
    }
    const brought = revenueOf(row, priced.price);
    revenue += brought;
    margin += inDollars(brought, retail.terms) - spent;
  }
  return { revenue: revenue as RetailAmount, margin: toCents(margin), unpriced: toCents(unpriced) };
}
