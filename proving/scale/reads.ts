import { DAY } from '../../src/platform/clock.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { RARE_PRODUCT } from '../bench/support/many-orders.ts';
import type { Site } from './site.ts';

/** Things of the first partner that can be named in an address. */
export interface Things {
  readonly first: bigint;
  readonly middle: bigint;
  readonly iccid: string;
  readonly delivery: bigint;
  readonly subscription: bigint;
  readonly product: string;
}

export async function thingsOf({ owner, product }: Site): Promise<Things> {
  const found = await owner.one<Omit<Things, 'product'>>(sql`
    with mine as not materialized (select id, iccid from orders where partner_id = 1 and status = 1)
    select (select min(id) from mine) as first, middle.id as middle, middle.iccid,
      (select id from webhook_deliveries where partner_id = 1 and status = 'sent' and event_type = 'order.created' order by id desc limit 1)
        as delivery, (select id from webhook_subscriptions where partner_id = 1) as subscription
    from (select id, iccid from mine where id >= (select (min(id) + max(id)) / 2 from mine) order by id limit 1) as middle`);
  return { ...found, product };
}

const day = (days: number): string => new Date(Date.now() - days * DAY).toISOString();
const date = (days: number): string => day(days).slice(0, 10);
const thisMonth = (): string => date(0).slice(0, 7);

const asked = (path: string, filters: Readonly<Record<string, Readonly<Record<string, string>>>>): [string, string][] =>
  Object.entries(filters).map(([name, fields]) => [
    `${path} ${name}`.trim(),
    `${path}${name === '' ? '' : `?${new URLSearchParams(fields)}`}`,
  ]);

/** What partners read of the API, by every filter. */
export const apiReads = ({ first, middle, iccid, product, subscription }: Things): [string, string][] => [
  ...asked('/order/get', {
    '': {},
    'page 400 of 50': { limit: '50', start: '400' },
    reference: { reference: 'booking 32' },
    'unknown reference': { reference: 'unknown' },
    iccid: { iccid },
    'product_id of half': { product_id: product },
    'product_id, rare': { product_id: RARE_PRODUCT },
    'status=paid': { status: 'paid' },
    'status=deferred': { status: 'deferred' },
    'status=delivered': { status: 'delivered' },
    'status=failed': { status: 'failed' },
    'status=refunded': { status: 'refunded' },
    'from yesterday': { from: day(1) },
    'to half a year ago': { to: day(180) },
    'a day half a year ago': { from: day(181), to: day(180) },
    'two years ago': { from: day(800), to: day(700) },
    'product_id, failed': { product_id: product, status: 'failed' },
    'product_id, a month': { product_id: product, from: day(210), to: day(180) },
    'before_id, oldest': { before_id: String(first + 5000n) },
    'before_id, half way': { before_id: String(middle) },
  }),
  [`/order/detail`, `/order/detail/${middle}`],
  ...asked('/esim/list', {
    '': {},
    active: { state: 'active' },
    expired: { state: 'expired' },
    not_active: { state: 'not_active' },
    cancelled: { state: 'cancelled' },
    oldest: { before_id: String(first + 5000n) },
    'half way': { before_id: String(middle) },
    'limit=100': { limit: '100' },
  }),
  ['/account/balance', '/account/balance'],
  ...asked('/account/history', {
    '': {},
    'page 400 of 50': { limit: '50', start: '400' },
    'a day half a year ago': { from: day(181), to: day(180) },
    order_id: { order_id: String(middle) },
    reference: { reference: 'booking 32' },
    'limit=500': { limit: '500' },
  }),
  ...asked('/account/statement', { '': {}, 'type=refund': { type: 'refund' } }),
  ['/account/profitshare', '/account/profitshare'],
  ['/account/pricing', '/account/pricing'],
  ...asked('/webhook/deliveries', {
    '': {},
    'status=dead': { status: 'dead' },
    'status=pending': { status: 'pending' },
    'event=order.paid': { event: 'order.paid' },
    subscription_id: { subscription_id: String(subscription) },
  }),
  ['/webhook/list', '/webhook/list'],
  ['/catalog/countries', '/catalog/countries'],
];

/** What has to be said in the address of a page, beyond its path. Several: it is asked for by each. */
export const queries = ({ iccid, product, middle }: Things): Readonly<Record<string, readonly string[]>> => ({
  '/api/{mode}/search': [`?q=${iccid}`, '?q=booking 32', '?q=booking', `?q=${middle}`],
  '/api/{mode}/orders': [
    '',
    '?status=failed',
    '?status=refunded',
    '?status=deferred',
    '?reference=BOOKING 32',
    `?product_id=${RARE_PRODUCT}`,
    '?key=1',
    `?from=${date(181)}&to=${date(180)}`,
    `?before=${middle}`,
  ],
  '/api/{mode}/webhooks/{id}': ['', '?status=dead'],
  '/operator/api/search': [`?q=${iccid}`, '?q=booking 32', '?q=Partner 77', `?q=${middle}`],
  '/operator/api/{mode}/orders': [
    '',
    '?status=failed',
    '?status=refunded',
    '?status=open',
    '?status=overdue',
    '?status=created',
    '?status=delivered&partner=1',
    '?reference=booking 32',
    '?reference=shared',
    `?product_id=${RARE_PRODUCT}`,
    '?supplier=simulated',
    '?destination=FR',
    `?from=${date(181)}&to=${date(180)}`,
    `?before=${middle}`,
  ],
  '/operator/api/{mode}/refunds': ['', '?status=requested', '?status=refunded', '?partner=1'],
  '/operator/api/partners': ['', '?q=Partner 77', '?before=5000'],
  '/operator/api/figures': ['', `?from=${date(300)}&to=${date(0)}`, '?partner=1'],
  '/api/{mode}/insight/orders': ['', `?from=${date(300)}&to=${date(0)}`],
  '/api/{mode}/insight/spend': ['', `?from=${date(300)}&to=${date(0)}`],
  '/operator/api/webhooks/dead': ['?mode=live'],
  '/operator/api/prices/check': [`?partner=1&product=${product}`],
  '/operator/api/prices/preview': ['?cap=50'],
  '/operator/api/money/movements.csv': [`?month=${thisMonth()}`],
  '/operator/api/money/settlements.csv': [`?month=${thisMonth()}`],
});

/** Not about orders, or needs an id of something that is not there. */
const LEFT_OUT = /\{mode\}\/requests\/\{id\}|applications\/\{id\}|sandbox|catalog\/(csv|json)|accounts\//;

/** The addresses of a declared path of the panel or the console, filled in. */
export function filled(path: string, things: Things): string[] {
  if (LEFT_OUT.test(path)) return [];
  const ids: Readonly<Record<string, string>> = {
    orders: String(things.middle),
    deliveries: String(things.delivery),
    webhooks: String(things.subscription),
    partners: '1',
    statements: '1',
    plans: things.product,
    routes: things.product,
  };
  const at = path
    .replace('{mode}', 'live')
    .replace('{month}', thisMonth())
    .replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, kind: string) => {
      const id = ids[kind];
      if (id === undefined) throw new Error(`say in reads.ts which id ${kind} have in ${path}`);
      return `${kind}/${id}`;
    });
  return (queries(things)[path] ?? ['']).map((query) => at + encodeURI(query));
}
