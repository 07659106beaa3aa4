import { divideHalfUp, formatCents, toCents } from '../amounts/cents.ts';
import type { Plan } from '../catalog/catalog.ts';
import type { Slices } from '../limits/slices.ts';
import type { PartnerPrices } from '../pricing/pricing.ts';
import type { Cell, Download } from '../site/csv.ts';

const columns = [
  'id',
  'kind',
  'title',
  'destination_code',
  'destination',
  'scope',
  'data',
  'data_mb',
  'days',
  'network',
  'operator',
  'list_price_usd',
  'your_price_usd',
];
const retailColumns = ['retail_price_usd', 'margin_usd'];

/** The catalogue as a file, with what plans would bring at a markup in percent if one is given. */
export function planRows(
  plans: readonly Plan[],
  prices: PartnerPrices,
  markup: number | undefined,
  slices: Slices,
): Pick<Download, 'header' | 'rows'> {
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    await slices.turn();
    for (const plan of plans) {
      if (slices.isOver()) await slices.turn();
      yield row(plan, prices, markup);
    }
  }
  return { header: markup === undefined ? columns : [...columns, ...retailColumns], rows: rows() };
}

function row(plan: Plan, prices: PartnerPrices, markup: number | undefined): Cell[] {
  const { destination } = plan;
  const price = prices.priceOf(plan).partnerPrice;
  const cells = [
    plan.alias,
    plan.refills === null ? 'esim' : 'refill',
    plan.title,
    destination.code,
    destination.title,
    destination.scope,
    plan.data,
    plan.isUnlimited ? null : plan.amountMb,
    plan.day,
    plan.networkType,
    plan.network.title,
    formatCents(plan.listPrice),
    formatCents(price),
  ];
  if (markup === undefined) return cells;
  const retail = toCents(divideHalfUp(price * BigInt(10_000 + Math.round(markup * 100)), 10_000n));
  return [...cells, formatCents(retail), formatCents(toCents(retail - price))];
}
