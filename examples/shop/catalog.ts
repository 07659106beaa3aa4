import { centsOf, retailCents } from './money.ts';
import type { Schemas, Wayfare } from './sdk.ts';

export interface Plan {
  readonly id: string;
  readonly title: string;
  /** ISO code of a country, or the code of a region. */
  readonly code: string;
  readonly place: string;
  readonly image: string;
  readonly isRegion: boolean;
  readonly data: string;
  readonly megabytes: number;
  readonly isUnlimited: boolean;
  readonly days: number;
  readonly network: string;
  readonly covers: readonly string[];
  readonly retailCents: number;
}

export interface Destination extends Pick<Plan, 'code' | 'place' | 'image' | 'isRegion'> {
  readonly fromCents: number;
  readonly plans: readonly Plan[];
}

const FRESH_MS = 5 * 60_000;

export const planOf = (row: Schemas['Product']): Plan => ({
  id: row.id,
  title: row.title,
  code: row.country_code.toLowerCase(),
  place: row.country_title,
  image: row.country_image,
  isRegion: row.region === 'regional',
  data: row.data,
  megabytes: row.amount,
  isUnlimited: Boolean(row.is_unlimited),
  days: row.day,
  network: row.network_type,
  covers: row.coverage_names_en,
  retailCents: retailCents(centsOf(row.partner_price)),
});

/** Every plan on sale, in memory: fetched whole once, and then only what changed. */
export class Catalog {
  readonly #wayfare: Wayfare;
  readonly #plans = new Map<string, Plan>();
  #destinations = new Map<string, Destination>();
  #version = '';
  #askedAt = 0;

  constructor(wayfare: Wayfare) {
    this.#wayfare = wayfare;
  }

  /** By name. Throws only if there was never a catalog: one that is some minutes old still sells. */
  async destinations(): Promise<ReadonlyMap<string, Destination>> {
    if (Date.now() - this.#askedAt > FRESH_MS) {
      try {
        await this.#refresh();
        this.#askedAt = Date.now();
      } catch (error) {
        if (this.#version === '') throw error;
        console.warn('The catalog could not be renewed:', (error as Error).message);
      }
    }
    return this.#destinations;
  }

  async plan(id: string): Promise<Plan | undefined> {
    await this.destinations();
    return this.#plans.get(id);
  }

  async #refresh(): Promise<void> {
    const { catalog } = this.#wayfare;
    const since = this.#version === '' ? undefined : await catalog.changes({ since: this.#version });
    if (since?.complete) {
      for (const id of since.removed) this.#plans.delete(id);
      for (const row of since.changed) this.#plans.set(row.id, planOf(row));
      this.#version = since.version;
    } else {
      const { products, version } = await catalog.export();
      this.#plans.clear();
      for (const row of products) this.#plans.set(row.id, planOf(row));
      this.#version = version;
    }
    this.#destinations = destinationsOf(this.#plans.values());
  }
}

/** Several networks sell the same data for the same days: customers see the cheapest. */
function destinationsOf(plans: Iterable<Plan>): Map<string, Destination> {
  const places = new Map<string, Map<string, Plan>>();
  for (const plan of plans) {
    const offers = places.get(plan.code) ?? new Map<string, Plan>();
    const kind = `${plan.data} ${plan.days}`;
    if (plan.retailCents < (offers.get(kind)?.retailCents ?? Infinity)) offers.set(kind, plan);
    places.set(plan.code, offers);
  }
  const found = [...places.values()].flatMap((offers): Destination[] => {
    const sorted = [...offers.values()].sort((a, b) => a.retailCents - b.retailCents);
    const [first] = sorted;
    if (!first) return [];
    const { code, place, image, isRegion } = first;
    return [{ code, place, image, isRegion, fromCents: first.retailCents, plans: sorted }];
  });
  found.sort((a, b) => a.place.localeCompare(b.place, 'en'));
  return new Map(found.map((one) => [one.code, one]));
}
