import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import type { Filters } from '../../../parts/useFilters.ts';
import { OrderFilterForm } from '../../../subjects/orders/OrderFilterForm.tsx';
import { orderFilters, orders } from '../../api/orders.ts';

const statuses = [
  { value: 'open', label: 'Not delivered yet' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'held', label: 'Held for a person' },
  { value: 'paid', label: 'Being ordered' },
  { value: 'deferred', label: 'Delivery delayed' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'created', label: 'Charge not completed' },
  { value: 'refunded', label: 'Refunded, wholly or in part' },
];

export function OrderFilters({ mode, filters }: { mode: Mode; filters: Filters }) {
  const suppliers = useQuery(orders(mode, {})).data?.suppliers ?? [];
  return (
    <OrderFilterForm
      filters={filters}
      names={orderFilters}
      fields={[
        { name: 'status', label: 'Status', kind: 'choice', choices: statuses },
        { name: 'partner', label: 'Partner', kind: 'text', placeholder: 'Name or id' },
        { name: 'supplier', label: 'Supplier', kind: 'choice', choices: suppliers },
        { name: 'destination', label: 'Destination', kind: 'text', placeholder: 'FR, or france' },
        { name: 'product_id', label: 'Plan id', kind: 'text', placeholder: 'esc_…' },
        { name: 'batch', label: 'Batch', kind: 'text', isNumber: true },
        { name: 'from', label: 'From (UTC)', kind: 'day' },
        { name: 'to', label: 'Until (UTC)', kind: 'day' },
      ]}
    />
  );
}
