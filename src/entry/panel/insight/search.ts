import { type InvoiceRow, numbersIn } from '../../../domains/billing/invoices/invoices.ts';
import type { Topup } from '../../../domains/billing/topups/topups.ts';
import { type Catalog, searchByName } from '../../../domains/catalog/catalog.ts';
import type { LoggedDelivery } from '../../../domains/messages/webhooks/webhooks.ts';
import { memberRoles } from '../../../domains/partners/people/people.ts';
import { type FoundOrder, shownStateOf } from '../../../domains/sales/order-lists/order-lists.ts';
import { orderOfReference } from '../../../domains/sales/orders/orders.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { bigIdIn } from '../../../platform/contract/ids.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { Slices } from '../../../platform/limits/turns.ts';
import type { Base } from '../../../worlds/base.ts';
import type { World } from '../../../worlds/world.ts';
import { orderTitle, titleDisplay } from '../../api/views.ts';
import { jsonOf, requireMode } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { allPlans } from '../catalog/catalog-search.ts';
import { fields, memberRead } from '../member-action.ts';

const MAX_LENGTH = 200;
/** Of one kind, in one world. */
const MOST = 6;

/**
 * What a text names: an order by its id, reference or idempotency key, an eSIM by its ICCID, a payment by its key, an invoice by its
 * number, a webhook delivery by its id, a destination or plan by its name. The world that is open comes first. What is in the database is found by an index, exactly
 * or by how it begins, and the catalog is in memory; nothing about the search is kept. Pages the browser knows itself.
 */
export const searchActions = ({ worlds }: Base, catalog: Catalog) => {
  const slices = new Slices();
  return [
    memberRead('/api/{mode}/search', {
      may: 'see',
      viewed: {
        results: {
          ...fields('mode', 'kind', 'by', 'id', 'iccid', 'title', 'state', 'reference', 'created_at', 'payment_key'),
          ...fields('amount', 'status', 'subscription_id', 'event', 'code', 'data', 'day'),
          ...fields('number', 'month', 'total'),
        },
      },
      async read(call) {
        const mode = requireMode(call);
        const text = filtersFrom(call).words('q', MAX_LENGTH).replace(/^#\s*/, '');
        if (text === '') return { results: [] };
        const { partnerId, role } = call.member;
        const seesMoney = memberRoles.may(role, 'see-money');
        const inBoth = [worlds[mode], worlds[mode === 'live' ? 'sandbox' : 'live']];
        const found = await Promise.all(
          inBoth.map((world) => searchWorld(world, catalog, { partnerId, seesMoney, text })),
        );
        const named = await searchByName(allPlans(catalog), text, MOST, slices);
        return { results: [...found.flat(), ...catalogResults(mode, named)] };
      },
    }),
  ];
};

interface Search {
  readonly partnerId: number;
  readonly seesMoney: boolean;
  readonly text: string;
}

async function searchWorld(
  world: World,
  catalog: Catalog,
  { partnerId, seesMoney, text }: Search,
): Promise<SearchResult[]> {
  const id = bigIdIn(text);
  const numbers = seesMoney ? numbersIn(text) : [];
  const [orders, topup, documents, delivered] = await Promise.all([
    world.orders.search(partnerId, orderNamedIn(world, text) ?? text, MOST),
    seesMoney ? world.topups.find(text) : undefined,
    numbers.length === 0 ? [] : world.invoices.list({ partnerId, numbers, limit: MOST }),
    id === undefined ? undefined : world.webhooks.delivery(partnerId, id),
  ]);
  const esims = new Map(orders.filter(({ by }) => by === 'iccid').map((order) => [order.iccid ?? '', order]));
  const mode = world.schema;
  return [
    ...[...esims].map(([iccid, order]) => ({ mode, kind: 'esim' as const, iccid, title: orderTitle(order, catalog) })),
    ...orders.map((order) => ({ mode, ...orderResult(order, catalog) })),
    ...(topup?.partnerId === partnerId ? [{ mode, ...paymentResult(topup) }] : []),
    ...documents.map((one) => ({ mode, ...documentResult(one) })),
    ...(delivered ? [{ mode, ...deliveryResult(delivered.delivery) }] : []),
  ];
}

/** The order in our reference at a supplier (`wf-live-1001`) or in the id of an event (`order.paid:1001:2`). */
const orderNamedIn = (world: World, text: string): string | undefined =>
  (world.webhooks.orderOfEvent(text) ?? orderOfReference(world, text))?.toString();

const orderResult = (order: FoundOrder, catalog: Catalog) => ({
  kind: 'order' as const,
  /** What the text matched. */
  by: order.by,
  title: orderTitle(order, catalog),
  state: shownStateOf(order),
  ...jsonOf(order, 'id', 'reference', 'iccid', 'createdAt'),
});

const catalogResults = (mode: Mode, { plans, destinations }: Awaited<ReturnType<typeof searchByName>>) => [
  ...destinations.map(({ code, title }) => ({ mode, kind: 'destination' as const, code, title })),
  ...plans.map(({ alias, title, destination, data, day }) => ({
    mode,
    kind: 'plan' as const,
    id: alias,
    title: titleDisplay(destination.title, title),
    data,
    day,
  })),
];

const paymentResult = (topup: Topup) => ({
  kind: 'payment' as const,
  ...jsonOf(topup, 'paymentKey', 'status', 'createdAt'),
  amount: formatCents(topup.amount),
});

const documentResult = (document: InvoiceRow) => ({
  kind: document.kind,
  total: formatCents(document.total),
  ...jsonOf(document, 'number', 'status', 'month'),
});

const deliveryResult = (delivery: LoggedDelivery) => ({
  kind: 'delivery' as const,
  ...jsonOf(delivery, 'id', 'subscriptionId', 'event', 'status', 'createdAt'),
});

export type SearchResult = { readonly mode: World['schema'] } & (
  | { readonly kind: 'esim'; readonly iccid: string; readonly title: string }
  | ReturnType<typeof orderResult>
  | ReturnType<typeof paymentResult>
  | ReturnType<typeof documentResult>
  | ReturnType<typeof deliveryResult>
  | ReturnType<typeof catalogResults>[number]
);
