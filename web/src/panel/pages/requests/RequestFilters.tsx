import { NativeSelect, TextInput } from '@mantine/core';
import { FilterForm } from '../../../parts/FilterForm.tsx';
import type { Filters } from '../../../parts/useFilters.ts';
import { keyName } from '../../../subjects/keys/keys.ts';
import { type Requests, requestFilters } from '../../api/requests.ts';

const statuses = [
  { value: '', label: 'All' },
  { value: '2xx', label: '2xx, successful' },
  { value: '3xx', label: '3xx, not changed' },
  { value: '4xx', label: '4xx, refused' },
  { value: '5xx', label: '5xx, failed on our side' },
  { value: 'refused', label: 'Everything but successful' },
];

const anyOf = (values: readonly { value: string; label: string }[]) => [{ value: '', label: 'All' }, ...values];

interface RequestFiltersProps {
  filters: Filters;
  /** What can be chosen; undefined while it loads. */
  offered: Pick<Requests, 'keys' | 'endpoints'> | undefined;
}

export function RequestFilters({ filters, offered }: RequestFiltersProps) {
  const { keys = [], endpoints = [] } = offered ?? {};
  return (
    <FilterForm filters={filters} names={requestFilters} choices={keys.length + endpoints.length}>
      <NativeSelect name="status" size="xs" label="Status" data={statuses} flex="1 1 9rem" />
      <NativeSelect
        name="endpoint"
        size="xs"
        label="Endpoint"
        data={anyOf(endpoints.map((path) => ({ value: path, label: path.slice(1) })))}
        flex="1 1 11rem"
      />
      <NativeSelect
        name="key"
        size="xs"
        label="Key"
        data={anyOf(keys.map((key) => ({ value: String(key.id), label: keyName(key) })))}
        flex="1 1 9rem"
      />
      <TextInput name="error" size="xs" label="Error code" placeholder="rate_limited" flex="1 1 9rem" />
      <TextInput name="request_id" size="xs" label="Request id" placeholder="From X-Request-Id" flex="1 1 12rem" />
      <TextInput name="order" size="xs" label="Order" inputMode="numeric" flex="1 1 6rem" />
      <TextInput name="from" type="datetime-local" size="xs" label="From (UTC)" flex="1 1 12rem" />
      <TextInput name="to" type="datetime-local" size="xs" label="Before (UTC)" flex="1 1 12rem" />
    </FilterForm>
  );
}
