import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { type Ending, inDollars, type Markup, type RetailAmount, revenueOf, type Sold, unitCost } from './formula.ts';
import { RetailPrices, type RetailTerms } from './prices.ts';

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

export interface RetailSums {
  readonly revenue: RetailAmount;
  readonly margin: Cents;
  /** Spent on plans that have no retail price; no part of the margin. */
  readonly unpriced: Cents;
}

/** The revenue of purchased plans at today's retail prices. Each row is rounded once, so parts add up to their total. */
export function retailSums(retail: RetailPrices, sold: readonly SoldPlan[]): RetailSums {
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
