import { LRUCache } from 'lru-cache';
import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { Db, Queryable } from '../../../platform/db/database.ts';
import type { Listener } from '../../../platform/db/notifications.ts';
import type { Catalog, Plan } from '../catalog.ts';
import { openContracts, storeContract } from './contracts.ts';
import {
  type AverageDiscount,
  averageDiscount,
  type GeneralTerms,
  type PartnerPrices,
  readGeneralTerms,
  readPartnerPrices,
} from './partner-prices.ts';
import type { PartnerPrice } from './rules.ts';

/**
 * How long a purchase may charge the price it was quoted. A purchase can wait for its wallet or for the database, and prices change
 * meanwhile; then it asks for a new quote. Longer than any purchase takes that does not have to wait.
 */
const QUOTE_HOLDS_MS = 2 * SECOND;

/** Call it before reading the prices; it answers whether a quote from then is stale. Measured, not read from the clock that tests turn. */
function quotedNow(): () => boolean {
  const quotedAt = performance.now();
  return () => performance.now() - quotedAt > QUOTE_HOLDS_MS;
}

export { checkPrice } from './check.ts';
export { priceContractsJob } from './contracts.ts';
export type { ShareTier, ShareTiers } from './formula.ts';
export type { PartnerPrices } from './partner-prices.ts';
export type { ChangeInput } from './planned-change.ts';
export { type PricePreview, previewPrices } from './preview.ts';
export {
  findRule,
  listRules,
  type NewRule,
  putRule,
  type Rule,
  removeRule,
  ruleInPlace,
  searchRules,
} from './rule-store.ts';
export { type PartnerPrice, type RuleScope, ruleScopes } from './rules.ts';
export { type PricingSettings, readPricingSettings, storedTiers, writeCap, writeShareTiers } from './settings.ts';

/** What sets a partner's prices now, read and stored without a running program; its id. */
export async function storedContract(db: Queryable, partnerId: number, now: number): Promise<string> {
  const { prices } = await readPartnerPrices(db, partnerId, await readGeneralTerms(db), now);
  await storeContract(db, partnerId, prices.contract, now);
  return prices.contract.id;
}

/** A product and what one partner pays for it, both as the database had them a moment ago. */
export interface Quote {
  readonly plan: Plan;
  readonly price: PartnerPrice;
  /** Too old to charge by (`quotedNow`). */
  isOutdated(): boolean;
}

export type Pricing = ReturnType<typeof openPricing>;

export const PRICING_CHANNEL = 'wayfare_pricing';
export const ACCOUNTS_CHANNEL = 'wayfare_accounts';

/** An upper limit. Notifications end it sooner, and so does a top-up that leaves its window. */
const KEEP_MS = 30 * SECOND;
const KEPT_PARTNERS = 10_000;
const KEPT_AVERAGES = 1_000;

interface Kept {
  readonly prices: PartnerPrices;
  readonly until: number;
}

interface PricingParts {
  /** Reads `shared` and the live wallet's movements: both worlds have the same prices. */
  readonly db: Db;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly catalog: Catalog;
}

export function openPricing({ db, listener, clock, catalog }: PricingParts) {
  let general: Promise<GeneralTerms> | undefined;
  /** Callers that arrive together share one reading. If a notification overtakes it, its result is used but not kept. */
  const kept = new LRUCache<number, Kept>({
    max: KEPT_PARTNERS,
    fetchMethod: (partnerId) => read(partnerId, clock.now()),
    ignoreFetchAbort: true,
  });
  const forgetAll = () => {
    general = undefined;
    kept.clear();
  };
  listener.on(PRICING_CHANNEL, (partnerId) => (partnerId ? kept.delete(Number(partnerId)) : forgetAll()));
  listener.on(ACCOUNTS_CHANNEL, () => kept.clear());
  listener.onReconnect(forgetAll);

  function generalTerms(): Promise<GeneralTerms> {
    if (!listener.healthy) return readGeneralTerms(db);
    if (general) return general;
    const started = readGeneralTerms(db);
    general = started;
    started.catch(() => {
      if (general === started) general = undefined;
    });
    return started;
  }

  async function read(partnerId: number, now: number): Promise<Kept> {
    const { prices, until } = await readPartnerPrices(db, partnerId, await generalTerms(), now);
    return { prices, until: Math.min(now + KEEP_MS, until) };
  }

  async function of(partnerId: number): Promise<PartnerPrices> {
    const now = clock.now();
    // Without notifications memory cannot be trusted, nor can a reading that began before this call: it may predate a change.
    if (!listener.healthy) return (await read(partnerId, now)).prices;
    const known = kept.get(partnerId);
    if (known && now < known.until) return known.prices;
    return (await kept.forceFetch(partnerId, { forceRefresh: known !== undefined })).prices;
  }

  const contracts = openContracts(db, clock);
  let averages = new Map<string, Promise<AverageDiscount>>();
  let averagesOf = 0;

  return {
    /** const { partnerPrice } = (await pricing.of(partnerId)).priceOf(plan) */
    of,
    /** What a purchase charges. Undefined: no product has this alias. */
    async quote(partnerId: number, alias: string): Promise<Quote | undefined> {
      const isOutdated = quotedNow();
      const plan = await catalog.current(alias);
      if (!plan) return undefined;
      const price = (await of(partnerId)).priceOf(plan);
      return { plan, price, isOutdated };
    },
    averageDiscount(prices: PartnerPrices): Promise<AverageDiscount> {
      if (averagesOf !== catalog.version || averages.size >= KEPT_AVERAGES) {
        averages = new Map();
        averagesOf = catalog.version;
      }
      const average = averages.get(prices.fingerprint) ?? averageDiscount(catalog.listed, prices.priceOf);
      averages.set(prices.fingerprint, average);
      return average;
    },
    /** Stores what sets the partner's prices, so that a later call can find out what changed. */
    remember: (partnerId: number, { contract }: PartnerPrices): Promise<void> =>
      contracts.remember(partnerId, contract),
    /** A contract that was stored for this partner. Undefined: it never was, or it has been removed since. */
    remembered: (partnerId: number, contractId: string) => contracts.find(partnerId, contractId),
  };
}
