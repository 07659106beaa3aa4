import { setImmediate } from 'node:timers/promises';
import type { Cents } from '../../../platform/amounts/cents.ts';
import type { BasisPoints } from '../../../platform/amounts/percent.ts';
import { DAY } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Plan } from '../catalog.ts';
import { type PriceContract, priceContract } from './contracts.ts';
import { type AccountShare, accountShare, type TierProgress, tierProgress } from './formula.ts';
import { type PartnerRow, type ReadRules, readGeneralRules, readPartner } from './read.ts';
import { type PartnerPrice, priceOf, type Terms } from './rules.ts';
import { type PricingSettings, readPricingSettings } from './settings.ts';

/** The prices of one partner at this moment. The catalog shows them and the purchase charges them. */
export interface PartnerPrices {
  /** Two partners (or two moments) with the same fingerprint have the same price for every plan. */
  readonly fingerprint: string;
  readonly contract: PriceContract;
  priceOf(plan: Plan): PartnerPrice;
  readonly share: AccountShare;
  readonly cap: BasisPoints;
  /** Undefined when a custom share disables tiers, or there are none. */
  readonly tier: (TierProgress & { readonly windowDays: number; readonly toppedUp: Cents }) | undefined;
  /** Rules that can apply to the partner: its own and the general ones. */
  readonly ruleCount: number;
}

export interface GeneralTerms extends PricingSettings {
  readonly rules: ReadRules;
}

export async function readGeneralTerms(db: Queryable): Promise<GeneralTerms> {
  const [settings, rules] = await Promise.all([readPricingSettings(db), readGeneralRules(db)]);
  return { ...settings, rules };
}

export function partnerTerms({ own, custom, toppedUp }: PartnerRow, { cap, shareTiers, rules }: GeneralTerms) {
  const progress = tierProgress(shareTiers, toppedUp);
  const share = accountShare(custom, progress, cap);
  // A share of zero that was not chosen for this account is not a rule.
  const source = share.share > 0n || share.source === 'account' ? 'account_default' : 'none';
  const terms: Terms = { own: own.rules, general: rules.rules, account: { share: share.share, source }, cap };
  return {
    /** Equal for equal terms. */
    fingerprint: `${rules.hash}.${own.hash}.${cap}.${share.share}.${source}`,
    terms,
    share,
    progress,
  };
}

/** The beginning of the window in which top-ups count towards the tiers. */
export const windowStart = ({ shareTiers }: PricingSettings, now: number): Date =>
  new Date(now - shareTiers.windowDays * DAY);

/** `until`: when a top-up leaves its window, which can lower the tier. Infinite when no top-up counts. */
export async function readPartnerPrices(
  db: Queryable,
  partnerId: number,
  general: GeneralTerms,
  now: number,
): Promise<{ prices: PartnerPrices; until: number }> {
  const { cap, shareTiers, rules } = general;
  const row = await readPartner(db, partnerId, windowStart(general, now));
  const { own, custom, toppedUp, oldest } = row;
  const { fingerprint, terms, share, progress } = partnerTerms(row, general);
  const hasTiers = custom === undefined && shareTiers.tiers.length > 0;
  const { source } = terms.account;
  const written = { generalRules: rules.json, ownRules: own.json, cap, share: share.share, source } as const;
  return {
    until: oldest === null ? Number.POSITIVE_INFINITY : oldest.getTime() + shareTiers.windowDays * DAY,
    prices: {
      fingerprint,
      contract: priceContract(fingerprint, written),
      priceOf: (plan) => priceOf(plan, terms),
      share,
      cap,
      tier: hasTiers ? { ...progress, windowDays: shareTiers.windowDays, toppedUp } : undefined,
      ruleCount: own.count + rules.count,
    },
  };
}

/** How far the caller's prices are below list price on average, over every plan with a known cost. */
export interface AverageDiscount {
  /** Two places; null when no plan has a known cost. */
  readonly pct: number | null;
  readonly sampleSize: number;
}

/** Plans priced in one go. Other requests get their turn in between. */
const SLICE = 2_000;

export async function averageDiscount(
  plans: readonly Plan[],
  priceOf: (plan: Plan) => PartnerPrice,
): Promise<AverageDiscount> {
  const measurable = plans.filter(({ cost }) => cost !== null);
  let sum = 0;
  for (let at = 0; at < measurable.length; at += SLICE) {
    for (const plan of measurable.slice(at, at + SLICE))
      sum += (Number(priceOf(plan).discount) / Number(plan.listPrice)) * 100;
    await setImmediate();
  }
  const sampleSize = measurable.length;
  return { pct: sampleSize === 0 ? null : Math.round((sum / sampleSize) * 100) / 100, sampleSize };
}
