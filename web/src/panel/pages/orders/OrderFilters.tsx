import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import type { Filters } from '../../../parts/useFilters.ts';
import { keyState } from '../../../subjects/keys/keys.ts';
import { OrderFilterForm } from '../../../subjects/orders/OrderFilterForm.tsx';
import { keys } from '../../api/keys.ts';
import { useMay } from '../../useMay.ts';

/** The API's words for what an order is now, in ours. */
const statuses = [
  { value: '', label: 'All' },
  { value: 'paid', label: 'Being ordered' },
  { value: 'deferred', label: 'Delivery delayed' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'refunded', label: 'Refunded, wholly or in part' },
];

export const filterNames = ['reference', 'iccid', 'status', 'from', 'to', 'product_id', 'batch', 'key'] as const;

export function OrderFilters({ mode, filters }: { mode: Mode; filters: Filters }) {
  const keyChoice = useKeys(mode, filters.of('key'));
  return (
    <OrderFilterForm filters={filters} names={filterNames} choices={keyChoice?.length}>
      <NativeSelect name="status" size="xs" label="Status" data={statuses} />
      <TextInput name="from" type="date" size="xs" label="From (UTC)" />
      <TextInput name="to" type="date" size="xs" label="Until (UTC)" />
      <TextInput name="product_id" size="xs" label="Plan id" placeholder="esc_…" autoComplete="off" />
      <TextInput name="batch" size="xs" label="Batch" inputMode="numeric" autoComplete="off" />
      {keyChoice && <NativeSelect name="key" size="xs" label="API key" data={keyChoice} />}
    </OrderFilterForm>
  );
}

/** The keys of this world, revoked ones at the end; undefined for members who may not see keys. */
function useKeys(mode: Mode, chosen: string | undefined) {
  const mayLook = useMay()('see-keys');
  const found = useQuery({ ...keys, enabled: mayLook }).data?.keys.filter((key) => key.mode === mode);
  if (!mayLook) return undefined;
  const known = (found ?? []).toSorted((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null));
  const isMissing = chosen !== undefined && !known.some(({ id }) => String(id) === chosen);
  return [
    { value: '', label: 'All' },
    ...known.map((key) => ({
      value: String(key.id),
      label: `${key.mask}${keyState(key) === 'active' ? '' : ` (${keyState(key)})`}`,
    })),
    ...(isMissing ? [{ value: chosen, label: `No. ${chosen}` }] : []),
  ];
}
