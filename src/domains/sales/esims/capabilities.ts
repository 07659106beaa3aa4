import { type Esim, isSuspendable } from './rules.ts';

/** What can be asked for an eSIM. */
export const capabilities = ['suspend', 'replace', 'refill', 'refund'] as const;
export type Capability = (typeof capabilities)[number];

/** What decides about it beyond the eSIM itself. */
export interface CapabilityFacts {
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
