import type { Plan } from '../catalog/catalog.ts';
import { DAY } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import type { Cents } from '../money/money.ts';
import { type PriceContract, priceContract } from './contracts.ts';
import type { BasisPoints } from './formula.ts';
import { type ReadRules, readGeneralRules, readPartner } from './read.ts';
import { type PartnerPrice, priceOf, type Terms } from './rules.ts';
import { type PricingSettings, readPricingSettings } from './settings.ts';
import { type AccountShare, accountShare, type TierProgress, tierProgress } from './share-tier.ts';

/** The prices of one partner at this moment. The catalog shows them and the purchase charges them. */
export interface PartnerPrices {
  /** Two partners (or two moments) with the same fingerprint have the same price for every plan. */
  readonly fingerprint: string;
  /** All that sets them, to be written down. */
  readonly contract: PriceContract;
  priceOf(plan: Plan): PartnerPrice;
  readonly share: AccountShare;
  readonly cap: BasisPoints;
  /** Undefined when a custom share disables tiers, or there are none. */
  readonly tier: (TierProgress & { readonly windowDays: number; readonly toppedUp: Cents }) | undefined;
  /** Rules that can apply to the partner: its own and the general ones. */
  readonly ruleCount: number;
}

/** What is the same for every partner. */
export interface GeneralTerms extends PricingSettings {
  readonly rules: ReadRules;
}

export async function readGeneralTerms(db: Queryable): Promise<GeneralTerms> {
  const [settings, rules] = await Promise.all([readPricingSettings(db), readGeneralRules(db)]);
  return { ...settings, rules };
}

/** `until`: when a top-up leaves its window, which can lower the tier. Infinite when no top-up counts. */
export async function readPartnerPrices(
  db: Queryable,
  partnerId: number,
  { cap, shareTiers, rules }: GeneralTerms,
  now: number,
): Promise<{ prices: PartnerPrices; until: number }> {
  const windowMs = shareTiers.windowDays * DAY;
  const { own, custom, toppedUp, oldest } = await readPartner(db, partnerId, new Date(now - windowMs));
  const progress = tierProgress(shareTiers, toppedUp);
  const share = accountShare(custom, progress, cap);
  // A share of zero that was not chosen for this account is not a rule.
  const source = share.share > 0n || share.source === 'account' ? 'account_default' : 'none';
  const terms: Terms = { own: own.rules, general: rules.rules, account: { share: share.share, source }, cap };
  const hasTiers = custom === undefined && shareTiers.tiers.length > 0;
  const fingerprint = `${rules.hash}.${own.hash}.${cap}.${share.share}.${source}`;
  const written = { generalRules: rules.json, ownRules: own.json, cap, share: share.share, source } as const;
  return {
    until: oldest === null ? Number.POSITIVE_INFINITY : oldest.getTime() + windowMs,
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
