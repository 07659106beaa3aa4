import type { Sql } from '../../../platform/db/query/sql.ts';
import type { Catalog, Plan } from '../../catalog/catalog.ts';
import { type ProfileReading, type ProfileState, type UsageReading, usageStates } from '../../supply/port/port.ts';
import type { SoldEsim } from './sold.ts';

/** The states of usage; cancelled: it was withdrawn at its supplier; suspended: its service is switched off there. */
export const esimStates = [...usageStates, 'cancelled', 'suspended'] as const;
export type EsimState = (typeof esimStates)[number];
/** The state of an eSIM apart from whether it is suspended. */
export type ServiceState = Exclude<EsimState, 'suspended'>;

/** The states in which there is a service to suspend. Data and days run on meanwhile, so one that has ended is no longer suspended. */
export const suspendable: readonly ServiceState[] = ['not_active', 'active', 'depleted'];

export const isSuspendable = ({ state }: { readonly state: EsimState }): boolean =>
  state !== 'expired' && state !== 'cancelled';

/** A new eSIM is ordered in its place, or was delivered. */
export const isBeingReplaced = ({ replacement }: Pick<Esim, 'replacement'>): boolean =>
  replacement === 'pending' || replacement === 'replaced';

export const shownState = (state: ServiceState, isSuspended: boolean): EsimState =>
  isSuspended && suspendable.includes(state) ? 'suspended' : state;

export interface KeptReading extends UsageReading {
  readonly fetchedAt: Date;
}

/** What is known of an eSIM on the phone. */
export interface EsimProfile extends ProfileReading {}

/** An eSIM with what is known of it now. */
export interface Esim extends SoldEsim {
  readonly state: EsimState;
  readonly profile: EsimProfile;
  /** Its service is switched off at the supplier. Data and days run on. */
  readonly isSuspended: boolean;
  /** Whether a refund of its order can be asked for. */
  readonly isRefundable: boolean;
  /** Its price went back, or a refund of it is under way; or it was taken back. */
  readonly isRefunded: boolean;
  /** How far its latest replacement is; null: none was requested. */
  readonly replacement: 'requested' | 'pending' | 'replaced' | 'rejected' | null;
  /** The last reading; null: it was never read. */
  readonly reading: KeptReading | null;
}

/** What a world knows of its eSIMs without asking a supplier, and what can be added to them. SQL speaks of orders `o`. */
export interface EsimRules {
  /** A `ServiceState`. */
  state(now: Date): Sql;
  /** The state of a profile of which nothing was reported yet. */
  readonly newProfile: ProfileState;
  /** Conditions that together select the eSIMs in a state. Each is answered from an index. */
  inState(state: ServiceState, now: Date): readonly Sql[];
  /** `kept` is the last reading on record. */
  reading(esim: SoldEsim, kept: KeptReading | null, now: Date): KeptReading | null;
  /** Refills on sale that fit it. */
  refillsOf(catalog: Catalog, esim: Esim): readonly Plan[];
  /** Whether the plan, on sale or not, fits it. */
  isRefillOf(plan: Plan, esim: Esim): boolean;
  /** Whether anything can be added to it now. */
  acceptsRefills(esim: Esim): Promise<boolean>;
}

/** What can be asked for an eSIM. */
const capabilities = ['suspend', 'replace', 'refill', 'refund'] as const;
export type Capability = (typeof capabilities)[number];

/** What decides about it beyond the eSIM itself. */
interface CapabilityFacts {
  /** Whether its supplier suspends and resumes eSIMs. */
  readonly isSwitchable: boolean;
  /** Whether a plan on sale can be added to it. */
  readonly hasRefills: boolean;
  /** Whether a new eSIM can be asked for in its place. */
  readonly isReplaceable: boolean;
}

/** What can be asked for this eSIM now, always in the same order. */
export function capabilitiesOf(esim: Esim, { isSwitchable, hasRefills, isReplaceable }: CapabilityFacts): Capability[] {
  const is: Readonly<Record<Capability, boolean>> = {
    // A replaced one stays switched off.
    suspend: isSwitchable && isSuspendable(esim) && !(esim.isSuspended && esim.replacement === 'replaced'),
    replace: isReplaceable,
    refill: hasRefills,
    refund: esim.isRefundable,
  };
  return capabilities.filter((one) => is[one]);
}
