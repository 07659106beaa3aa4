import { parseCents, parseMicros } from '../../../platform/amounts/cents.ts';
import {
  type DestinationEntry,
  formatProblem,
  HIGHEST_PRICE,
  type ImportProblem,
  ImportRefused,
  type Located,
  MOST_DESTINATIONS,
  MOST_PLANS,
  type OperatorEntry,
  type PlanEntry,
  type RawImport,
  type Scope,
  type SkippedRow,
  START,
  type SupplierEntry,
} from '../import-format/import-format.ts';
import type { Network } from '../plans/plan.ts';

export type PlanInput = Exclude<ReturnType<typeof plan>, string>;

export type CheckedImport = ReturnType<typeof checkImport>;

/** Destinations that exist already, by code. */
type KnownDestinations = ReadonlyMap<string, { readonly scope: Scope; readonly slug: string }>;

/** If more rows of a supplier's list are bad than this, its format has changed, and importing the rest would empty the catalog. */
const MOST_SKIPPED = 0.5;

/**
 * Throws `ImportRefused` with every problem at once, each with its place. One problem rejects a file; in a supplier's list bad rows
 * are skipped, unless most rows are bad. `full`: plans of the supplier that the import does not name go off sale, except refills with
 * `keepRefills`. `removed`: codes of plans that go off sale, in a list of changes.
 */
export function checkImport(raw: RawImport, known: KnownDestinations) {
  requireSize(raw);
  const problems: (ImportProblem & SkippedRow)[] = [];
  const skipped: (ImportProblem & SkippedRow)[] = [];
  const into =
    (bad: { push(row: ImportProblem & SkippedRow): void }) =>
    <T>(located: Located, check: (entry: unknown) => T | string): T[] => {
      const result = check(located.entry);
      if (typeof result !== 'string') return [result];
      // Looked at only now: the place of an entry may have to be searched for.
      const { entry: _, ...place } = located;
      bad.push({ ...place, code: codeOf(located), reason: result });
      return [];
    };
  const checked = into(problems);
  const checkedRow = raw.isSupplierList ? into(skipped) : checked;

  const supplier = formatted<SupplierEntry>('supplier', raw.supplier);
  if (typeof supplier === 'string') problems.push({ ...(raw.places?.supplier ?? START), code: '', reason: supplier });
  const { full } = raw;
  if (typeof full !== 'boolean')
    problems.push({ ...(raw.places?.full ?? START), code: '', reason: 'full must be true or false' });
  const all = new Map(known);
  const given = raw.isSupplierList ? raw.destinations.filter((row) => !known.has(codeOf(row))) : raw.destinations;
  const destinations = given.flatMap((located) => checkedRow(located, (entry) => destination(entry, all)));
  const refills = raw.plans.filter(isRefill);
  const context = {
    known: all,
    codes: new Set<string>(),
    refills: new Set(refills.map(codeOf)),
    refilled: new Set(refills.flatMap(({ entry }) => (entry as { refills: unknown[] }).refills)),
  };
  const plans = raw.plans.flatMap((located) => checkedRow(located, (entry) => plan(entry, context)));
  // One changed row may be the whole list of changes, and may well be bad.
  const isWhole = raw.removed === undefined;
  if (isWhole && raw.plans.length - plans.length > raw.plans.length * MOST_SKIPPED) problems.push(...skipped);
  if (problems.length > 0 || typeof supplier === 'string' || typeof full !== 'boolean')
    throw new ImportRefused(problems.map(({ code: _, ...problem }) => problem));
  const { keepRefills = false, leftOut = [], version = null } = raw;
  const unread = [...skipped, ...leftOut].map(({ code, reason }) => ({
    code: shortText(code),
    reason: shortText(reason, LONGEST_REASON),
  }));
  // A plan whose row cannot be read goes off sale, because its cost is no longer known.
  const removed = raw.removed && [...raw.removed.map((code) => shortText(code)), ...unread.map(({ code }) => code)];
  return { supplier, full, keepRefills, removed, version: versionOf(version), destinations, plans, skipped: unread };
}

/** Before anything is looked at: checking a list takes time and memory in proportion to it. */
function requireSize({ plans, destinations, removed = [], leftOut = [] }: RawImport): void {
  const rows = Math.max(plans.length + leftOut.length, removed.length);
  if (rows > MOST_PLANS)
    throw new ImportRefused([
      { ...START, reason: `${rows} plans are listed; a supplier may have at most ${MOST_PLANS}` },
    ]);
  if (destinations.length > MOST_DESTINATIONS)
    throw new ImportRefused([
      { ...START, reason: `${destinations.length} destinations are named; there may be at most ${MOST_DESTINATIONS}` },
    ]);
}

/** As reports show it. */
const codeOf = ({ entry }: Located): string => shortText((entry as { code?: unknown } | null)?.code ?? '');

const LONGEST_CODE = 200;
const LONGEST_REASON = 500;
/** What a report may contain of a supplier's own text. */
const shortText = (text: unknown, most = LONGEST_CODE): string =>
  String(text)
    .slice(0, most)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ');

/** One that is not a short name is not kept: the next import then reads the whole list. */
const versionOf = (version: string | null): string | null =>
  version !== null && /^[!-~]{1,200}$/.test(version) ? version : null;

const isRefill = ({ entry }: Located): boolean => Array.isArray((entry as { refills?: unknown } | null)?.refills);

function formatted<T>(kind: Parameters<typeof formatProblem>[0], entry: unknown): T | string {
  return formatProblem(kind, entry) ?? (entry as T);
}

function destination(entry: unknown, known: Map<string, { scope: Scope; slug: string }>): DestinationEntry | string {
  const found = formatted<DestinationEntry>('destination', entry);
  if (typeof found === 'string') return found;
  const { code, scope, slug, region } = found;
  if ((scope === 'country') !== /^[A-Z]{2}$/.test(code))
    return `code ${code} does not fit a ${scope} destination: a country has an ISO code, a region its slug`;
  if (scope !== 'country' && code !== slug)
    return `code and slug of a region must be the same, not ${code} and ${slug}`;
  if (scope !== 'country' && region !== undefined) return 'only a country may name a region';
  if (region !== undefined && known.get(region)?.scope !== 'regional') return `region ${region} is not known`;
  const before = known.get(code);
  if (before && before.scope !== scope) return `destination ${code} is ${before.scope}, not ${scope}`;
  for (const [other, taken] of known)
    if (other !== code && taken.slug === slug) return `slug ${slug} belongs to ${other}`;
  known.set(code, { scope, slug });
  return found;
}

interface PlanContext {
  readonly known: KnownDestinations;
  /** Codes of the plans before it. */
  readonly codes: Set<string>;
  readonly refills: ReadonlySet<string>;
  readonly refilled: ReadonlySet<unknown>;
}

function plan(entry: unknown, { known, codes, refills, refilled }: PlanContext) {
  const found = formatted<PlanEntry>('plan', entry);
  if (typeof found === 'string') return found;
  const { code, is_unlimited: isUnlimited = false, amount } = found;
  if (codes.has(code)) return `code ${code} is used twice`;
  codes.add(code);
  const scope = known.get(found.destination)?.scope;
  if (scope === undefined) return `destination ${found.destination} is not known`;
  if (isUnlimited && amount !== 0) return 'amount of an unlimited plan must be 0';
  if (!isUnlimited && amount === 0) return 'amount 0 needs is_unlimited';
  const refillOfRefill = found.refills?.find((refilled) => refills.has(refilled));
  if (refillOfRefill !== undefined) return `refills names ${refillOfRefill}, which is a refill itself`;
  const coverage = found.coverage ?? (scope === 'country' ? [found.destination] : undefined);
  if (coverage === undefined) return `coverage is required: ${found.destination} is not a country`;
  const price = parseCents(String(found.price));
  if (price === undefined || price > HIGHEST_PRICE)
    return 'price must be an amount up to 100000.00 with at most two places';
  const cost = found.cost === undefined || found.cost === null ? null : parseMicros(String(found.cost));
  if (cost === undefined || (cost !== null && cost > HIGHEST_PRICE * 10_000n))
    return 'cost must be an amount up to 100000.00 with at most six places';
  return {
    supplierPlan: code,
    destination: found.destination,
    network: networkOf({ rechargeability: found.refills != null || refilled.has(code), ...found.operator }),
    title: found.title,
    amountMb: amount,
    day: found.day,
    isUnlimited,
    networkType: found.network_type,
    listPrice: price,
    cost,
    isUsageMetered: found.is_usage_metered ?? false,
    fupKind: found.fup_kind ?? (isUnlimited ? 'unknown' : 'none'),
    fupDailyMb: found.fup_daily_mb ?? 0,
    fupSpeedKbps: found.fup_speed_kbps ?? 0,
    fairUseText: found.fair_use_text ?? '',
    voice: found.voice ?? null,
    text: found.text ?? null,
    shortInfo: found.short_info ?? null,
    installWindowDays: found.install_window_days ?? null,
    coverage: [...new Set(coverage)].sort(),
    onSale: found.on_sale ?? true,
    refills: found.refills ? [...new Set(found.refills)].sort() : null,
  };
}

function networkOf({ title, image, networks = [], ...meta }: OperatorEntry): Network {
  return {
    title: title ?? '',
    image: image ?? '',
    ...(networks.length > 0 && { networks }),
    meta: {
      activation_policy: meta.activation_policy ?? 'first-usage',
      plan_type: meta.plan_type ?? 'data',
      esim_type: meta.esim_type ?? 'Prepaid',
      is_roaming: meta.is_roaming ?? true,
      is_kyc_verify: meta.is_kyc_verify ?? false,
      rechargeability: meta.rechargeability ?? false,
      apn_type: meta.apn_type ?? 'automatic',
      apn_value: meta.apn_value ?? null,
      info: meta.info ?? [],
      other_info: meta.other_info ?? null,
      warning: meta.warning ?? null,
    },
  };
}
