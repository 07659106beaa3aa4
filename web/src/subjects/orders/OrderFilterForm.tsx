import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FilterForm } from '../../parts/FilterForm.tsx';
import type { Filters } from '../../parts/useFilters.ts';

/** What suppliers print as an ICCID has 18 digits or more; anything else is taken for a reference. */
const isIccid = (text: string): boolean => /^\d{18,22}$/.test(text);

interface OrderFilterFormProps {
  filters: Filters;
  /** In the address: `reference` and `iccid`, which share one field, and those of the other fields. */
  names: readonly string[];
  /** How many choices the selects offer. */
  choices: number | undefined;
  /** The other fields. */
  children: ReactNode;
}

export function OrderFilterForm({ filters: { of, filter }, names, choices, children }: OrderFilterFormProps) {
  const filters = {
    of: (name: string) => (name === 'sought' ? (of('reference') ?? of('iccid')) : of(name)),
    filter: ({ sought = '', ...others }: Parameters<Filters['filter']>[0]) =>
      filter({ ...others, iccid: isIccid(sought) ? sought : '', reference: isIccid(sought) ? '' : sought }),
  };
  return (
    <FilterForm filters={filters} names={['sought', ...names]} choices={choices} further={children}>
      <TextInput
        name="sought"
        type="search"
        size="xs"
        label="Reference or ICCID"
        placeholder="The whole text"
        leftSection={<IconSearch size={14} />}
        autoComplete="off"
        style={{ gridColumn: 'span 2' }}
      />
    </FilterForm>
  );
}
