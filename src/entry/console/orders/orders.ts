import { type Catalog, supplierRows } from '../../../domains/catalog/catalog.ts';
import { partnerNames, partnersNamed } from '../../../domains/partners/accounts/accounts.ts';
import { type AllOrdersFilter, operatorOrderStates } from '../../../domains/sales/order-lists/order-lists.ts';
import { smallIdIn } from '../../../platform/contract/ids.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Services } from '../../api/endpoint.ts';
import { type Call, requireMode } from '../../site/json/action.ts';
import { filtersFrom, orderFilterFrom } from '../../site/json/filters.ts';
import { batchView } from '../../site/views/records.ts';
import { type OperatorCall, operatorRead } from '../action.ts';
import { orderRow, partnerView, readOrderView } from './order-view.ts';

const PER_PAGE = 30;

/** Orders over all partners, and everything on record about one. Activation data needs a separate command (`order reveal`). */
export const orderActions = ({ catalog }: Services) => [
  operatorRead('/operator/api/{mode}/orders', (call) => ordersIn(call, catalog)),
  operatorRead('/operator/api/{mode}/orders/{id}', (call) => readOrderView(call, catalog)),
];

async function ordersIn(call: OperatorCall, catalog: Catalog) {
  const { db, worlds } = call.context;
  const mode = requireMode(call);
  const filter = await requireOrderFilter(call, db, catalog);
  const [{ orders, hasMore, lookedTo }, suppliers] = await Promise.all([
    worlds[mode].orders.all.page({ ...filter, limit: filtersFrom(call).limit(PER_PAGE) }, mode === 'live'),
    supplierRows.slugs(db),
  ]);
  const { partnerId: chosen } = filter;
  const [names, batches] = await Promise.all([
    partnerNames(db, [...orders.map(({ partnerId }) => partnerId), ...(chosen === undefined ? [] : [chosen])]),
    worlds[mode].orders.all.batchSums(orders),
  ]);
  return {
    orders: orders.map((order) => orderRow(order, names, catalog)),
    batches: batches.map(batchView),
    has_more: hasMore,
    /** Set: the search stopped after this order, before it had covered all of them. */
    looked_to: lookedTo?.toString() ?? null,
    /** What the filters offer, and the partner that was chosen. */
    suppliers,
    partner: chosen === undefined ? null : partnerView(chosen, names),
  };
}

const MAX_TEXT = 200;

/** Which orders of all partners a page lists, from its address. */
async function requireOrderFilter(
  call: Pick<Call, 'query'>,
  db: Queryable,
  catalog: Catalog,
): Promise<Omit<AllOrdersFilter, 'limit'>> {
  const { matching, read } = filtersFrom(call);
  const codeOf = (text: string) => {
    const code = catalog.destination(text)?.code ?? text.toUpperCase();
    return /^[A-Z0-9_-]{2,40}$/.test(code) ? code : undefined;
  };
  return {
    ...orderFilterFrom(call, operatorOrderStates),
    partnerId: await requirePartner(call, db),
    supplier: matching('supplier', /^[a-z0-9-]{1,60}$/, 'give the short name of a supplier'),
    countryCode: read('destination', codeOf, 'give the code of a destination, like FR'),
  };
}

/** The id of a partner, or a part of its name that only one has. */
export async function requirePartner(call: Pick<Call, 'query'>, db: Queryable): Promise<number | undefined> {
  const text = filtersFrom(call).words('partner', MAX_TEXT);
  if (text === '') return undefined;
  const id = smallIdIn(text);
  if (id !== undefined) return id;
  const found = await partnersNamed(db, text, 4);
  const [only, another] = found;
  if (!only) throw new Refused('invalid_partner', `no partner has “${text.slice(0, 40)}” in its name`);
  if (another)
    throw new Refused(
      'invalid_partner',
      `several partners have this in their name: ${found.map(({ id, name }) => `${name} (${id})`).join(', ')}`,
    );
  return only.id;
}
