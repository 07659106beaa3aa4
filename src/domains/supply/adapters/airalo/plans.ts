import { type Micros, toMicros } from '../../../../platform/amounts/cents.ts';
import { type PlanEntry, type SkippedRow, slugOf } from '../../../catalog/import-format/import-format.ts';
import { type Json, listOf, microsOf, numberOf, objectOf, textOf, wholeNumber } from '../loose.ts';
import {
  clip,
  dailyMbIn,
  dayFields,
  installWindow,
  isIso,
  MAX_NETWORKS,
  priceFields,
  readFairUse,
} from '../plan-fields.ts';

const WORLD = ['world', 'global'];

/**
 * Every package: new eSIMs, and the refills that can be added to those of the same operator. A package that is listed twice becomes
 * one plan. `leftOut`: packages we cannot sell.
 */
export function readPackages(places: readonly Json[], discountPct: number) {
  const plans = new Map<string, PlanEntry>();
  const titles = new Map<string, string>();
  const leftOut = new Map<string, SkippedRow>();
  for (const place of places) {
    const destination = destinationOf(place);
    const title = textOf(place.title) ?? destination;
    titles.set(destination, title);
    for (const operator of listOf(place.operators) ?? []) {
      const shared = {
        destination,
        ...networkOf(operator, destination),
        operator: operatorOf(operator),
        ...installWindow(operator.install_window_days),
      };
      const packages = listOf(operator.packages) ?? [];
      const esims = refillable(operator, packages);
      for (const sold of packages) {
        const code = textOf(sold.id) ?? '';
        const known = plans.get(code);
        const byTheDay = dayPlanOf(sold, title);
        if (typeof byTheDay === 'string') {
          leftOut.set(code, { code, reason: byTheDay });
          continue;
        }
        const plan = { ...shared, ...planOf(sold, code, title, discountPct), ...byTheDay };
        if (sold.type === 'topup') {
          const refills = [...new Set([...(known?.refills ?? []), ...esims])];
          if (refills.length > 0) plans.set(code, { ...plan, ...known, refills });
        } else if (!known) plans.set(code, plan);
      }
    }
  }
  return { plans: [...plans.values()], titles, leftOut: [...leftOut.values()] };
}

/** Codes of the operator's packages whose eSIMs can be refilled. */
const refillable = (operator: Json, packages: readonly Json[]): string[] =>
  operator.rechargeability === true
    ? packages.filter(({ type }) => type !== 'topup').flatMap(({ id }) => textOf(id) ?? [])
    : [];

/** Countries go by their ISO code, regions by their slug. */
function destinationOf(place: Json): string {
  const country = textOf(place.country_code)?.toUpperCase();
  if (country) return country;
  const slug = slugOf(textOf(place.slug) ?? textOf(place.title) ?? '');
  return WORLD.includes(slug) ? 'global' : slug;
}

function networkOf(operator: Json, destination: string): Pick<PlanEntry, 'network_type' | 'coverage'> {
  const coverages = listOf(operator.coverages) ?? [];
  const types = coverages.flatMap(({ networks }) =>
    (listOf(networks) ?? []).flatMap(({ types }) => (Array.isArray(types) ? types.map(String) : [])),
  );
  const covered = coverages.map(({ code }) => textOf(code)?.toUpperCase()).filter(isIso);
  const countries = (listOf(operator.countries) ?? []).map((one) => textOf(one.country_code)?.toUpperCase());
  const known = covered.length > 0 ? covered : countries.filter(isIso);
  const coverage = known.length > 0 ? known : [destination].filter(isIso);
  return {
    network_type: types.some((type) => type.includes('5G')) ? '5G' : '4G',
    ...(coverage.length > 0 ? { coverage } : {}),
  };
}

function operatorOf(operator: Json): NonNullable<PlanEntry['operator']> {
  const given = {
    title: clip(operator.title),
    image: clip(objectOf(operator.image).url),
    activation_policy: clip(operator.activation_policy),
    plan_type: clip(operator.plan_type),
    esim_type: clip(operator.esim_type),
    apn_type: clip(operator.apn_type),
  };
  const flags = {
    is_roaming: operator.is_roaming,
    is_kyc_verify: operator.is_kyc_verify,
    rechargeability: operator.rechargeability,
  };
  const networks = (listOf(operator.coverages) ?? []).flatMap((one) =>
    (listOf(one.networks) ?? []).flatMap(({ name }) => clip(name) ?? []),
  );
  return {
    ...(networks.length > 0 ? { networks: [...new Set(networks)].slice(0, MAX_NETWORKS) } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
    ...Object.fromEntries(Object.entries(flags).filter(([, value]) => typeof value === 'boolean')),
    apn_value: clip(operator.apn_value),
    info: (Array.isArray(operator.info) ? operator.info : []).map(clip).filter((line) => line !== null),
    other_info: clip(operator.other_info),
    warning: clip(operator.warning),
  };
}

type OwnFields = Omit<PlanEntry, 'destination' | 'network_type' | 'coverage' | 'operator' | 'install_window_days'>;

function planOf(sold: Json, code: string, place: string, discountPct: number): OwnFields {
  const prices = objectOf(sold.prices);
  const price = microsOf(sold.price);
  const retail = microsOf(objectOf(prices.recommended_retail_price).USD) ?? price;
  const net = microsOf(objectOf(prices.net_price).USD) ?? microsOf(sold.net_price) ?? discounted(price, discountPct);
  const isUnlimited = sold.is_unlimited === true;
  const fairUse = sold.is_fair_usage_policy === true ? readFairUse(clip(sold.fair_usage_policy)) : {};
  return {
    code,
    // Airalo's title does not name the place.
    title: `${place} ${textOf(sold.title) ?? code}`.slice(0, 200),
    amount: isUnlimited ? 0 : Math.round(numberOf(sold.amount) ?? 0),
    day: Math.round(numberOf(sold.day) ?? 0),
    is_unlimited: isUnlimited,
    ...priceFields(retail, net),
    voice: numberOf(sold.voice),
    text: numberOf(sold.text),
    short_info: clip(sold.short_info),
    ...fairUse,
  };
}

/**
 * What differs for a package sold by the day; undefined: it is not one. Airalo lists it for a number of days, with the
 * price of all of them. Whether its amount is that of a day or of all days is not documented, so both are accepted, and any other
 * is the reason why it cannot be sold.
 */
function dayPlanOf(sold: Json, place: string): ReturnType<typeof dayFields> | string | undefined {
  const dailyMb = sold.is_unlimited === true ? undefined : dailyMbIn(`${textOf(sold.data)} ${textOf(sold.title)}`);
  if (!dailyMb) return undefined;
  const [amount, days] = [numberOf(sold.amount), Math.round(numberOf(sold.day) ?? 0)];
  if (amount !== dailyMb && amount !== dailyMb * days)
    return "sold by the day, but its amount is neither the day's data nor that of all days";
  return dayFields({ place, dailyMb, days, policy: clip(sold.fair_usage_policy) });
}

/** Accounts with discount pricing get no net price: they pay the price less their discount. */
const discounted = (price: Micros | null, discountPct: number): Micros | null =>
  price === null ? null : toMicros((price * wholeNumber((100 - discountPct) * 10_000)) / 1_000_000n);
