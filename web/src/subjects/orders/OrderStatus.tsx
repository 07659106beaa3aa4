import { Badge } from '@mantine/core';
import type { ShownState as OrderState } from '../../../../src/entry/panel/orders/orders.ts';

export type { OrderState };

const shown: Record<OrderState, { label: string; color: string }> = {
  delivered: { label: 'Delivered', color: 'teal' },
  refunded: { label: 'Refunded', color: 'gray' },
  cancelled: { label: 'Cancelled', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
  created: { label: 'Created', color: 'gray' },
  paid: { label: 'Being ordered', color: 'yellow' },
  deferred: { label: 'Delivery delayed', color: 'yellow' },
};

/** The states of the API's answers, by their number. A delayed order has the number of a paid one. */
const stateOfStatus: Record<string, OrderState> = { '1': 'delivered', '2': 'failed', '3': 'created', '4': 'paid' };

export const isDelivered = (status: string): boolean => status === '1';
export const isFailed = (status: string): boolean => status === '2';
/** Neither delivered nor failed: it will still change. */
export const isOpen = (status: string): boolean => status === '3' || status === '4';

export function OrderStatus({ state }: { state: OrderState }) {
  const { label, color } = shown[state];
  return <Badge color={color}>{label}</Badge>;
}

/** For an answer of the API. `known` is more exact, once it has arrived. */
export const StatusOf = ({ status, known }: { status: string; known: OrderState | undefined }) => (
  <OrderStatus state={known ?? stateOfStatus[status] ?? 'created'} />
);
