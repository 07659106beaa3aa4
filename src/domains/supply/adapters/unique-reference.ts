import { SECOND } from '../../../platform/clock.ts';
import type { SupplierOrder } from '../port/port.ts';

/**
 * Our reference plus the time of payment, the same at every attempt. Two installations on one account, or one that started over
 * with an empty database, use the same order numbers; by the reference alone they would be handed each other's eSIMs.
 */
export function uniqueReference({ reference, paidAt }: Pick<SupplierOrder, 'reference' | 'paidAt'>): string {
  // The number of a later reference of the order stays at the end: wf-live-1042-1763175315-2.
  const [, order = reference, number = ''] = /^(.*?-\d+)(-\d+)$/.exec(reference) ?? [];
  return `${order}-${Math.floor(paidAt.getTime() / SECOND)}${number}`;
}
