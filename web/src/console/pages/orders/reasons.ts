import type { ConsoleOrderView as OrderDetail } from '../../../../../src/entry/console/orders/order-view.ts';

/** Why an order failed or waits, worded for operators. Unknown reasons are shown as they are. */
const reasons: Record<string, string> = {
  provider_rejected: 'The supplier could not deliver this plan, or an operator failed the order.',
  cancelled: 'It was cancelled before it was delivered.',
  insufficient_balance: 'The partner’s balance was lower than the price. Nothing was charged.',
  credit_limit_exceeded: 'The price was more than the credit the partner had left. Nothing was charged.',
  credit_charge_failed: 'The charge could not be recorded, so nothing was ordered.',
  sandbox_scenario: 'The purchase asked for it with sandbox_scenario=failed.',
  awaiting_profile: 'The supplier accepted the order and is preparing the eSIM.',
  provider_unavailable: 'The supplier could not be reached, or did not say what became of the order.',
};

export const reasonFor = (reason: string): string =>
  reason === '' ? '' : (reasons[reason] ?? `Reason given: ${reason}`);

/** The most exact reason on record: who gave the order up, or what the supplier said. */
export function whyFailed({ order, changes, supplier_calls }: OrderDetail): string {
  if (order.reason !== 'provider_rejected') return reasonFor(order.reason);
  const given = changes.find(({ what }) => what === 'order fail');
  if (given) return `${given.who.replace(/^operator:/, '')} failed the order.`;
  const refusal = supplier_calls.findLast(({ outcome }) => outcome === 'refused');
  if (!refusal) return reasonFor(order.reason);
  return `${refusal.supplier} refused it${refusal.reason === '' ? '.' : `: “${refusal.reason}”.`}`;
}

/** Why there are no calls to show for an order. */
export function whyNoRequest({ in_panel, by, request_id }: OrderDetail['placed']): string {
  if (in_panel) return `${by ?? 'A member'} bought this order in the panel, so there is no API call.`;
  if (request_id === null) return 'This order was placed before its call was recorded with it.';
  return 'The call that placed this order is not in the request log, which keeps 7 days and some 10,000 calls per partner.';
}
