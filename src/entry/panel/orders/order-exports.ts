import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { readRetail } from '../../../domains/catalog/retail/retail.ts';
import type { OrderSummary, PartnerOrderFilter } from '../../../domains/sales/order-lists/order-lists.ts';
import { stateOf } from '../../../domains/sales/orders/orders.ts';
import type { Base } from '../../../worlds/base.ts';
import type { World } from '../../../worlds/world.ts';
import { requireMode } from '../../site/json/action.ts';
import { type Cell, csvDownload } from '../../site/json/csv.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { rangeName, requireTimeColumns } from '../../site/json/time-range.ts';
import { type MemberAction, memberFile } from '../member-action.ts';
import { fields } from '../viewed.ts';
import { orderLine } from './order-view.ts';
import { panelOrderFilter } from './orders.ts';

/** Rows read at once. */
const PAGE = 500;

/** Orders as a file, newest first, filtered like the list. `tz` adds columns with local times, retail prices those about the margin. */
export const orderExportActions = ({ db, worlds }: Base, catalog: Catalog): MemberAction[] => [
  memberFile('/api/{mode}/orders.csv', {
    may: 'see',
    viewed: {
      ...fields('order_id', 'created_utc', 'created_local', 'delivered_utc', 'delivered_local', 'failed_utc'),
      ...fields('failed_local', 'status', 'reason', 'type', 'product_id', 'product', 'destination', 'reference'),
      ...fields('iccid', 'key_id', 'price_usd', 'charged_usd', 'refunded_usd', 'paid_usd'),
      ...fields('revenue_at_todays_retail', 'retail_currency', 'margin_usd_at_todays_retail'),
    },
    async file(call) {
      const world = worlds[requireMode(call)];
      const filter = panelOrderFilter(call);
      const times = requireTimeColumns(call.query);
      const { partnerId } = call.member;
      const retail = await readRetail(db, partnerId);
      const isPriced = !retail.isEmpty;
      async function* rows() {
        for await (const order of everyOrder(world, partnerId, filter)) {
          const line = orderLine(order, catalog, retail);
          const what: Cell[] = [stateOf(order), line.reason, line.type, line.product_id, line.title, line.country_name];
          const ids: Cell[] = [line.reference, line.iccid, line.key_id];
          const whens = [order.createdAt, order.deliveredAt, order.failedAt].flatMap((at) => times.cells(at));
          const { revenue = '', currency = '', margin = '' } = line.retail ?? {};
          const sold: Cell[] = isPriced ? [revenue, currency, margin] : [];
          yield [line.id, ...whens, ...what, ...ids, line.price, line.charged, line.returned, line.paid, ...sold];
        }
      }
      const header = [
        'order_id',
        ...['created', 'delivered', 'failed'].flatMap((name) => times.header(name)),
        ...['status', 'reason', 'type', 'product_id', 'product', 'destination', 'reference', 'iccid', 'key_id'],
        ...['price_usd', 'charged_usd', 'refunded_usd', 'paid_usd'],
        ...(isPriced ? ['revenue_at_todays_retail', 'retail_currency', 'margin_usd_at_todays_retail'] : []),
      ];
      return csvDownload(rangeName('orders', filtersFrom(call).range()), header, rows());
    },
  }),
];

/** Page by page, further back wherever a page of the list would have stopped looking. */
async function* everyOrder(world: World, partnerId: number, filter: PartnerOrderFilter): AsyncGenerator<OrderSummary> {
  let before = filter.beforeId;
  do {
    const page = await world.orders.summaries(partnerId, { ...filter, beforeId: before }, PAGE);
    yield* page.orders;
    before = page.hasMore ? page.orders.at(-1)?.id : page.lookedTo;
  } while (before !== undefined);
}
