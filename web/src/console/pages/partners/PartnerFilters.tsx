import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import type { useFilters } from '../../../useFilters.ts';
import { billingName, statusNames } from './PartnerStatus.tsx';

export const filterNames = ['q', 'status', 'billing'] as const;

const all = { value: '', label: 'All' };
const billings = Object.entries(billingName).map(([value, label]) => ({ value, label }));

/** The fields keep what is typed until it is sent. When the address changes from elsewhere, they follow it. */
export function PartnerFilters({ filters: { of, filter, clear } }: { filters: ReturnType<typeof useFilters> }) {
  const form = useRef<HTMLFormElement>(null);
  const shown = JSON.stringify(filterNames.map((name) => of(name) ?? ''));
  // In the layout phase: a passive effect may run only when somebody has already chosen, and would undo the choice.
  useLayoutEffect(() => {
    const values: string[] = JSON.parse(shown);
    for (const [i, name] of filterNames.entries()) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = values[i] ?? '';
    }
  }, [shown]);
  const choose = (event: { currentTarget: HTMLSelectElement }) => event.currentTarget.form?.requestSubmit();
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        filter(Object.fromEntries(filterNames.map((name) => [name, String(typed.get(name) ?? '').trim()])));
      }}
    >
      <Group gap="xs" px="lg" pb="md" align="flex-end">
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
          onChange={choose}
          flex="1 1 8rem"
          maw={{ sm: 180 }}
        />
        <NativeSelect
          name="billing"
          size="xs"
          label="Billing"
          data={[all, ...billings]}
          onChange={choose}
          flex="1 1 8rem"
          maw={{ sm: 180 }}
        />
        <Button type="submit" size="xs">
          Search
        </Button>
        {filterNames.some(of) && (
          <Button size="xs" variant="default" onClick={clear}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
