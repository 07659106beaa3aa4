import type { Catalog, Plan } from '../catalog/catalog.ts';
import { type Clock, DAY, SECOND } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Listener } from '../db/listen.ts';
import type { Cents } from '../money/money.ts';
import { type AverageDiscount, averageDiscount } from './average.ts';
import type { BasisPoints } from './formula.ts';
import { type ReadRules, readGeneralRules, readPartner } from './read.ts';
import { type PartnerPrice, priceOf, type Terms } from './rules.ts';
import { type PricingSettings, readPricingSettings } from './settings.ts';
import { type AccountShare, accountShare, type Standing, standing } from './share-tier.ts';

export { type BasisPoints, formatPercent, parsePercent, percentToNumber, toBasisPoints } from './formula.ts';
export { listRules, putRule, removeRule } from './rule-store.ts';
export { type PartnerPrice, type PriceSource, type RuleScope, ruleScopes } from './rules.ts';
export { type PricingSettings, readPricingSettings, storedTiers, writeCap, writeShareTiers } from './settings.ts';
export type { ShareTier, ShareTiers } from './share-tier.ts';

/** The prices of one partner, as they stand now. The catalog shows and the purchase charges what this says. */
export interface PartnerPrices {
  /** Two partners (or two moments) with the same fingerprint have the same price for every plan. */
  readonly fingerprint: string;
  priceOf(plan: Plan): PartnerPrice;
  readonly share: AccountShare;
  readonly cap: BasisPoints;
  /** Undefined when a custom share disables tiers, or there are none. */
  readonly tier: (Standing & { readonly windowDays: number; readonly toppedUp: Cents }) | undefined;
  /** Rules that can apply to the partner: its own and the general ones. */
  readonly ruleCount: number;
}

export interface Pricing {
  /** const { partnerPrice } = (await pricing.of(partnerId)).priceOf(plan) */
  of(partnerId: number): Promise<PartnerPrices>;
  averageDiscount(prices: PartnerPrices): Promise<AverageDiscount>;
}

export const PRICING_CHANNEL = 'wayfare_pricing';
export const ACCOUNTS_CHANNEL = 'wayfare_accounts';

/** Notifications clear it sooner, and a top-up that leaves its window ends it on the spot. */
const KEEP_MS = 30 * SECOND;
const KEPT_PARTNERS = 10_000;
const KEPT_AVERAGES = 1_000;

interface General extends PricingSettings {
  readonly rules: ReadRules;
}

/** Prices, and the moment they must be looked at again. */
interface Kept {
  readonly prices: PartnerPrices;
  readonly until: number;
}

export interface PricingParts {
  /** Reads `shared` and the live wallet's movements: both worlds have the same prices. */
  readonly db: Db;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly catalog: Catalog;
}

export function openPricing({ db, listener, clock, catalog }: PricingParts): Pricing {
  let general: Promise<General> | undefined;
  const kept = new Map<number, Kept>();
  const reading = new Map<number, Promise<PartnerPrices>>();
  const forgetPartners = () => {
    kept.clear();
    reading.clear();
  };
  const forgetAll = () => {
    general = undefined;
    forgetPartners();
  };
  const forgetPartner = (partnerId: number) => {
    kept.delete(partnerId);
    reading.delete(partnerId);
  };
  listener.on(PRICING_CHANNEL, (partnerId) => (partnerId ? forgetPartner(Number(partnerId)) : forgetAll()));
  listener.on(ACCOUNTS_CHANNEL, forgetPartners);
  listener.onReconnect(forgetAll);

  async function readGeneral(): Promise<General> {
    const [settings, rules] = await Promise.all([readPricingSettings(db), readGeneralRules(db)]);
    return { ...settings, rules };
  }

  /** Without notifications nothing in memory can be trusted: then they are read every time. */
  function generalTerms(): Promise<General> {
    if (!listener.healthy) return readGeneral();
    if (general) return general;
    const started = readGeneral();
    general = started;
    started.catch(() => {
      if (general === started) general = undefined;
    });
    return started;
  }

  async function read(partnerId: number, now: number): Promise<Kept> {
    const { cap, shareTiers, rules } = await generalTerms();
    const windowMs = shareTiers.windowDays * DAY;
    const { own, custom, toppedUp, oldest } = await readPartner(db, partnerId, new Date(now - windowMs));
    const reached = standing(shareTiers, toppedUp);
    const share = accountShare(custom, reached, cap);
    // A share of zero nobody chose is no rule at all.
    const source = share.share > 0n || share.source === 'account' ? 'account_default' : 'none';
    const terms: Terms = { own: own.rules, general: rules.rules, account: { share: share.share, source }, cap };
    const tiered = custom === undefined && shareTiers.tiers.length > 0;
    return {
      until: Math.min(now + KEEP_MS, oldest === null ? Number.POSITIVE_INFINITY : oldest.getTime() + windowMs),
      prices: {
        fingerprint: `${rules.hash}.${own.hash}.${cap}.${share.share}.${source}`,
        priceOf: (plan) => priceOf(plan, terms),
        share,
        cap,
        tier: tiered ? { ...reached, windowDays: shareTiers.windowDays, toppedUp } : undefined,
        ruleCount: own.count + rules.count,
      },
    };
  }

  /** Callers that arrive together share one reading; one that was overtaken by a notification is used but not kept. */
  function readOnce(partnerId: number, now: number): Promise<PartnerPrices> {
    const running = reading.get(partnerId);
    if (running) return running;
    const started = read(partnerId, now)
      .then((result) => {
        if (reading.get(partnerId) === started && listener.healthy) keep(partnerId, result);
        return result.prices;
      })
      .finally(() => {
        if (reading.get(partnerId) === started) reading.delete(partnerId);
      });
    reading.set(partnerId, started);
    return started;
  }

  function keep(partnerId: number, result: Kept): void {
    kept.delete(partnerId);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_PARTNERS && oldest !== undefined) kept.delete(oldest);
    kept.set(partnerId, result);
  }

  let averages = new Map<string, Promise<AverageDiscount>>();
  let averagesOf = 0;

  return {
    async of(partnerId) {
      const now = clock.now();
      const known = kept.get(partnerId);
      return known && listener.healthy && now < known.until ? known.prices : readOnce(partnerId, now);
    },
    averageDiscount(prices) {
      if (averagesOf !== catalog.version || averages.size >= KEPT_AVERAGES) {
        averages = new Map();
        averagesOf = catalog.version;
      }
      const average = averages.get(prices.fingerprint) ?? averageDiscount(catalog.listed, prices.priceOf);
      averages.set(prices.fingerprint, average);
      return average;
    },
  };
}
