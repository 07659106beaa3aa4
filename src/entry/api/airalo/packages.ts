import type { Moment, Plan } from '../../../domains/catalog/catalog.ts';
import type { PartnerPrices } from '../../../domains/catalog/prices/prices.ts';
import { planApn } from '../../../domains/sales/esims/esims.ts';
import { centsToNumber } from '../../../platform/amounts/cents.ts';
import { timestamp } from '../../../platform/clock.ts';
import { deviceList } from '../endpoints/catalog/devices.ts';
import { formatVersion, versionOf } from '../endpoints/catalog/versions.ts';
import { badField, ok, paging } from './answers.ts';
import { airalo, type Sent } from './endpoint.ts';

export const pricing = { model: 'net_pricing', discount_percentage: 0 } as const;

type PriceOf = PartnerPrices['priceOf'];
type Plans = [Plan, ...Plan[]];

/** What a list of plans is made with. */
interface Listing {
  readonly priceOf: PriceOf;
  readonly refillsOf: (plan: Plan) => readonly Plan[];
  readonly withRefills: boolean;
}

/** A plan as they list it: a new eSIM, or a refill. */
export function packageView(plan: Plan, priceOf: PriceOf) {
  const [net, list] = [centsToNumber(priceOf(plan).partnerPrice), centsToNumber(plan.listPrice)];
  const { kind, text } = plan.fairUse;
  return {
    id: plan.alias,
    type: plan.refills ? 'topup' : 'sim',
    price: list,
    net_price: net,
    amount: plan.isUnlimited ? 0 : plan.amountMb,
    day: plan.day,
    is_unlimited: plan.isUnlimited,
    title: `${plan.data} - ${plan.day} ${plan.day === 1 ? 'day' : 'days'}`,
    data: plan.data,
    voice: plan.voice,
    text: plan.text,
    short_info: plan.shortInfo,
    qr_installation: null,
    manual_installation: null,
    is_fair_usage_policy: text !== '' && kind !== 'unknown',
    fair_usage_policy: text === '' ? null : text,
    prices: { net_price: { USD: net }, recommended_retail_price: { USD: list } },
  };
}

const imageOf = (url: string) => ({ width: 132, height: 99, url });

/** How a phone gets the access point name, for each kind of phone. */
export function apnViews({ type, value }: { readonly type: string | null; readonly value: string | null }) {
  const apn = { apn_type: type ?? 'automatic', apn_value: value };
  return { ...apn, apn: { ios: apn, android: apn } };
}

/**
 * Plans of one destination that have everything in common that they say of the operator, and the same refills: a refill among them fits
 * every eSIM beside it.
 */
function operatorView(plans: Plans, { priceOf, refillsOf, withRefills }: Listing) {
  const refills = refillsOf(plans[0]);
  const [{ alias, network, coverage, networkType, destination, installWindowDays }] = plans;
  const { meta } = network;
  const networks = (network.networks ?? [network.title]).map((name) => {
    return { name, types: [networkType === '5G' ? '5G' : 'LTE'] };
  });
  return {
    // Theirs are numbers; ours come from the first plan's public id, so they stay the same as long as it does.
    id: Number.parseInt(alias.slice(-7), 16),
    title: network.title,
    type: destination.scope === 'country' ? 'local' : 'global',
    plan_type: meta.plan_type,
    is_roaming: meta.is_roaming,
    rechargeability: refills.length > 0,
    is_prepaid: false,
    esim_type: meta.esim_type,
    warning: meta.warning,
    ...apnViews(planApn(meta)),
    info: meta.info,
    other_info: meta.other_info,
    image: imageOf(network.image),
    style: 'light',
    gradient_start: '#ffffff',
    gradient_end: '#ffffff',
    activation_policy: meta.activation_policy,
    is_kyc_verify: meta.is_kyc_verify,
    install_window_days: installWindowDays,
    topup_grace_window_days: null,
    coverages: coverage.codes.map((code) => ({ name: code, code, networks })),
    countries: coverage.codes.map((code, i) => ({ country_code: code, title: coverage.names[i] ?? code })),
    packages: [...plans, ...(withRefills ? refills : [])].map((plan) => packageView(plan, priceOf)),
  };
}

function placeView(plans: Plans, listing: Listing) {
  const [{ destination }] = plans;
  const { scope, code, slug, title, image } = destination;
  const groups = Map.groupBy(plans, (plan) => {
    const { network, coverage, networkType, installWindowDays } = plan;
    const refills = listing.refillsOf(plan).map(({ alias }) => alias);
    return JSON.stringify([network, coverage.codes, networkType, installWindowDays, refills]);
  }) as Map<string, Plans>;
  const least = (amounts: readonly number[]) => ({ USD: Math.min(...amounts) });
  return {
    slug: scope === 'global' ? 'world' : slug,
    country_code: scope === 'country' ? code : '',
    title,
    image: imageOf(image),
    min_price: {
      net_price: least(plans.map((plan) => centsToNumber(listing.priceOf(plan).partnerPrice))),
      recommended_retail_price: least(plans.map((plan) => centsToNumber(plan.listPrice))),
    },
    operators: [...groups.values()].map((group) => operatorView(group, listing)),
  };
}

const wholeNumber = (name: string, raw: string | undefined): number | undefined => {
  if (raw === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(raw)) throw badField(name, `The ${name} must be an integer.`);
  return Number(raw);
};

/** Which page a list is asked for; `limit` is undefined where all of it is wanted. */
export const pageOf = ({ page, limit }: Sent) => ({
  page: wholeNumber('page', page) ?? 1,
  limit: wholeNumber('limit', limit),
});

/** The plans on sale by destination, in the order of their names. */
function placesOf(moment: Moment, sent: Sent): Plans[] {
  const { 'filter.type': type, 'filter.country': country } = sent;
  if (type !== undefined && type !== 'local' && type !== 'global')
    throw badField('filter.type', 'The selected filter.type is invalid.');
  const wanted = moment.listed.filter(({ destination: { scope, code } }) => {
    const isOfType = type === undefined || (type === 'local') === (scope === 'country');
    return isOfType && (country === undefined || (scope === 'country' && code === country.toUpperCase()));
  });
  const places = [...Map.groupBy(wanted, ({ destination }) => destination.code).values()] as Plans[];
  return places.sort(([a], [b]) => (a.destination.title < b.destination.title ? -1 : 1));
}

const packages = airalo({
  verb: 'GET',
  path: '/packages',
  tier: 'catalog',
  fields: ['filter.type', 'filter.country', 'limit', 'page', 'include', 'sdk'],
  async handle({ catalog, pricing: ours, prepared, world, partnerId }, sent, { path, acceptEncoding }) {
    const prices = await ours.of(partnerId);
    const moment = catalog.moment();
    const { page, limit } = pageOf(sent);
    const withRefills = (sent.include ?? '').split(',').includes('topup');
    const places = placesOf(moment, sent);
    const size = limit ?? Math.max(1, places.length);
    const some = places.slice((page - 1) * size, page * size);
    const list = paging({ page, limit: size, total: places.length, count: some.length, path });
    // From the second page on theirs is an object, with the place of each row as its name. Their own clients for Node and Python cannot read that.
    const isList = page === 1 || sent.sdk !== undefined;
    const filters = [sent['filter.type'], sent['filter.country']?.toUpperCase(), page, limit, withRefills, isList];
    const version = formatVersion(versionOf(moment, prices));
    const listing: Listing = {
      priceOf: prices.priceOf,
      refillsOf: ({ supplier, supplierPlan }) => catalog.refillsOf(supplier.slug, supplierPlan),
      withRefills,
    };
    // Refills are not part of what the version names.
    const key = `airalo ${world.schema} ${catalog.version} ${version} ${JSON.stringify(filters)}`;
    return prepared.reply(key, acceptEncoding, async function* (slices) {
      await slices.turn();
      const [open, close] = isList ? '[]' : '{}';
      yield `{"pricing":${JSON.stringify(pricing)},"data":${open}`;
      for (const [i, plans] of some.entries()) {
        if (slices.isOver()) await slices.turn();
        const name = open === '[' ? '' : `"${(page - 1) * size + i}":`;
        yield `${i === 0 ? '' : ','}${name}${JSON.stringify(placeView(plans, listing))}`;
      }
      yield `${close},${JSON.stringify(list).slice(1)}`;
    });
  },
});

/** What can be spent: on invoice terms, the free credit. */
const balance = airalo({
  verb: 'GET',
  path: '/balance',
  tier: 'read',
  async handle({ world, partnerId }) {
    const amount = centsToNumber((await world.books.spendingPower(partnerId)).available);
    return ok({ balances: { name: 'balance', availableBalance: { amount, currency: 'USD' } } });
  },
});

const compatibleDevices = airalo({
  verb: 'GET',
  path: '/compatible-devices-lite',
  tier: 'catalog',
  handle: async () => ok(deviceList.map(({ os, brand, model }) => ({ os: os.toLowerCase(), brand, name: model }))),
});

/** All our prices are in USD. */
const exchangeRates = airalo({
  verb: 'GET',
  path: '/finance/exchange-rates',
  tier: 'read',
  fields: ['date', 'source', 'from', 'to'],
  handle: async ({ now }, { date }) =>
    ok({ date: date ?? timestamp(now).slice(0, 10), rates: [{ from: 'USD', mid: '1', to: 'USD' }] }),
});

/** What a shop asks for before it sells. */
export const packageEndpoints = [packages, balance, compatibleDevices, exchangeRates];
