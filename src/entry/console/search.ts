import { numbersIn } from '../../domains/billing/invoices/invoices.ts';
import { type Catalog, searchByName } from '../../domains/catalog/catalog.ts';
import { REQUEST_ID } from '../../domains/insight/request-log/request-log.ts';
import { partnerNames, partnersNamed } from '../../domains/partners/accounts/accounts.ts';
import { claimedMode, keysEndingIn, maskKey } from '../../domains/partners/keys/keys.ts';
import { members, operators } from '../../domains/partners/people/people.ts';
import { shownStateOf } from '../../domains/sales/order-lists/order-lists.ts';
import { orderOfReference } from '../../domains/sales/orders/orders.ts';
import { formatCents } from '../../platform/amounts/cents.ts';
import { bigIdIn } from '../../platform/contract/ids.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Slices } from '../../platform/limits/turns.ts';
import type { Base } from '../../worlds/base.ts';
import type { World } from '../../worlds/world.ts';
import type { Services } from '../api/endpoint.ts';
import { orderTitle, titleDisplay } from '../api/views.ts';
import { jsonOf } from '../site/json/action.ts';
import { filtersFrom } from '../site/json/filters.ts';
import { operatorRead } from './action.ts';

const MAX_LENGTH = 200;
/** Of one kind, in one world. */
const MOST = 6;

function searchOf({ db, worlds }: Base, catalog: Catalog) {
  const slices = new Slices();

  async function ordersIn(world: World, text: string) {
    const id = bigIdIn(text) ?? orderOfReference(world, text);
    const found = await world.orders.all.search({ id, text }, MOST);
    return found.map((order) => ({
      kind: 'order' as const,
      mode: world.schema,
      ...jsonOf(order, 'id', 'partnerId', 'reference', 'createdAt'),
      title: orderTitle(order, catalog),
      state: shownStateOf(order),
    }));
  }

  async function paymentsIn(world: World, text: string) {
    const topup = await world.topups.find(text);
    if (!topup) return [];
    const of = { kind: 'payment' as const, mode: world.schema, amount: formatCents(topup.amount) };
    return [{ ...of, ...jsonOf(topup, 'paymentKey', 'partnerId', 'status', 'createdAt') }];
  }

  async function invoicesIn(world: World, text: string) {
    const numbers = numbersIn(text);
    const found = numbers.length === 0 ? [] : await world.invoices.list({ numbers, limit: MOST });
    return found.map((one) => ({
      kind: one.kind,
      mode: world.schema,
      total: formatCents(one.total),
      ...jsonOf(one, 'number', 'partnerId', 'status', 'month'),
    }));
  }

  async function requestsIn(world: World, text: string, now: number) {
    const call = REQUEST_ID.test(text) ? await world.requestLog.named(text, now) : undefined;
    if (!call) return [];
    const of = { kind: 'request' as const, mode: world.schema, call: `${call.method} ${call.endpoint}` };
    return [{ ...of, ...jsonOf(call, 'requestId', 'partnerId', 'status', 'orderId', 'at') }];
  }

  async function partners(text: string) {
    const found = await partnersNamed(db, text, MOST);
    return found.map((one) => ({ kind: 'partner' as const, ...jsonOf(one, 'id', 'name', 'isClosed') }));
  }

  async function keys(text: string) {
    const ending = keyOf(text);
    if (!ending) return [];
    return (await keysEndingIn(db, ending.last4, ending.mode, MOST)).map((key) => ({
      kind: 'key' as const,
      id: key.keyId,
      mask: maskKey(key.mode, key.last4),
      ...jsonOf(key, 'name', 'partnerId', 'isRevoked'),
    }));
  }

  async function people(text: string) {
    if (!text.includes('@')) return [];
    const [ofPartners, ours] = await Promise.all([
      members.beginning(db, text, MOST),
      operators.beginning(db, text, MOST),
    ]);
    return [
      ...ofPartners.map((one) => ({
        kind: 'member' as const,
        id: one.memberId,
        ...jsonOf(one, 'email', 'role', 'partnerId'),
      })),
      ...ours.map(({ operatorId, email, role }) => ({ kind: 'operator' as const, id: operatorId, email, role })),
    ];
  }

  async function inCatalog(text: string) {
    const { plans, destinations } = await searchByName(catalog.moment().plans, text, MOST, slices);
    return [
      ...destinations.map(({ code, title }) => ({ kind: 'destination' as const, id: code, title })),
      ...plans.map(({ alias, title, destination, supplier, onSale }) => ({
        kind: 'plan' as const,
        id: alias,
        title: titleDisplay(destination.title, title),
        supplier: supplier.slug,
        is_on_sale: onSale,
      })),
    ];
  }

  return async (text: string, now: number) => {
    const both = Object.values(worlds);
    const found = await Promise.all([
      ...both.map((world) => ordersIn(world, text)),
      partners(text),
      keys(text),
      people(text),
      inCatalog(text),
      ...both.map((world) => paymentsIn(world, text)),
      ...both.map((world) => invoicesIn(world, text)),
      ...both.map((world) => requestsIn(world, text.toLowerCase(), now)),
    ]);
    const results = found.flat();
    const names = await partnerNames(
      db,
      results.flatMap((one) => ('partner_id' in one ? [one.partner_id] : [])),
    );
    return results.map((one) => ({
      ...one,
      /** Whose it is, by name. */
      partner: 'partner_id' in one ? (names.get(one.partner_id) ?? null) : null,
    }));
  };
}

/**
 * What a text names, over all partners and in both worlds. Everything is found by an index, exactly, or in tables as small as that of
 * partners; nothing about the search is kept. Of a key only its last four characters count, so a whole key need not be sent.
 */
export const searchActions = (base: Base, { catalog }: Services) => {
  const search = searchOf(base, catalog);
  return [
    operatorRead('/operator/api/search', async (call) => {
      const text = filtersFrom(call).words('q', MAX_LENGTH).replace(/^#\s*/, '');
      return { results: text === '' ? [] : await search(text, call.now) };
    }),
  ];
};

/** `esk_…ab12` as lists show it, or the four characters alone. */
function keyOf(text: string): { last4: string; mode: Mode | undefined } | undefined {
  const [, last4] = /^(?:esk_(?:test_)?[0-9a-f]*)?(?:…|\.{3})?([0-9a-f]{4})$/i.exec(text) ?? [];
  return last4 === undefined ? undefined : { last4: last4.toLowerCase(), mode: claimedMode(text) };
}
