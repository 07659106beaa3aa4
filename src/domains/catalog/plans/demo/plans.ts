import {
  type DestinationEntry,
  geography,
  type OperatorEntry,
  type PlanEntry,
  type SupplierEntry,
} from '../../import-format/import-format.ts';
import { dataText } from '../plan.ts';

interface Offer {
  readonly slug: string;
  /** Percentage of the destinations it serves. */
  readonly reach: number;
  readonly is5g: boolean;
  readonly isMetered: boolean;
  /** Wholesale price level; 1 is the middle of the market. */
  readonly level: number;
  /** [MB, days] */
  readonly sizes: readonly (readonly [number, number])[];
  readonly unlimitedDays: readonly number[];
  /** [MB, days] that can be added to any eSIM of `sizes` for the same destination. Unlimited ones need no refill. */
  readonly refills: readonly (readonly [number, number])[];
  readonly network: string;
  /** Days to install an eSIM in; without it there is no such limit. */
  readonly installWindowDays?: number;
}

const gb = (count: number): number => count * 1024;

/** `500MB/1d 1GB/7d` as pairs of MB and days. */
const bundles = (text: string): [number, number][] =>
  [...text.matchAll(/(\d+)(MB|GB)\/(\d+)d/g)].map(([, size, unit, days]) => [
    unit === 'GB' ? gb(Number(size)) : Number(size),
    Number(days),
  ]);

export const demoSuppliers: readonly (SupplierEntry & Offer)[] = [
  {
    slug: 'aurora',
    title: 'Aurora Wholesale',
    kind: 'simulated',
    reach: 100,
    is5g: true,
    isMetered: true,
    level: 1.08,
    sizes: bundles('500MB/1d 1GB/7d 2GB/15d 3GB/30d 5GB/30d 10GB/30d 20GB/30d 50GB/90d'),
    unlimitedDays: [],
    refills: bundles('1GB/7d 5GB/30d'),
    network: 'Mobile',
    installWindowDays: 180,
  },
  {
    slug: 'beacon',
    title: 'Beacon Roaming',
    kind: 'simulated',
    reach: 100,
    is5g: false,
    isMetered: false,
    level: 0.94,
    sizes: bundles('200MB/1d 500MB/7d 1GB/7d 3GB/15d 3GB/30d 5GB/30d 10GB/30d 20GB/30d 20GB/90d 50GB/180d'),
    unlimitedDays: [],
    refills: bundles('1GB/7d 3GB/30d 10GB/30d'),
    network: 'Telecom',
  },
  {
    slug: 'cobalt',
    title: 'Cobalt Connect',
    kind: 'simulated',
    reach: 78,
    is5g: true,
    isMetered: false,
    level: 1.15,
    sizes: bundles('1GB/7d 5GB/30d 10GB/30d 100GB/180d'),
    unlimitedDays: [1, 3, 5, 7, 10, 15, 30],
    refills: bundles('5GB/30d 10GB/30d'),
    network: 'Networks',
  },
  {
    slug: 'delta',
    title: 'Delta Data',
    kind: 'simulated',
    reach: 64,
    is5g: false,
    isMetered: true,
    level: 0.88,
    sizes: bundles('100MB/7d 1GB/30d 2GB/30d 4GB/30d 6GB/30d 8GB/30d 15GB/30d 30GB/60d'),
    unlimitedDays: [3, 7, 30],
    refills: bundles('2GB/30d 8GB/30d'),
    network: 'Cellular',
    installWindowDays: 90,
  },
];

/** A number from 0 up to 1, always the same for the same text (FNV-1a). */
function chance(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  // Mix once more, so that the last characters reach the high bits, too.
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

const expensive: Readonly<Record<string, number>> = { africa: 2.1, caribbean: 2.4, oceania: 1.7, 'middle-east': 1.3 };

/** Wholesale USD for the first GB: cheap where many travel, expensive on islands. */
function costPerGb({ code, scope, region = code }: DestinationEntry): number {
  const wide = scope === 'global' ? 2.6 : scope === 'regional' ? 1.4 : 1;
  return wide * (expensive[region] ?? 1) * (0.55 + 0.9 * chance(`cost ${code}`));
}

/** More data is cheaper per GB; a longer validity costs a little more. */
const cappedCost = (perGb: number, mb: number, days: number): number =>
  0.12 + perGb * (mb / 1024) ** 0.86 * (0.92 + 0.08 * Math.log2(1 + days / 7));
const unlimitedCost = (perGb: number, days: number): number => 0.3 + perGb * 0.95 * days ** 0.82;

/** List prices end in 9 cents, .50 or .00, as in a shop window. */
function listPrice(cost: number, key: string): string {
  const wanted = cost * (1.45 + 0.7 * chance(`markup ${key}`)) + 0.4;
  return wanted < 20 ? (Math.ceil(wanted * 10) / 10 - 0.01).toFixed(2) : (Math.ceil(wanted * 2) / 2).toFixed(2);
}

export function demoPlans(supplier: Offer, destinations: readonly DestinationEntry[]): PlanEntry[] {
  return destinations
    .filter(({ code, scope }) => scope !== 'country' || chance(`reach ${supplier.slug} ${code}`) * 100 < supplier.reach)
    .flatMap((destination) => plansFor(supplier, destination, coverageOf(supplier, destination, destinations)));
}

function plansFor(supplier: Offer, destination: DestinationEntry, coverage: string[]): PlanEntry[] {
  const perGb = costPerGb(destination) * supplier.level;
  const common = {
    destination: destination.code,
    network_type: supplier.is5g && chance(`5g ${destination.code}`) < 0.7 ? '5G' : '4G',
    coverage,
    operator: operatorOf(supplier, destination),
    install_window_days: supplier.installWindowDays ?? null,
    ...(destination.code === WITHOUT_PLANS ? { on_sale: false } : {}),
  } as const;
  const plan = (amount: number, day: number, cost: number, rest: Partial<PlanEntry>): PlanEntry => {
    const kind = rest.refills ? 'refill-' : '';
    const size = amount === 0 ? 'unlimited' : `${amount}mb`;
    const code = `${destination.code}-${kind}${size}-${day}d`.toLowerCase();
    const title = `${destination.title} ${dataText(amount)} ${day} ${day === 1 ? 'day' : 'days'}`;
    return {
      ...common,
      code,
      title: rest.refills ? `${title} refill` : title,
      amount,
      day,
      price: listPrice(cost, `${supplier.slug} ${code}`),
      cost: cost.toFixed(6),
      ...rest,
    };
  };
  const capped = (mb: number, day: number, rest: Partial<PlanEntry> = {}): PlanEntry =>
    plan(mb, day, cappedCost(perGb, mb, day), { is_usage_metered: supplier.isMetered, ...rest });
  const sized = supplier.sizes.map(([mb, day]) => capped(mb, day));
  const refills = sized.map(({ code }) => code);
  return [
    ...sized,
    ...supplier.unlimitedDays.map((day) => plan(0, day, unlimitedCost(perGb, day), fairUse(supplier, destination))),
    ...supplier.refills.map(([mb, day]) => capped(mb, day, { refills })),
  ];
}

/** Some suppliers say what happens after the daily allowance; others do not. */
function fairUse({ slug, is5g }: Offer, { code }: DestinationEntry): Partial<PlanEntry> {
  if (chance(`fair use ${slug} ${code}`) < 0.15) return { is_unlimited: true, fup_kind: 'unknown' };
  const [dailyMb, kbps] = is5g ? [gb(3), 1024] : [gb(1), 512];
  return {
    is_unlimited: true,
    fup_kind: 'daily_throttle',
    fup_daily_mb: dailyMb,
    fup_speed_kbps: kbps,
    fair_use_text: `${dataText(dailyMb)} per day at full speed, then ${kbps} kbps until midnight UTC.`,
  };
}

/** A regional or global plan covers most of its countries, but not all, as with real suppliers. */
function coverageOf(
  supplier: Offer,
  destination: DestinationEntry,
  destinations: readonly DestinationEntry[],
): string[] {
  if (destination.scope === 'country') return [destination.code];
  const share = destination.scope === 'global' ? 0.6 : 0.88;
  return destinations
    .filter(
      ({ scope, region }) => scope === 'country' && (destination.scope === 'global' || region === destination.code),
    )
    .map(({ code }) => code)
    .filter((code) => chance(`covers ${supplier.slug} ${destination.code} ${code}`) < share);
}

function operatorOf(supplier: Offer, { title, scope }: DestinationEntry): OperatorEntry {
  return {
    title: `${title} ${supplier.network}`,
    ...(scope === 'country' && { networks: [`${title} ${supplier.network}`] }),
    activation_policy: supplier.isMetered ? 'first-usage' : 'installation',
    is_roaming: scope !== 'country' || !supplier.is5g,
    apn_type: supplier.is5g ? 'automatic' : 'manual',
    apn_value: supplier.is5g ? null : 'internet',
    info: ['Data-only eSIM.', supplier.is5g ? 'Up to 5G where the network offers it.' : 'LTE data.'],
    other_info: null,
    warning: null,
  };
}

/** ISO codes where no travel eSIMs are sold: uninhabited, without a network for visitors, or not an assigned code. */
const UNSOLD = new Set(['AQ', 'BV', 'EH', 'GS', 'HM', 'IO', 'KP', 'PN', 'SY', 'TF', 'TK', 'UM', 'XK']);

const WITHOUT_PLANS = 'NU';

/** Every destination of the demo catalog: regions, the world, and the countries by code. */
export const demoDestinations = (): DestinationEntry[] => geography().filter(({ code }) => !UNSOLD.has(code));
