import { NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { FilterForm } from '../../../parts/FilterForm.tsx';
import type { Filters } from '../../../parts/useFilters.ts';
import { billingName, statusNames } from './PartnerStatus.tsx';

export const filterNames = ['q', 'status', 'billing'] as const;

const all = { value: '', label: 'All' };
const billings = Object.entries(billingName).map(([value, label]) => ({ value, label }));

export function PartnerFilters({ filters }: { filters: Filters }) {
  return (
    <FilterForm filters={filters} names={filterNames}>
      <TextInput
        name="q"
        type="search"
        size="xs"
        label="Name, email or id"
        leftSection={<IconSearch size={14} />}
        autoComplete="off"
        flex="1 1 14rem"
        maw={{ sm: 360 }}
      />
      <NativeSelect
        name="status"
        size="xs"
        label="Status"
        data={[all, ...statusNames]}
        flex="1 1 8rem"
        maw={{ sm: 180 }}
      />
      <NativeSelect
        name="billing"
        size="xs"
        label="Billing"
        data={[all, ...billings]}
        flex="1 1 8rem"
        maw={{ sm: 180 }}
      />
    </FilterForm>
  );
}
