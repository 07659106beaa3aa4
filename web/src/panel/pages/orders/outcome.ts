import type { OrderAccount, OrderRow } from '../../api/orders.ts';

/** Why an order failed, or why it waits, in words. Unknown reasons are shown as they are. */
const reasons: Record<string, string> = {
  provider_rejected: 'The plan could not be delivered.',
  cancelled: 'It was cancelled before it was delivered.',
  insufficient_balance: 'Your balance was lower than the price.',
  credit_limit_exceeded: 'The price was more than the credit you had left.',
  credit_charge_failed: 'The charge could not be recorded on our side, so nothing was ordered.',
  sandbox_scenario: 'The purchase asked for it with sandbox_scenario=failed.',
  awaiting_profile: 'The supplier accepted the order and is preparing the eSIM.',
  provider_unavailable: 'The supplier can’t be reached at the moment. We keep trying.',
};

export const reasonOf = (reason: string): string | null =>
  reason === '' ? null : (reasons[reason] ?? `Reason given: ${reason}`);

type Money = Pick<OrderRow, 'charged' | 'returned' | 'paid'>;

/** What happened to the price: not charged, charged, or partly refunded. */
export function outcomeOf({ charged, returned, paid }: Money): 'not charged' | 'charged' | 'partly' | 'returned' {
  if (Number(charged) === 0) return 'not charged';
  if (Number(returned) === 0) return 'charged';
  return Number(paid) === 0 ? 'returned' : 'partly';
}

/** A line of the books about an order, as the partner sees it. */
export function lineName({ book, type }: OrderAccount['lines'][number]): string {
  if (type === 'refund') return book === 'debt' ? 'Credit restored' : 'Wallet refunded';
  return book === 'debt' ? 'Credit used' : 'Wallet charged';
}
