import { formatMicros } from '../../../../platform/amounts/cents.ts';
import { type PlanEntry, slugOf } from '../../../catalog/import-format/import-format.ts';
import { type Json, listOf, microsOf, numberOf, objectOf, textOf } from '../loose.ts';
import { clip, isIso, readFairUse } from '../plan-fields.ts';

/** They count 1,000 MB to a GB, the contract 1,024. A plan that is sold as 1 GB is 1 GB here, and its usage keeps the scale. */
const MB_PER_DECIMAL_MB = 1.024;
const BYTES_PER_DECIMAL_MB = 1_000_000;

/** Our MB of their decimal ones. */
const mbOf = (decimalMb: number): number => Math.round(decimalMb * MB_PER_DECIMAL_MB);

export const mbOfBytes = (bytes: number): number => mbOf(bytes / BYTES_PER_DECIMAL_MB);

/** A bundle is sold with a new eSIM under its own name, and as a refill under its name after this. */
const REFILL = 'refill:';

/** The bundle that a plan of ours is. */
export const bundleOf = (plan: string): string => (plan.startsWith(REFILL) ? plan.slice(REFILL.length) : plan);

/** Their regions, by the beginning of the code in a bundle's name (`esim_1GB_7D_REUP_V2`). */
const regions: readonly [beginning: string, ours: string][] = [
  ['REU', 'europe'],
  ['RAS', 'asia'],
  ['RME', 'middle-east'],
  ['RAF', 'africa'],
  ['RNA', 'north-america'],
  ['RLA', 'latin-america'],
  ['RCA', 'caribbean'],
  ['ROC', 'oceania'],
  ['RGB', 'global'],
  ['RGL', 'global'],
];

/** What "unlimited" means, by the code in a bundle's name or by its group. */
const unlimited: readonly [code: string, group: string, title: string, fairUse: string][] = [
  ['UL', 'Unlimited Lite', 'Unlimited Lite', '512 kbps after 1 GB per day'],
  ['ULE', 'Unlimited Essential', 'Unlimited Essential', '1.25 Mbps after 1 GB per day'],
  ['ULP', 'Unlimited Plus', 'Unlimited Plus', '2 Mbps after 2 GB per day'],
];

/** `titles`: their names of destinations, by our code. `leftOut`: how many bundles are not sold at a fixed price. */
export function readCatalogue(bundles: readonly Json[]) {
  const plans = new Map<string, PlanEntry>();
  const titles = new Map<string, string>();
  /** Bundles that fit each other's eSIMs: same provider, same places. */
  const alike = new Map<string, PlanEntry[]>();
  let leftOut = 0;
  for (const bundle of bundles) {
    const plan = planOf(bundle, titles);
    if (!plan) leftOut += 1;
    if (!plan || plans.has(plan.code)) continue;
    plans.set(plan.code, plan);
    const fit = JSON.stringify([textOf(bundle.profileName), plan.destination, plan.coverage?.toSorted()]);
    alike.set(fit, [...(alike.get(fit) ?? []), plan]);
  }
  for (const fitting of alike.values()) {
    const refills = fitting.map(({ code }) => code);
    for (const plan of fitting) plans.set(REFILL + plan.code, { ...plan, code: REFILL + plan.code, refills });
  }
  return { plans: [...plans.values()], titles, leftOut };
}

function planOf(bundle: Json, titles: Map<string, string>): PlanEntry | undefined {
  if ((textOf(bundle.billingType) ?? 'FixedCost') !== 'FixedCost') return undefined;
  const code = textOf(bundle.name) ?? '';
  const places = listOf(bundle.countries) ?? [];
  const base = isosOf(bundle.countries);
  const coverage = [...new Set([...base, ...isosOf(bundle.roamingEnabled)])];
  const { destination, title } = placeOf(code, places, base);
  if (destination !== '' && title !== '') titles.set(destination, title);
  const days = Math.round(numberOf(bundle.duration) ?? 0);
  const isUnlimited = bundle.unlimited === true || numberOf(bundle.dataAmount) === -1;
  const kind = isUnlimited ? kindOf(code, bundle.groups) : undefined;
  const decimalMb = isUnlimited ? 0 : (numberOf(bundle.dataAmount) ?? 0);
  const size = isUnlimited ? (kind?.[2] ?? 'Unlimited') : sizeOf(decimalMb);
  const cost = microsOf(bundle.price);
  const speeds = Array.isArray(bundle.speed) ? bundle.speed : [bundle.speed];
  return {
    code,
    destination,
    title: `${title || destination} ${size}, ${days} ${days === 1 ? 'day' : 'days'}`.slice(0, 200),
    amount: mbOf(decimalMb),
    day: days,
    is_unlimited: isUnlimited,
    network_type: speeds.some((speed) => textOf(speed)?.includes('5G')) ? '5G' : '4G',
    // eSIM Go names no retail price: the supplier's markup sets it.
    price: '0',
    cost: cost === null ? null : formatMicros(cost),
    ...(coverage.length > 0 ? { coverage } : {}),
    voice: allowance(bundle, 'VOICE'),
    text: allowance(bundle, 'SMS'),
    short_info: clip(bundle.description),
    operator: { rechargeability: true },
    ...(kind ? readFairUse(kind[3]) : {}),
  };
}

/** The two-letter codes of a list of countries. Some entries are texts, and a region's code is longer. */
function isosOf(list: unknown): string[] {
  const entries = Array.isArray(list) ? list : [];
  const codes = entries.map((one: unknown) => textOf(typeof one === 'string' ? one : objectOf(one).iso) ?? '');
  return codes.map((code) => code.toUpperCase()).filter(isIso);
}

/** One country is that country. A region goes by the code in the bundle's name, or by its own. */
function placeOf(
  code: string,
  places: readonly Json[],
  base: readonly string[],
): { destination: string; title: string } {
  const [only, ...more] = base;
  const title = textOf(places[0]?.name) ?? '';
  if (only && more.length === 0) return { destination: only, title };
  const region = code.split('_').find((part) => /^R[A-Z]{2,4}$/.test(part)) ?? textOf(places[0]?.iso) ?? '';
  const ours = regions.find(([beginning]) => region.toUpperCase().startsWith(beginning))?.[1];
  return {
    destination: ours ?? slugOf(places.length === 1 && title ? title : region),
    title: places.length === 1 ? title : '',
  };
}

function kindOf(code: string, groups: unknown) {
  const parts = code.split('_');
  const named = Array.isArray(groups) ? groups.map(textOf) : [];
  return unlimited.find(([token]) => parts.includes(token)) ?? unlimited.find(([, group]) => named.includes(group));
}

const sizeOf = (decimalMb: number): string => (decimalMb >= 1_000 ? `${decimalMb / 1_000} GB` : `${decimalMb} MB`);

function allowance(bundle: Json, type: string): number | null {
  const found = (listOf(bundle.allowances) ?? []).find((one) => textOf(one.type)?.toUpperCase() === type);
  const amount = found && found.unlimited !== true ? numberOf(found.amount) : null;
  return amount === null || amount < 0 ? null : Math.round(amount);
}
