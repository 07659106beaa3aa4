import type { Catalog, Plan } from '../../../domains/catalog/catalog.ts';
import { languages } from '../../../domains/messages/texts/texts.ts';
import { apnOf } from '../../../domains/sales/esims/esims.ts';
import type { BoughtFilter, Order } from '../../../domains/sales/order-lists/order-lists.ts';
import { states } from '../../../domains/sales/orders/orders.ts';
import { androidInstallUrl, appleInstallUrl } from '../../../domains/supply/port/port.ts';
import { centsToNumber, formatCents } from '../../../platform/amounts/cents.ts';
import { timestamp } from '../../../platform/clock.ts';
import type { Context, Reply } from '../endpoint.ts';
import { paging } from './answers.ts';
import type { Sent } from './endpoint.ts';
import { apnViews, pageOf, pricing } from './packages.ts';

/** Orders that were bought together, the first one first. */
export type Bought = readonly [Order, ...Order[]];

const isDelivered = ({ status }: Order): boolean => status === states.delivered.status;
export const isFailed = ({ status }: Order): boolean => status === states.failed.status;
export const isOpen = (order: Order): boolean => !isDelivered(order) && !isFailed(order);
/** The eSIMs of what was bought, as far as they are there. */
const esimsOf = (orders: Bought): Order[] => orders.filter((order) => isDelivered(order) && order.esim !== null);

/** Theirs is the day and the number. */
const codeOf = ({ id, createdAt }: Order): string => `${timestamp(createdAt).slice(0, 10).replaceAll('-', '')}-${id}`;

/** Other letters as entities. Their PHP client signs a webhook with `\u` for them and their Node client without: so there are none of ours. */
const asEntities = (text: string): string => text.replace(/[^ -~]|[&<>]/gu, (one) => `&#${one.codePointAt(0)};`);
const paragraphs = (steps: readonly string[]): string => steps.map((step) => `<p>${asEntities(step)}</p>`).join('');
const { iphone, android } = languages.en.install;
const manual = paragraphs(android.steps);
const byQr = paragraphs(iphone.steps);

export function simView(order: Order, plan: Plan | undefined, share: string | undefined) {
  const { esim, iccid, withdrawnAt } = order;
  return {
    id: Number(order.id),
    created_at: timestamp(order.createdAt),
    iccid,
    lpa: esim?.smdpAddress ?? null,
    imsis: null,
    matching_id: esim?.matchingId ?? null,
    qrcode: esim?.activationCode ?? null,
    qrcode_url: esim?.qrcodeUrl ?? null,
    direct_apple_installation_url: esim && (esim.appleUrl ?? appleInstallUrl(esim.activationCode)),
    direct_android_installation_url: esim && androidInstallUrl(esim.activationCode),
    airalo_code: null,
    voucher_code: null,
    ...apnViews(apnOf(esim, plan?.network.meta)),
    is_roaming: esim?.isRoaming ?? plan?.network.meta.is_roaming ?? true,
    confirmation_code: esim?.confirmationCode ?? null,
    msisdn: esim?.msisdn ?? null,
    recycled: withdrawnAt !== null,
    recycled_at: withdrawnAt && timestamp(withdrawnAt),
    brand_settings_name: null,
    ...(share !== undefined && { sharing: { link: share, access_code: '' } }),
  };
}

function statusView(orders: Bought) {
  const slug = slugOf(orders);
  return { name: slug.replace('_', ' ').replace(/^\w/, (first) => first.toUpperCase()), slug };
}

/** Theirs has no state for what is not delivered yet. */
function slugOf(orders: Bought): string {
  const isBack = (order: Order) => order.refunded > 0n && order.refunded >= order.salePrice;
  if (orders.every(isFailed)) return 'failed';
  if (orders.some(isOpen)) return 'pending';
  if (orders.every((order) => isFailed(order) || isBack(order))) return 'refunded';
  return orders.some((order) => isFailed(order) || order.refunded > 0n) ? 'partially_refunded' : 'completed';
}

/** What views need besides the orders. */
export interface Shown {
  readonly catalog: Catalog;
  /** Addresses of the pages for the travellers of these orders. */
  readonly shares: ReadonlyMap<bigint, string>;
  /** What else was asked for. Of orders `sims`, `status` and `user`; a new order has its eSIMs. */
  readonly include: readonly string[];
  /** Lists and reads have numbers as texts that a new order's answer has as numbers. */
  readonly asRead: boolean;
}

type Reader = Pick<Context, 'world' | 'partnerId' | 'catalog'>;

export async function shownWith(
  { world, catalog }: Reader,
  bought: readonly Bought[],
  include = '',
  asRead = true,
): Promise<Shown> {
  const shares = await world.travellerLinks.urlsOf(bought.flatMap((orders) => esimsOf(orders).map(({ id }) => id)));
  return { catalog, shares, include: include.split(',').map((one) => one.trim()), asRead };
}

/** A new order: it has its eSIMs. */
export const newOrderView = async (context: Reader, orders: Bought) =>
  orderView(orders, await shownWith(context, [orders], 'sims', false));

/** One of what was bought; undefined: there is none. */
export async function findBought({ world, partnerId }: Reader, rows: BoughtFilter['rows'], id: bigint) {
  const { purchases } = await world.orders.bought(partnerId, { rows, id }, { limit: 1, offset: 0 });
  return purchases[0];
}

const MOST_LISTED = 100;

/** A page of what was bought, as `view` shows it. */
export async function listBought(
  context: Reader,
  filter: BoughtFilter,
  { path, ...sent }: Sent & { readonly path: string },
  view: (orders: Bought, shown: Shown) => object,
): Promise<Reply> {
  const { page, limit = 20 } = pageOf(sent);
  const part = { limit: Math.min(limit, MOST_LISTED), offset: (page - 1) * Math.min(limit, MOST_LISTED) };
  const { purchases, total } = await context.world.orders.bought(context.partnerId, filter, part);
  const shown = await shownWith(context, purchases, sent.include);
  const list = paging({ page, limit: part.limit, total, count: purchases.length, path });
  return { body: { data: purchases.map((orders) => view(orders, shown)), ...list } };
}

export function orderView(orders: Bought, { catalog, shares, asRead, include }: Shown) {
  const [first] = orders;
  const plan = catalog.byAlias(first.productId);
  const isRefill = first.refillOf !== null;
  const amount = (cents: Order['salePrice']) => (asRead ? formatCents(cents) : centsToNumber(cents));
  const whole = (n: number) => (asRead ? String(n) : n);
  const sims = esimsOf(orders).map((order) => simView(order, plan, shares.get(order.id)));
  return {
    id: Number(first.id),
    code: codeOf(first),
    currency: 'USD',
    package_id: first.productId,
    quantity: whole(orders.length),
    type: isRefill ? 'topup' : 'sim',
    description: first.reference === '' ? null : first.reference,
    esim_type: plan?.network.meta.esim_type ?? 'Prepaid',
    validity: whole(first.day),
    package: first.productTitle,
    data: first.data,
    price: amount(first.productPrice),
    net_price: amount(first.salePrice),
    pricing_model: pricing.model,
    text: plan?.text ?? null,
    voice: plan?.voice ?? null,
    created_at: timestamp(first.createdAt),
    manual_installation: manual,
    qrcode_installation: byQr,
    installation_guides: { en: shares.get(first.id) ?? '' },
    brand_settings_name: null,
    ...(include.includes('status') && { status: statusView(orders) }),
    ...(include.includes('user') && { user: null }),
    ...(!isRefill && include.includes('sims') && { sims }),
  };
}
