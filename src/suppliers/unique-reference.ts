import { SECOND } from '../clock.ts';
import type { SupplierOrder } from './supplier.ts';

/**
 * Our reference and the time of payment, the same at every try. Two installations on one account, or one that started over with
 * an empty database, number their orders alike; by the reference alone they would be handed each other's eSIMs.
 */
export const uniqueReference = ({ reference, paidAt }: Pick<SupplierOrder, 'reference' | 'paidAt'>): string =>
  `${reference}-${Math.floor(paidAt.getTime() / SECOND)}`;
