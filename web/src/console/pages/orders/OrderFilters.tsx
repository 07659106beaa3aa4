import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import type { Filters } from '../../../parts/useFilters.ts';
import { OrderFilterForm } from '../../../subjects/orders/OrderFilterForm.tsx';
import { orderFilters, orders } from '../../api/orders.ts';

const statuses = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Not delivered yet' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'paid', label: 'Being ordered' },
  { value: 'deferred', label: 'Delivery delayed' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'created', label: 'Charge not completed' },
  { value: 'refunded', label: 'Refunded, wholly or in part' },
];

export function OrderFilters({ mode, filters }: { mode: Mode; filters: Filters }) {
  const suppliers = useQuery(orders(mode, {})).data?.suppliers ?? [];
  return (
    <OrderFilterForm filters={filters} names={orderFilters} choices={suppliers.length}>
      <NativeSelect name="status" size="xs" label="Status" data={statuses} />
      <TextInput name="partner" size="xs" label="Partner" placeholder="Name or id" autoComplete="off" />
      <NativeSelect
        name="supplier"
        size="xs"
        label="Supplier"
        data={[{ value: '', label: 'All' }, ...withChosen(suppliers, filters.of('supplier'))]}
      />
      <TextInput name="destination" size="xs" label="Destination" placeholder="FR, or france" autoComplete="off" />
      <TextInput name="product_id" size="xs" label="Plan id" placeholder="esc_…" autoComplete="off" />
      <TextInput name="batch" size="xs" label="Batch" inputMode="numeric" autoComplete="off" />
      <TextInput name="from" type="date" size="xs" label="From (UTC)" />
      <TextInput name="to" type="date" size="xs" label="Until (UTC)" />
    </OrderFilterForm>
  );
}

const withChosen = (known: readonly string[], chosen: string | undefined): string[] =>
  chosen === undefined || known.includes(chosen) ? [...known] : [...known, chosen];
