import { type Micros, toMicros } from '../../../../platform/amounts/cents.ts';
import { type PlanEntry, type SkippedRow, slugOf } from '../../../catalog/import-format/import-format.ts';
import { type Json, listOf, numberOf, objectOf, textOf, wholeNumber } from '../loose.ts';
import { clip, countryName, isIso, priceFields } from '../plan-fields.ts';

const MICROS_PER_USD = 1_000_000;
const USUAL_DIVISOR = 100;

/** Whole units of a currency's `divisor`, as they write money; null when it is missing, not in dollars or not countable. */
export function microsOfMinor(value: unknown, currency: unknown, divisor: unknown): Micros | null {
  const [amount, per] = [numberOf(value), numberOf(divisor) ?? USUAL_DIVISOR];
  if (amount === null || !(per > 0) || (textOf(currency) ?? 'USD') !== 'USD') return null;
  return toMicros(wholeNumber((amount * MICROS_PER_USD) / per));
}

/** A price or cost of an offer: without its fee, `fixed` is not what is paid. */
export function offerMicros({ fixed, fee, currency, currencyDivisor }: Json): Micros | null {
  const amount = numberOf(fixed);
  if (amount === null || amount < 0) return null;
  return microsOfMinor(amount + Math.max(0, numberOf(fee) ?? 0), currency, currencyDivisor);
}

/** A plan is an eSIM or a refill, but an offer can be either. As a refill its code has this in front. */
const PREFIX = 'refill:';

const isRefillCode = (code: string): boolean => code.startsWith(PREFIX);
const refillCode = (offerId: string): string => PREFIX + offerId;
/** The offer that a plan's code stands for. */
export const offerIdOf = (code: string): string => (isRefillCode(code) ? code.slice(PREFIX.length) : code);

/** Theirs: 1 GB is 1000 MB. */
export const MB_PER_GB = 1_000;

/**
 * Every enabled offer, as a plan for a new eSIM and as a refill. Zendit has no refills of their own: any offer can be added to an eSIM.
 * Which ones fit is not documented, so a refill is offered for eSIMs of the same country, or of the same region and its countries.
 */
export function readOffers(offers: readonly Json[]) {
  const [leftOut, titles] = [[] as SkippedRow[], new Map<string, string>()];
  const areas = new Map<string, PlanEntry[]>();
  for (const offer of offers) {
    if (offer.enabled === false) continue;
    const reason = unsellable(offer);
    if (reason !== undefined) leftOut.push({ code: textOf(offer.offerId) ?? '', reason });
    else {
      const place = placeOf(offer);
      const plan = planOf(offer, place);
      titles.set(plan.destination, place.title);
      const area = place.country ?? JSON.stringify([plan.destination, plan.coverage]);
      areas.set(area, [...(areas.get(area) ?? []), plan]);
    }
  }
  const esims = [...areas.values()].flat();
  const refills = [...areas.values()].flatMap((plans) => {
    const codes = plans.map(({ code }) => code);
    return plans.map((plan) => ({ ...plan, code: refillCode(plan.code), refills: codes }));
  });
  return { plans: [...esims, ...refills], titles, leftOut };
}

/** Why an offer cannot be sold; undefined: it can. */
function unsellable(offer: Json): string | undefined {
  const cost = objectOf(offer.cost);
  const currency = textOf(cost.currency) ?? 'USD';
  if ((textOf(offer.priceType) ?? 'FIXED') !== 'FIXED') return `its price is ${textOf(offer.priceType)}, not FIXED`;
  if (currency !== 'USD') return `priced in ${currency}, not USD`;
  if (offerMicros(cost) === null) return 'it has no cost';
  if (isRefillCode(textOf(offer.offerId) ?? '')) return 'its id looks like one of ours for a refill';
  if (placeOf(offer).title === '') return 'it names neither a country nor a region';
  return undefined;
}

interface Place {
  readonly country: string | undefined;
  readonly destination: string;
  readonly title: string;
}

const countryOf = (value: unknown): string | undefined => {
  const code = textOf(value)?.toUpperCase();
  return isIso(code) ? code : undefined;
};

/** A country by its code; regions by their names, which are theirs where we have no such region. */
function placeOf(offer: Json): Place {
  const country = countryOf(offer.country);
  if (country) return { country, destination: country, title: countryName(country) ?? country };
  const regions = Array.isArray(offer.regions) ? offer.regions.flatMap((name) => textOf(name) ?? []) : [];
  const title = regions.join(' and ');
  return { country, destination: slugOf(title), title };
}

function planOf(offer: Json, { country, destination, title: place }: Place): PlanEntry {
  const roaming = listOf(offer.roaming) ?? [];
  const coverage = [...new Set([country, ...roaming.map((one) => countryOf(one.country))].filter(isIso))];
  const isUnlimited = offer.dataUnlimited === true;
  const [gb, day] = [numberOf(offer.dataGB) ?? 0, Math.round(numberOf(offer.durationDays) ?? 0)];
  const price = offerMicros(retailOf(offer));
  const cost = offerMicros(objectOf(offer.cost));
  return {
    code: textOf(offer.offerId) ?? '',
    destination,
    title: `${place.slice(0, 150)} ${isUnlimited ? 'Unlimited' : dataText(gb)} ${day} ${day === 1 ? 'day' : 'days'}`,
    amount: isUnlimited ? 0 : Math.round(gb * MB_PER_GB),
    day,
    is_unlimited: isUnlimited,
    network_type: [offer, ...roaming].some((one) => speedsOf(one).includes('5G')) ? '5G' : '4G',
    ...priceFields(price, cost),
    ...(coverage.length > 0 ? { coverage } : {}),
    voice: Math.round(numberOf(offer.voiceMinutes) ?? 0) || null,
    text: Math.round(numberOf(offer.smsNumber) ?? 0) || null,
    short_info: clip(offer.shortNotes),
    operator: {
      ...(clip(offer.brandName) === null ? {} : { title: clip(offer.brandName) ?? '' }),
      other_info: clip(offer.notes),
      rechargeability: true,
    },
    ...(isUnlimited && Array.isArray(offer.subTypes) && offer.subTypes.includes('Fast') ? fast : {}),
  };
}

/** What we set as our price in their console, or else what they suggest. */
function retailOf(offer: Json): Json {
  const price = objectOf(offer.price);
  return numberOf(price.fixed) ? price : { ...price, fixed: price.suggestedFixed, fee: 0 };
}

/** The fair use of their grade "Fast". The figures of the others are not public. */
const fast: Partial<PlanEntry> = {
  fup_kind: 'daily_throttle',
  fup_daily_mb: MB_PER_GB,
  fup_speed_kbps: 512,
  fair_use_text: '1 GB per 24 hours at full speed, then 512 kbps.',
};

const speedsOf = ({ dataSpeeds }: Json): string => (Array.isArray(dataSpeeds) ? dataSpeeds.join() : '');
const dataText = (gb: number): string => (gb < 1 ? `${Math.round(gb * MB_PER_GB)} MB` : `${Number(gb.toFixed(2))} GB`);
