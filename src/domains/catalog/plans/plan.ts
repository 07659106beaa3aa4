import type { Cents, Micros } from '../../../platform/amounts/cents.ts';
import type { NetworkType, Scope } from '../import-format/import-format.ts';

/** What a plan is sold for: a country, a region, or the world. */
export interface Destination {
  /** ISO code in upper case, or a region's slug. */
  readonly code: string;
  readonly scope: Scope;
  readonly title: string;
  readonly slug: string;
  /** Slug of the region a country belongs to; a region's own slug. */
  readonly region: string;
  /** May be empty. */
  readonly continent: string;
  readonly image: string;
}

export interface Supplier {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  /** Which adapter talks to it: `simulated`, `stock`, `airalo`, `esim_access`, `esim_go`, `zendit`, `partner_v3`. */
  readonly kind: string;
}

/** The contract's `operator_meta` block, word for word. */
export interface OperatorMeta {
  readonly activation_policy: string;
  readonly plan_type: string;
  readonly esim_type: string;
  readonly is_roaming: boolean;
  readonly is_kyc_verify: boolean;
  readonly rechargeability: boolean;
  readonly apn_type: string;
  readonly apn_value: string | null;
  readonly info: readonly string[];
  readonly other_info: string | null;
  readonly warning: string | null;
}

/** The network operator behind a plan. Plans share these objects. */
export interface Network {
  readonly title: string;
  readonly image: string;
  /** The mobile networks it uses; missing: the supplier does not say. */
  readonly networks?: readonly string[];
  readonly meta: OperatorMeta;
}

export interface FairUse {
  readonly kind: string;
  readonly dailyMb: number;
  readonly speedKbps: number;
  readonly text: string;
}

/** Covered countries, in code order. Plans with the same list share one object. */
export interface Coverage {
  readonly codes: readonly string[];
  readonly names: readonly string[];
}

export interface Plan {
  /** Internal; never shown to a partner. */
  readonly id: number;
  /** Its public id: `esc_` and 16 hex digits. */
  readonly alias: string;
  readonly onSale: boolean;
  readonly title: string;
  readonly destination: Destination;
  readonly supplier: Supplier;
  readonly supplierPlan: string;
  /** A refill: its supplier's codes of the plans it can be added to. Null: the plan is an eSIM. */
  readonly refills: readonly string[] | null;
  /** 0 for unlimited plans. */
  readonly amountMb: number;
  readonly day: number;
  readonly isUnlimited: boolean;
  readonly data: string;
  readonly networkType: NetworkType;
  /** Zero: it has no price and cannot be sold. */
  readonly listPrice: Cents;
  /** Wholesale cost; null: unknown. */
  readonly cost: Micros | null;
  readonly isUsageMetered: boolean;
  readonly fairUse: FairUse;
  readonly voice: number | null;
  readonly text: number | null;
  readonly shortInfo: string | null;
  /** Within how many days of the purchase it has to be installed; null: the supplier does not say. */
  readonly installWindowDays: number | null;
  readonly network: Network;
  readonly coverage: Coverage;
}

/** Display text of bundled data: "500 MB", "1.5 GB", "Unlimited". */
export function dataText(amountMb: number): string {
  if (amountMb === 0) return 'Unlimited';
  return amountMb < 1024 ? `${amountMb} MB` : `${Number((amountMb / 1024).toFixed(2))} GB`;
}

/** A keyed hash of a text for one purpose, in hex. */
export type Sign = (purpose: string, text: string) => string;

/**
 * The public id of a plan. It is opaque and needs no query to make. It is stored with the plan, so it survives a change of the
 * signing key.
 */
export function aliasOf(planId: number, sign: Sign): string {
  return `esc_${sign('product alias', String(planId)).slice(0, 16)}`;
}
