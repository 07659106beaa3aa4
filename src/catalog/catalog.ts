import type { Destination, Plan, Scope } from './plan.ts';

export type { Destination, FairUse, NetworkType, Operator, OperatorMeta, Plan, Scope, Supplier } from './plan.ts';

/** The whole catalog, ready in memory; it follows every change in the database. */
export interface Catalog {
  /** Counts up whenever the catalog changed: what was derived from an older one is stale. */
  readonly version: number;
  /** Every country that is sold, by code. */
  readonly countries: readonly Destination[];
  /** Every plan that is on sale. */
  readonly onSale: readonly Plan[];
  /** On sale or not: look at `onSale`. */
  byAlias(alias: string): Plan | undefined;
  /** A country or region by its code or slug, in any case. */
  destination(codeOrSlug: string): Destination | undefined;
  /** Plans on sale: the destination's own, or those of `type` that cover it. */
  plansOf(destination: Destination, type: Scope | undefined): readonly Plan[];
}
