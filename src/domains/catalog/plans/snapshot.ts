import type { Scope } from '../import-format/import-format.ts';
import type { Destination, Plan } from './plan.ts';

/** Whether partners can find it: an eSIM on sale, with a price. */
export const isListed = (plan: Plan): boolean => plan.refills === null && isSellable(plan);

/** The catalog at one moment, indexed for every kind of lookup. */
export class Snapshot {
  readonly countries: readonly Destination[];
  readonly listed: readonly Plan[];
  readonly #byName = new Map<string, Destination>();
  readonly #byAlias = new Map<string, Plan>();
  readonly #own = new Map<Destination, Plan[]>();
  readonly #wide: readonly Plan[];
  /** Refills on sale, with a price: by supplier and its code of the plan they are added to. */
  readonly #refillsOf = new Map<string, Map<string, Plan[]>>();
  readonly #refillsFor = new Map<string, Plan[]>();

  constructor(destinations: readonly Destination[], plans: readonly Plan[]) {
    this.countries = destinations.filter(({ scope }) => scope === 'country').sort((a, b) => (a.code < b.code ? -1 : 1));
    for (const destination of destinations) {
      this.#byName.set(destination.code.toLowerCase(), destination);
      this.#byName.set(destination.slug, destination);
      this.#own.set(destination, []);
    }
    for (const plan of plans) this.#byAlias.set(plan.alias, plan);
    this.listed = plans.filter(isListed);
    for (const plan of this.listed) this.#own.get(plan.destination)?.push(plan);
    this.#wide = this.listed.filter((plan) => plan.destination.scope !== 'country');
    this.#indexRefills(plans.filter((plan) => plan.refills !== null));
  }

  #indexRefills(refills: readonly Plan[]): void {
    for (const refill of refills.filter(isSellable).sort(byPrice)) {
      addTo(this.#refillsFor, refill.destination.code, refill);
      const { slug } = refill.supplier;
      const ofSupplier = this.#refillsOf.get(slug) ?? new Map<string, Plan[]>();
      this.#refillsOf.set(slug, ofSupplier);
      for (const code of refill.refills ?? []) addTo(ofSupplier, code, refill);
    }
    // Whatever a list says, a refill is added to an eSIM, never to another refill.
    for (const { supplier, supplierPlan } of refills) this.#refillsOf.get(supplier.slug)?.delete(supplierPlan);
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

  refillsOf(supplierSlug: string, supplierPlan: string): readonly Plan[] {
    return this.#refillsOf.get(supplierSlug)?.get(supplierPlan) ?? [];
  }

  refillsFor(destinationCode: string): readonly Plan[] {
    return this.#refillsFor.get(destinationCode) ?? [];
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

/** On sale with a price, be it an eSIM or a refill. */
export const isSellable = (plan: Plan): boolean => plan.onSale && plan.listPrice > 0n;

const byPrice = (a: Plan, b: Plan): number => Number(a.listPrice - b.listPrice) || a.id - b.id;

function addTo(lists: Map<string, Plan[]>, key: string, plan: Plan): void {
  const list = lists.get(key);
  if (list) list.push(plan);
  else lists.set(key, [plan]);
}
