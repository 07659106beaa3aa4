import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { useFilters } from '../../useFilters.ts';

export type Filters = ReturnType<typeof useFilters>;

/** The API's words for what an order is now, in ours. */
const statuses = [
  { value: '', label: 'All but failed' },
  { value: 'paid', label: 'Paid, being ordered' },
  { value: 'deferred', label: 'Delivery delayed' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'refunded', label: 'Refunded, wholly or in part' },
  { value: 'failed', label: 'Failed' },
];

/** What suppliers print as an ICCID has 18 digits or more; anything else is taken for a reference. */
const isIccid = (text: string): boolean => /^\d{18,22}$/.test(text);

/**
 * The fields keep what is typed until it is sent: dates are complete, and wrong, after the first digit of a year. When the address
 * changes from elsewhere (Clear, the browser's way back), the fields follow it.
 */
export function OrderFilters({ filters: { of, filter, clear } }: { filters: Filters }) {
  const form = useRef<HTMLFormElement>(null);
  const sought = of('reference') ?? of('iccid') ?? '';
  const [status, from, to] = [of('status') ?? '', of('from') ?? '', of('to') ?? ''];
  useEffect(() => {
    for (const [name, value] of Object.entries({ sought, status, from, to })) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
    }
  }, [sought, status, from, to]);

  function send(typed: FormData) {
    const text = (name: string) => String(typed.get(name)).trim();
    const found = text('sought');
    filter({
      iccid: isIccid(found) ? found : '',
      reference: isIccid(found) ? '' : found,
      status: text('status'),
      from: text('from'),
      to: text('to'),
    });
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        send(new FormData(event.currentTarget));
      }}
    >
      <Group gap="xs" px="lg" pb="md" align="flex-end">
        <TextInput
          name="sought"
          type="search"
          size="xs"
          label="Reference or ICCID"
          placeholder="The whole text"
          leftSection={<IconSearch size={14} />}
          autoComplete="off"
          flex="1 1 14rem"
        />
        <NativeSelect
          name="status"
          size="xs"
          label="Status"
          data={statuses}
          onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
        />
        <TextInput name="from" type="date" size="xs" label="From (UTC)" />
        <TextInput name="to" type="date" size="xs" label="Until (UTC)" />
        <Button type="submit" size="xs">
          Search
        </Button>
        {[sought, status, from, to].some((value) => value !== '') && (
          <Button size="xs" variant="default" onClick={clear}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
