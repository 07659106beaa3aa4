import type { OperatorMeta } from '../../catalog/catalog.ts';
import type { Esim } from '../../supply/port/port.ts';

/** How a phone gets its access point name. */
export interface Apn {
  readonly type: string | null;
  readonly value: string | null;
}

/** What a plan says about all its eSIMs. If the phone finds the name by itself, there is nothing to type in. */
export const planApn = ({ apn_type: type, apn_value: value }: Pick<OperatorMeta, 'apn_type' | 'apn_value'>) => ({
  type,
  value: type === 'automatic' ? null : value || null,
});

/**
 * The same wherever it is shown: the eSIM's own data, completed by the plan's. If the eSIM says how the name is
 * set, the plan's name is not used: it could contradict that.
 */
export function apnOf(
  esim: Pick<Esim, 'apn' | 'apnType' | 'apnValue'> | null,
  meta: Pick<OperatorMeta, 'apn_type' | 'apn_value'> | undefined,
): Apn {
  const own = esim?.apnValue || esim?.apn || null;
  if (esim?.apnType) return { type: esim.apnType, value: own };
  const plan = meta && planApn(meta);
  return { type: plan?.type ?? null, value: own ?? plan?.value ?? null };
}
