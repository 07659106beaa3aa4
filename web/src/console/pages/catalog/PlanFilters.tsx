import { NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { FilterForm } from '../../../parts/FilterForm.tsx';
import type { Filters } from '../../../parts/useFilters.ts';
import { choices } from '../../api/catalog.ts';

export const planFilters = ['q', 'supplier', 'destination', 'sale', 'lacking', 'by_hand'] as const;

const all = { value: '', label: 'All' };
const sales = [all, { value: 'on', label: 'On sale' }, { value: 'off', label: 'Not on sale' }];
const lacks = [all, { value: 'price', label: 'Without a price' }, { value: 'cost', label: 'Without a cost' }];
const hands = [all, { value: 'yes', label: 'Set by hand' }];

export function PlanFilters({ filters }: { filters: Filters }) {
  const { data } = useQuery(choices);
  const suppliers = (data?.suppliers ?? []).map(({ slug, title }) => ({ value: slug, label: title }));
  const places = (data?.destinations ?? []).map(({ code, title }) => ({ value: code, label: title }));
  return (
    <FilterForm filters={filters} names={planFilters} choices={suppliers.length + places.length}>
      <TextInput
        name="q"
        type="search"
        size="xs"
        label="Search"
        placeholder="Title, country, supplier’s code or plan id"
        leftSection={<IconSearch size={14} />}
        autoComplete="off"
        flex="2 1 16rem"
      />
      <NativeSelect name="supplier" size="xs" label="Supplier" data={[all, ...suppliers]} flex="1 1 9rem" />
      <NativeSelect name="destination" size="xs" label="For" data={[all, ...places]} flex="1 1 9rem" />
      <NativeSelect name="sale" size="xs" label="Sale" data={sales} flex="1 1 7rem" />
      <NativeSelect name="lacking" size="xs" label="Lacks" data={lacks} flex="1 1 8rem" />
      <NativeSelect name="by_hand" size="xs" label="Set by" data={hands} flex="1 1 7rem" />
    </FilterForm>
  );
}
