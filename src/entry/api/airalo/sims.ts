import { type Language, languages } from '../../../domains/messages/texts/texts.ts';
import type { Esim } from '../../../domains/sales/esims/esims.ts';
import { fail } from '../../../platform/contract/failure.ts';
import { ICCID } from '../../../platform/contract/ids.ts';
import type { Context } from '../endpoint.ts';
import { ok, paging, refused, utc } from './answers.ts';
import { airalo, type Sent } from './endpoint.ts';
import { type Bought, orderView, type Shown, sharesOf, simView } from './order-views.ts';
import { packageView, pageOf, pricing } from './packages.ts';

async function requireEsim({ world, partnerId, now }: Context, iccid: string): Promise<Esim> {
  const esim = ICCID.test(iccid) ? await world.esims.find(partnerId, iccid, now) : undefined;
  if (!esim) throw fail('esim_not_found');
  return esim;
}

/** The eSIM of an order, with the order if it is asked for. */
function withOrder(orders: Bought, shown: Omit<Shown, 'asRead' | 'include'>, include: readonly string[]) {
  const [order] = orders;
  const sim = simView(order, shown.catalog.byAlias(order.productId), shown.shares.get(order.id));
  const within = include.flatMap((name) => (name.startsWith('order.') ? [name.slice('order.'.length)] : []));
  if (!include.some((name) => name === 'order' || name.startsWith('order.'))) return sim;
  return { ...sim, simable: orderView(orders, { ...shown, asRead: true, include: within }) };
}

const includes = ({ include = '' }: Sent): string[] => include.split(',');
const MOST_LISTED = 100;

const list = airalo({
  verb: 'GET',
  path: '/sims',
  tier: 'read',
  fields: ['include', 'filter.iccid', 'limit', 'page'],
  async handle(context, sent, { path }) {
    const { world, partnerId, catalog } = context;
    const { page, limit = 20 } = pageOf(sent);
    const size = Math.min(limit, MOST_LISTED);
    const filter = { rows: 'esims', iccid: sent['filter.iccid'] } as const;
    const found = await world.orders.bought(partnerId, filter, { limit: size, offset: (page - 1) * size });
    const shares = await sharesOf(context, found.purchases);
    const data = found.purchases.map((orders) => withOrder(orders, { catalog, shares }, includes(sent)));
    return { body: { data, ...paging({ page, limit: size, total: found.total, count: data.length, path }) } };
  },
});

const one = airalo({
  verb: 'GET',
  path: '/sims/{iccid}',
  tier: 'read',
  fields: ['include'],
  async handle(context, sent, { param }) {
    const { orderId } = await requireEsim(context, param);
    const filter = { rows: 'esims', id: orderId } as const;
    const { purchases } = await context.world.orders.bought(context.partnerId, filter, { limit: 1, offset: 0 });
    const [orders] = purchases;
    // Deleted by a reset since it was found.
    if (!orders) throw fail('esim_not_found');
    const shares = await sharesOf(context, purchases);
    return { ...ok(withOrder(orders, { catalog: context.catalog, shares }, includes(sent))), orderId: Number(orderId) };
  },
});

const states = { not_active: 'NOT_ACTIVE', active: 'ACTIVE', depleted: 'FINISHED', expired: 'EXPIRED' } as const;
const noCalls = { remaining_voice: 0, remaining_text: 0, total_voice: 0, total_text: 0 };

const usage = airalo({
  verb: 'GET',
  path: '/sims/{iccid}/usage',
  tier: 'read',
  async handle(context, _sent, { param }) {
    const { world, partnerId, clock } = context;
    const { state } = await requireEsim(context, param);
    const recycled = { remaining: 0, total: 0, expired_at: null, is_unlimited: null, status: 'RECYCLED', ...noCalls };
    if (state === 'cancelled') return ok(recycled);
    const read = await world.usage.of(partnerId, param, clock);
    if (!read) return ok({ ...recycled, is_unlimited: false, status: 'UNKNOWN' });
    const { isUnlimited, remainingMb, totalMb, expiresAt } = read;
    return ok({
      remaining: isUnlimited ? 0 : remainingMb,
      total: isUnlimited ? 0 : totalMb,
      expired_at: expiresAt && utc(expiresAt),
      is_unlimited: isUnlimited,
      status: states[read.status],
      ...noCalls,
    });
  },
});

const topups = airalo({
  verb: 'GET',
  path: '/sims/{iccid}/topups',
  tier: 'catalog',
  async handle(context, _sent, { param }) {
    const { world, catalog, pricing: ours, partnerId } = context;
    const [esim, prices] = await Promise.all([requireEsim(context, param), ours.of(partnerId)]);
    if (esim.state === 'cancelled') throw refused(73, 'The eSIM has been recycled', 'invalid_refill');
    const plans = await world.esims.refillsOf(catalog, esim);
    return { body: { pricing, ...ok(plans.map((plan) => packageView(plan, prices.priceOf))).body } };
  },
});

/** ISO 8601 with an offset: the only place where theirs are written like that. */
const iso = (at: Date | null): string | null => at?.toISOString().replace(/\.\d{3}Z$/, '+00:00') ?? null;

/**
 * What was bought for an eSIM, newest first. Data and days of an eSIM are counted together, so the figures of the whole stand at the first
 * plan, and refills have none of their own.
 */
const packages = airalo({
  verb: 'GET',
  path: '/sims/{iccid}/packages',
  tier: 'read',
  async handle(context, _sent, { param }) {
    const { world, partnerId, clock, catalog, pricing: ours } = context;
    const esim = await requireEsim(context, param);
    const [orders, read, prices] = await Promise.all([
      world.esims.ordersOf(esim),
      esim.state === 'cancelled' ? undefined : world.usage.of(partnerId, param, clock),
      ours.of(partnerId),
    ]);
    const data = orders.map((order) => {
      const plan = catalog.byAlias(order.productId);
      const isFirst = order.refillOf === null;
      const status = esim.state === 'cancelled' ? 'RECYCLED' : read ? states[read.status] : 'UNKNOWN';
      return {
        id: Number(order.id),
        status,
        remaining: isFirst && read && !read.isUnlimited ? read.remainingMb : 0,
        activated_at: iso(read?.activatedAt ?? null),
        expired_at: iso(read?.expiresAt ?? null),
        finished_at: read?.status === 'depleted' ? iso(read.fetchedAt) : null,
        package: plan ? packageView(plan, prices.priceOf) : { id: order.productId, title: order.productTitle },
      };
    });
    return ok(data);
  },
});

/** The first language of the header that we have. */
function languageOf(header: string | undefined): Language {
  const asked = (header ?? '').toLowerCase().match(/[a-z]{2,3}/g) ?? [];
  return (asked.find((code) => Object.hasOwn(languages, code)) ?? 'en') as Language;
}

const instructions = airalo({
  verb: 'GET',
  path: '/sims/{iccid}/instructions',
  tier: 'read',
  fields: ['accept_language'],
  async handle(context, { accept_language: language }, { param }) {
    const { world, partnerId, catalog } = context;
    const { orderId } = await requireEsim(context, param);
    const order = await world.orders.find(partnerId, orderId);
    if (!order?.esim) throw fail('esim_not_found');
    const lang = languageOf(language);
    const { iphone, android } = languages[lang].install;
    const { apn_type, apn_value, is_roaming, qrcode, qrcode_url } = simView(
      order,
      catalog.byAlias(order.productId),
      undefined,
    );
    const guide = (steps: readonly string[]) => {
      const numbered = Object.fromEntries(steps.map((step, i) => [String(i + 1), step]));
      return {
        model: null,
        version: null,
        installation_via_qr_code: { steps: numbered, qr_code_data: qrcode, qr_code_url: qrcode_url },
        installation_manual: { steps: numbered, smdp_address_and_activation_code: qrcode },
        network_setup: { steps: numbered, apn_type, apn_value, is_roaming },
      };
    };
    return ok({ instructions: { language: lang, ios: [guide(iphone.steps)], android: [guide(android.steps)] } });
  },
});

export const simEndpoints = [list, one, usage, topups, packages, instructions];
