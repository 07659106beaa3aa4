import type { Sql } from '../../../platform/db/query/sql.ts';
import type { Catalog, Plan } from '../../catalog/catalog.ts';
import { type UsageReading, usageStates } from '../../supply/port/port.ts';
import type { SoldEsim } from './sold.ts';

/** The states of usage; cancelled: it was withdrawn at its supplier. */
export const esimStates = [...usageStates, 'cancelled'] as const;
export type EsimState = (typeof esimStates)[number];

export interface KeptReading extends UsageReading {
  readonly fetchedAt: Date;
}

/** An eSIM with what is known of it now. */
export interface Esim extends SoldEsim {
  readonly state: EsimState;
  /** The last reading; null: it was never read. */
  readonly reading: KeptReading | null;
}

/** What a world knows of its eSIMs without asking a supplier, and what can be added to them. SQL speaks of orders `o`. */
export interface EsimRules {
  state(now: Date): Sql;
  /** Conditions that together select the eSIMs in a state. Each is answered from an index. */
  inState(state: EsimState, now: Date): readonly Sql[];
  /** `kept` is the last reading on record. */
  reading(esim: SoldEsim, kept: KeptReading | null, now: Date): KeptReading | null;
  /** Refills on sale that fit it. */
  refillsOf(catalog: Catalog, esim: Esim): readonly Plan[];
  /** Whether the plan, on sale or not, fits it. */
  isRefillOf(plan: Plan, esim: Esim): boolean;
  /** Whether anything can be added to it now. */
  acceptsRefills(esim: Esim): Promise<boolean>;
}
