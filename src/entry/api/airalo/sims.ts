import { type Language, languages } from '../../../domains/messages/texts/texts.ts';
import { timestamp } from '../../../platform/clock.ts';
import { fail } from '../../../platform/contract/failure.ts';
import { requireEsim } from '../endpoints/esim/rows.ts';
import { ok, recycled } from './answers.ts';
import { airalo } from './endpoint.ts';
import { type Bought, findBought, listBought, orderView, type Shown, shownWith, simView } from './order-views.ts';
import { packageView, pricing } from './packages.ts';

/** The eSIM of an order, with the order if it is asked for. */
function withOrder(orders: Bought, shown: Shown) {
  const [order] = orders;
  const sim = simView(order, shown.catalog.byAlias(order.productId), shown.shares.get(order.id));
  const asked = shown.include.filter((name) => /^order(\.|$)/.test(name));
  if (asked.length === 0) return sim;
  return {
    ...sim,
    simable: orderView(orders, { ...shown, include: asked.map((name) => name.slice('order.'.length)) }),
  };
}

const list = airalo({
  verb: 'GET',
  path: '/sims',
  tier: 'read',
  fields: ['include', 'filter.iccid', 'limit', 'page'],
  handle: (context, sent, { path }) =>
    listBought(context, { rows: 'esims', iccid: sent['filter.iccid'] }, { ...sent, path }, withOrder),
});

const one = airalo({
  verb: 'GET',
  path: '/sims/{iccid}',
  tier: 'read',
  fields: ['include'],
  async handle(context, sent, { param }) {
    const { orderId } = await requireEsim(context, param);
    const orders = await findBought(context, 'esims', orderId);
    // Deleted by a reset since it was found.
    if (!orders) throw fail('esim_not_found');
    return { ...ok(withOrder(orders, await shownWith(context, [orders], sent.include))), orderId: Number(orderId) };
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
      expired_at: timestamp(expiresAt),
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
    if (esim.state === 'cancelled') throw recycled();
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
    const sim = simView(order, catalog.byAlias(order.productId), undefined);
    const { apn_type, apn_value, is_roaming, qrcode, qrcode_url } = sim;
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
