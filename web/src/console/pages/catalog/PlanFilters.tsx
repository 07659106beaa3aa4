import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import type { useFilters } from '../../../useFilters.ts';
import { choices } from '../../api/catalog.ts';

export const planFilters = ['q', 'supplier', 'destination', 'sale', 'lacking', 'by_hand'] as const;

const all = { value: '', label: 'All' };
const sales = [all, { value: 'on', label: 'On sale' }, { value: 'off', label: 'Not on sale' }];
const lacks = [all, { value: 'price', label: 'Without a price' }, { value: 'cost', label: 'Without a cost' }];
const hands = [all, { value: 'yes', label: 'Set by hand' }];

/** The fields keep what is typed until it is sent. When the address changes from elsewhere, they follow it. */
export function PlanFilters({ filters: { of, filter } }: { filters: ReturnType<typeof useFilters> }) {
  const form = useRef<HTMLFormElement>(null);
  const { data } = useQuery(choices);
  const given = planFilters.map((name) => of(name) ?? '');
  const address = given.join('\n');
  // Also when the choices have come: until then a select cannot take a value.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what the values depend on.
  useLayoutEffect(() => {
    for (const [i, name] of planFilters.entries()) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = given[i] ?? '';
    }
  }, [address, data === undefined]);
  const choose = (event: { currentTarget: HTMLSelectElement }) => event.currentTarget.form?.requestSubmit();
  const suppliers = (data?.suppliers ?? []).map(({ slug, title }) => ({ value: slug, label: title }));
  const places = (data?.destinations ?? []).map(({ code, title }) => ({ value: code, label: title }));
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        filter(Object.fromEntries(planFilters.map((name) => [name, String(typed.get(name) ?? '').trim()])));
      }}
    >
      <Group gap="xs" px="lg" pb="md" align="flex-end">
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
        <NativeSelect
          name="supplier"
          size="xs"
          label="Supplier"
          data={[all, ...suppliers]}
          onChange={choose}
          flex="1 1 9rem"
        />
        <NativeSelect
          name="destination"
          size="xs"
          label="For"
          data={[all, ...places]}
          onChange={choose}
          flex="1 1 9rem"
        />
        <NativeSelect name="sale" size="xs" label="Sale" data={sales} onChange={choose} flex="1 1 7rem" />
        <NativeSelect name="lacking" size="xs" label="Lacks" data={lacks} onChange={choose} flex="1 1 8rem" />
        <NativeSelect name="by_hand" size="xs" label="Set by" data={hands} onChange={choose} flex="1 1 7rem" />
        <Button type="submit" size="xs">
          Search
        </Button>
        {given.some((value) => value !== '') && (
          <Button
            size="xs"
            variant="default"
            onClick={() => filter(Object.fromEntries(planFilters.map((name) => [name, ''])))}
          >
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
