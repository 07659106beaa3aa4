import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { keyName, type Requests, requestFilters } from '../../api/requests.ts';
import type { useFilters } from '../../useFilters.ts';

export type Filters = ReturnType<typeof useFilters>;

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

/** The fields keep what is typed until it is sent. When the address changes from elsewhere, they follow it. */
export function RequestFilters({ filters: { of, filter, clear }, offered }: RequestFiltersProps) {
  const form = useRef<HTMLFormElement>(null);
  const given = requestFilters.map((name) => of(name) ?? '');
  const isFiltered = given.some((value) => value !== '');
  const address = given.join('\n');
  // Also when the choices have come: until then a select cannot take a value.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what the values depend on.
  useLayoutEffect(() => {
    for (const [i, name] of requestFilters.entries()) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = given[i] ?? '';
    }
  }, [address, offered === undefined]);
  const send = (typed: FormData) =>
    filter(Object.fromEntries(requestFilters.map((name) => [name, String(typed.get(name) ?? '').trim()])));
  const choose = (event: { currentTarget: HTMLSelectElement }) => event.currentTarget.form?.requestSubmit();
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        send(new FormData(event.currentTarget));
      }}
    >
      <Group gap="xs" px="lg" pb="md" align="flex-end">
        <NativeSelect name="status" size="xs" label="Status" data={statuses} onChange={choose} flex="1 1 9rem" />
        <NativeSelect
          name="endpoint"
          size="xs"
          label="Endpoint"
          data={anyOf((offered?.endpoints ?? []).map((path) => ({ value: path, label: path.slice(1) })))}
          onChange={choose}
          flex="1 1 11rem"
        />
        <NativeSelect
          name="key"
          size="xs"
          label="Key"
          data={anyOf((offered?.keys ?? []).map((key) => ({ value: String(key.id), label: keyName(key) })))}
          onChange={choose}
          flex="1 1 9rem"
        />
        <TextInput name="error" size="xs" label="Error code" placeholder="rate_limited" flex="1 1 9rem" />
        <TextInput name="request_id" size="xs" label="Request id" placeholder="From X-Request-Id" flex="1 1 12rem" />
        <TextInput name="order" size="xs" label="Order" inputMode="numeric" flex="1 1 6rem" />
        <TextInput name="from" type="datetime-local" size="xs" label="From (UTC)" flex="1 1 12rem" />
        <TextInput name="to" type="datetime-local" size="xs" label="Before (UTC)" flex="1 1 12rem" />
        <Button type="submit" size="xs">
          Search
        </Button>
        {isFiltered && (
          <Button size="xs" variant="default" onClick={clear}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
