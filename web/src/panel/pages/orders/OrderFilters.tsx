import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import type { Filters } from '../../../parts/useFilters.ts';
import { keyState } from '../../../subjects/keys/keys.ts';
import { OrderFilterForm } from '../../../subjects/orders/OrderFilterForm.tsx';
import { keys } from '../../api/keys.ts';
import { useMay } from '../../useMay.ts';

/** The API's words for what an order is now, in ours. */
const statuses = [
  { value: 'paid', label: 'Being ordered' },
  { value: 'deferred', label: 'Delivery delayed' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'refunded', label: 'Refunded, wholly or in part' },
];

export const filterNames = ['reference', 'iccid', 'status', 'from', 'to', 'product_id', 'batch', 'key'] as const;

export function OrderFilters({ mode, filters }: { mode: Mode; filters: Filters }) {
  const keyChoice = useKeys(mode, filters.of('key'));
  return (
    <OrderFilterForm
      filters={filters}
      names={filterNames}
      fields={[
        { name: 'status', label: 'Status', kind: 'choice', choices: statuses },
        { name: 'from', label: 'From (UTC)', kind: 'day' },
        { name: 'to', label: 'Until (UTC)', kind: 'day' },
        { name: 'product_id', label: 'Plan id', kind: 'text', placeholder: 'esc_…' },
        { name: 'batch', label: 'Batch', kind: 'text', isNumber: true },
        ...(keyChoice ? [{ name: 'key', label: 'API key', kind: 'choice', choices: keyChoice } as const] : []),
      ]}
    />
  );
}

/** The keys of this world, revoked ones at the end; undefined for members who may not see keys. */
function useKeys(mode: Mode, chosen: string | undefined) {
  const maySeeKeys = useMay()('see-keys');
  const found = useQuery({ ...keys, enabled: maySeeKeys }).data?.keys.filter((key) => key.mode === mode);
  if (!maySeeKeys) return undefined;
  const known = (found ?? []).toSorted((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null));
  const isMissing = chosen !== undefined && !known.some(({ id }) => String(id) === chosen);
  return [
    ...known.map((key) => ({
      value: String(key.id),
      label: `${key.mask}${keyState(key) === 'active' ? '' : ` (${keyState(key)})`}`,
    })),
    ...(isMissing ? [{ value: chosen, label: `No. ${chosen}` }] : []),
  ];
}
