import { SECOND } from '../clock.ts';
import type { SupplierOrder } from './supplier.ts';

/**
 * Our reference plus the time of payment, the same at every attempt. Two installations on one account, or one that started over
 * with an empty database, use the same order numbers; by the reference alone they would be handed each other's eSIMs.
 */
export const uniqueReference = ({ reference, paidAt }: Pick<SupplierOrder, 'reference' | 'paidAt'>): string =>
  `${reference}-${Math.floor(paidAt.getTime() / SECOND)}`;
