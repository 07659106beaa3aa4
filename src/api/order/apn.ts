import type { OperatorMeta } from '../../catalog/catalog.ts';
import type { Esim } from '../../suppliers/suppliers.ts';

/** How a phone gets its access point name. */
export interface Apn {
  readonly type: string | null;
  readonly value: string | null;
}

/**
 * The one answer to that, wherever it is shown: what the eSIM itself says; what it leaves open, its plan says. An eSIM that says how
 * the name is set has said it all: a name of its plan would contradict it.
 */
export function apnOf(
  esim: Pick<Esim, 'apn' | 'apnType' | 'apnValue'> | null,
  meta: Pick<OperatorMeta, 'apn_type' | 'apn_value'> | undefined,
): Apn {
  const own = esim?.apnValue || esim?.apn || null;
  if (esim?.apnType) return { type: esim.apnType, value: own };
  return { type: meta?.apn_type ?? null, value: own ?? meta?.apn_value ?? null };
}
