import type { Destination, Plan, Scope } from './plan.ts';

/** The catalog at one moment, indexed for every kind of lookup. */
export class Snapshot {
  /** Countries that are sold, by code. */
  readonly countries: readonly Destination[];
  /** Plans a partner can find: eSIMs on sale, with a price. */
  readonly listed: readonly Plan[];
  readonly #byName = new Map<string, Destination>();
  readonly #byAlias = new Map<string, Plan>();
  readonly #own = new Map<Destination, Plan[]>();
  /** Plans that cover several countries. */
  readonly #wide: readonly Plan[];

  constructor(destinations: readonly Destination[], plans: readonly Plan[]) {
    this.countries = destinations.filter(({ scope }) => scope === 'country').sort((a, b) => (a.code < b.code ? -1 : 1));
    for (const destination of destinations) {
      this.#byName.set(destination.code.toLowerCase(), destination);
      this.#byName.set(destination.slug, destination);
      this.#own.set(destination, []);
    }
    for (const plan of plans) this.#byAlias.set(plan.alias, plan);
    this.listed = plans.filter((plan) => plan.refills === null && plan.onSale && plan.listPrice > 0n);
    for (const plan of this.listed) this.#own.get(plan.destination)?.push(plan);
    this.#wide = this.listed.filter((plan) => plan.destination.scope !== 'country');
  }

  byAlias(alias: string): Plan | undefined {
    return this.#byAlias.get(alias);
  }

  destination(codeOrSlug: string): Destination | undefined {
    return this.#byName.get(codeOrSlug.toLowerCase());
  }

  /** Listed plans: the destination's own, or those of the wider `type` that cover it. */
  plansOf(destination: Destination, type: Scope | undefined): readonly Plan[] {
    if (type === undefined || type === destination.scope) return this.#own.get(destination) ?? [];
    const covered = this.#countryCodes(destination);
    return this.#wide.filter((plan) => plan.destination.scope === type && covers(plan, covered));
  }

  /** A country is itself; a region is its countries. The world has none: no plan is wider. */
  #countryCodes(destination: Destination): ReadonlySet<string> {
    if (destination.scope === 'country') return new Set([destination.code]);
    return new Set(
      this.countries.filter((country) => country.region === destination.code).map((country) => country.code),
    );
  }
}

const covers = (plan: Plan, countries: ReadonlySet<string>): boolean =>
  plan.coverage.codes.some((code) => countries.has(code));
