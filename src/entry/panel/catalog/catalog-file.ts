import type { Plan } from '../../../domains/catalog/catalog.ts';
import type { PartnerPrices } from '../../../domains/catalog/prices/prices.ts';
import { formatRetail, marginOf, type RetailPrices } from '../../../domains/catalog/retail/retail.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import type { Slices } from '../../../platform/limits/slices.ts';
import type { Cell, Download } from '../../site/json/csv.ts';

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
const retailColumns = ['retail_price', 'retail_currency', 'margin_usd'];

/** The catalog as a file, with the partner's retail prices if it has set them. */
export function planRows(
  plans: readonly Plan[],
  prices: PartnerPrices,
  retail: RetailPrices,
  slices: Slices,
): Pick<Download, 'header' | 'rows'> {
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    await slices.turn();
    for (const plan of plans) {
      if (slices.isOver()) await slices.turn();
      yield row(plan, prices, retail);
    }
  }
  return { header: retail.isEmpty ? columns : [...columns, ...retailColumns], rows: rows() };
}

function row(plan: Plan, prices: PartnerPrices, retail: RetailPrices): Cell[] {
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
  if (retail.isEmpty) return cells;
  const sold = retail.of({ plan: plan.alias, destination: destination.code, cost: price });
  if (!sold) return [...cells, null, null, null];
  const { terms } = retail;
  return [...cells, formatRetail(sold.price), terms.currency, formatCents(marginOf(sold.price, price, terms))];
}
