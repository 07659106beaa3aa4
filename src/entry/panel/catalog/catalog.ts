import { LRUCache } from 'lru-cache';
import type { Plan } from '../../../domains/catalog/catalog.ts';
import type { PartnerPrices } from '../../../domains/catalog/prices/prices.ts';
import {
  formatRetail,
  inDollars,
  marginOf,
  marginPercent,
  type RetailPrices,
  readRetail,
} from '../../../domains/catalog/retail/retail.ts';
import { type Cents, formatCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Slices } from '../../../platform/limits/turns.ts';
import type { Base } from '../../../worlds/base.ts';
import type { Services } from '../../api/endpoint.ts';
import { planFacts } from '../../api/endpoints/catalog/rows.ts';
import { type Call, jsonOf, requireMode } from '../../site/json/action.ts';
import { type Cell, csvDownload, type Download } from '../../site/json/csv.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { fields, memberFile, memberRead } from '../member-action.ts';
import { allPlans, type DestinationSum, destinationSums, matchingPlans, plansOf, sortings } from './catalog-search.ts';

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

function planRows(
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

const PER_PAGE = 50;
const MAX_PAGE = 2_000;
/** Lists of destinations that are kept: one for each set of prices. */
const KEPT_LISTS = 20;

/** The catalog with the partner's own prices, eSIMs and refills, to browse and to download. */
export const catalogActions = ({ db }: Base, { catalog, pricing }: Services) => {
  const slices = new Slices();
  const lists = new LRUCache<string, Promise<DestinationSum[]>>({ max: KEPT_LISTS });

  function destinationsAt(prices: PartnerPrices): Promise<DestinationSum[]> {
    const name = `${catalog.version} ${prices.fingerprint}`;
    const list = lists.get(name) ?? destinationSums(catalog, prices, slices);
    lists.set(name, list);
    list.catch(() => lists.delete(name));
    return list;
  }

  return [
    memberRead('/api/{mode}/catalog/destinations', {
      may: 'see',
      viewed: {
        destinations: fields('code', 'title', 'image', 'scope', 'plans', 'refills', 'from'),
      },
      async read(call) {
        requireMode(call);
        const list = await destinationsAt(await pricing.of(call.member.partnerId));
        return { destinations: list.map(destinationView) };
      },
    }),
    memberRead('/api/{mode}/catalog/plans', {
      may: 'see',
      viewed: {
        ...fields('total', 'page', 'per_page', 'retail_currency'),
        plans: {
          ...fields('id', 'title', 'data', 'days', 'network', 'operator', 'countries', 'is_refill', 'list_price'),
          ...fields('your_price'),
          destination: fields('code', 'title', 'image'),
          facts: {
            ...fields('networks', 'activation_policy', 'refillable', 'kyc_required', 'voice_minutes', 'sms'),
            ...fields('install_window_days'),
            apn: fields('type', 'value'),
          },
          retail: fields('price', 'margin', 'margin_pct', 'by'),
        },
      },
      async read(call) {
        requireMode(call);
        const { partnerId } = call.member;
        const [prices, retail] = await Promise.all([pricing.of(partnerId), readRetail(db, partnerId)]);
        const filter = requirePlanFilter(call);
        const within = filter.destination === '' ? allPlans(catalog) : requirePlansOf(filter);
        const found = await matchingPlans(within, prices, filter, slices);
        const first = (filter.page - 1) * PER_PAGE;
        return {
          total: found.length,
          page: filter.page,
          per_page: PER_PAGE,
          plans: found.slice(first, first + PER_PAGE).map((plan) => planView(plan, prices, retail)),
          retail_currency: retail.terms.currency,
        };
      },
    }),
    ...(['csv', 'json'] as const).map((format) =>
      memberFile(`/api/{mode}/catalog/${format}`, {
        may: 'see',
        viewed: {
          ...fields('id', 'kind', 'title', 'destination_code', 'destination', 'scope', 'data', 'data_mb', 'days'),
          ...fields('network', 'operator', 'list_price_usd', 'your_price_usd', 'retail_price', 'retail_currency'),
          ...fields('margin_usd'),
        },
        async file(call) {
          const mode = requireMode(call);
          const { partnerId } = call.member;
          const destination = filtersFrom(call, 'invalid_input').text('destination') ?? '';
          const [prices, retail] = await Promise.all([pricing.of(partnerId), readRetail(db, partnerId)]);
          const within = destination === '' ? allPlans(catalog) : requirePlansOf({ destination, reach: 'own' });
          const { header, rows } = planRows(within, prices, retail, slices);
          const file = csvDownload(`catalog-${mode}-${new Date(call.now).toISOString().slice(0, 10)}`, header, rows);
          return format === 'json' ? { ...file, json: 'products' } : file;
        },
      }),
    ),
  ];

  function requirePlansOf({ destination, reach }: { destination: string; reach: 'own' | 'wider' }): readonly Plan[] {
    const found = catalog.destination(destination);
    if (!found) throw new Refused('not_found', 'we do not know this destination');
    return plansOf(catalog, found, reach);
  }
};

function requirePlanFilter(call: Call) {
  const { oneOf, text, page } = filtersFrom(call, 'invalid_input');
  return {
    destination: text('destination') ?? '',
    search: text('search', 100) ?? '',
    kind: oneOf('kind', ['esim', 'refill']) ?? '',
    sort: oneOf('sort', Object.keys(sortings) as (keyof typeof sortings)[]) ?? 'price',
    reach: oneOf('reach', ['wider']) ?? 'own',
    page: page(MAX_PAGE),
  } as const;
}

const destinationView = ({ destination, plans, refills, from }: DestinationSum) => ({
  ...jsonOf(destination, 'code', 'title', 'image', 'scope'),
  plans,
  refills,
  /** The lowest of the partner's prices for an eSIM; null: only refills are sold. */
  from: from === undefined ? null : formatCents(from),
});

/** The partner's retail price of a plan; null: not set. */
function retailView(plan: Plan, cost: Cents, retail: RetailPrices) {
  const sold = retail.of({ plan: plan.alias, destination: plan.destination.code, cost });
  if (!sold) return null;
  const margin = marginOf(sold.price, cost, retail.terms);
  return {
    price: formatRetail(sold.price),
    /** In dollars. */
    margin: formatCents(margin),
    margin_pct: marginPercent(margin, inDollars(sold.price, retail.terms)) ?? null,
    by: sold.by,
  };
}

function planView(plan: Plan, prices: PartnerPrices, retail: RetailPrices) {
  const { destination, network, coverage } = plan;
  const price: Cents = prices.priceOf(plan).partnerPrice;
  return {
    id: plan.alias,
    title: plan.title,
    destination: { code: destination.code, title: destination.title, image: destination.image },
    data: plan.data,
    days: plan.day,
    network: plan.networkType,
    operator: network.title,
    /** How many countries it covers. */
    countries: coverage.codes.length,
    is_refill: plan.refills !== null,
    list_price: formatCents(plan.listPrice),
    your_price: formatCents(price),
    facts: planFacts(plan),
    retail: retailView(plan, price, retail),
  };
}
