import { type State, stateOf } from '../../domains/sales/orders/orders.ts';

/** Numbers of the contract as people say them. `--json` keeps the numbers. */

const subscriptionStatuses: Readonly<Record<number, string>> = { 1: 'active', 2: 'paused', 3: 'disabled' };

export const subscriptionStatus = (status: number): string => subscriptionStatuses[status] ?? String(status);

/** The state of an order, which is its status and its delivery together. */
export const orderStatus = (order: { readonly status: number; readonly delivery: string }): State => stateOf(order);

/** A partner's status, worst first. */
export function partnerStatus(partner: {
  readonly deleted_at: Date | null;
  readonly disabled: boolean;
  readonly suspended: boolean;
}): 'closed' | 'disabled' | 'suspended' | 'active' {
  if (partner.deleted_at) return 'closed';
  if (partner.disabled) return 'disabled';
  return partner.suspended ? 'suspended' : 'active';
}
