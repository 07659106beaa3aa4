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

  /** The next look fetches what changed: a price is known to be another one. */
  readAgain(): void {
    this.#askedAt = 0;
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

const LEAST_MB = 1024;

/** What is worth showing, cheapest first: at least 1 GB, and nothing that another plan beats in data, days and price. */
export function worthwhile(plans: readonly Plan[]): Plan[] {
  const shown: Plan[] = [];
  const size = (plan: Plan) => (plan.isUnlimited ? Number.POSITIVE_INFINITY : plan.megabytes);
  for (const plan of plans.toSorted((a, b) => a.retailCents - b.retailCents || b.days - a.days || size(b) - size(a))) {
    const isBeaten = shown.some((other) => size(other) >= size(plan) && other.days >= plan.days);
    if (size(plan) >= LEAST_MB && !isBeaten) shown.push(plan);
  }
  return shown;
}

function destinationsOf(plans: Iterable<Plan>): Map<string, Destination> {
  const found = [...Map.groupBy(plans, ({ code }) => code).values()].flatMap((all): Destination[] => {
    const [cheapest, ...others] = worthwhile(all);
    if (!cheapest) return [];
    const { code, place, image, isRegion, retailCents: fromCents } = cheapest;
    return [{ code, place, image, isRegion, fromCents, plans: [cheapest, ...others] }];
  });
  found.sort((a, b) => a.place.localeCompare(b.place, 'en'));
  return new Map(found.map((one) => [one.code, one]));
}
