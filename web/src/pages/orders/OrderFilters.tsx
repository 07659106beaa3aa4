import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
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

export function OrderFilters({ filters }: { filters: Filters }) {
  const { of, filter, clear } = filters;
  const sought = of('reference') ?? of('iccid') ?? '';
  const isFiltered = ['reference', 'iccid', 'status', 'from', 'to'].some((name) => of(name) !== undefined);
  return (
    <Group gap="xs" px="lg" pb="md" align="flex-end">
      <form
        // A new address, as after "Clear", brings a new text into the field.
        key={sought}
        style={{ flex: '1 1 16rem' }}
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get('sought')).trim();
          filter(isIccid(text) ? { iccid: text, reference: '' } : { reference: text, iccid: '' });
        }}
      >
        <TextInput
          name="sought"
          type="search"
          size="xs"
          label="Reference or ICCID"
          placeholder="The whole text, then Enter"
          defaultValue={sought}
          leftSection={<IconSearch size={14} />}
          autoComplete="off"
        />
      </form>
      <NativeSelect
        size="xs"
        label="Status"
        data={statuses}
        value={of('status') ?? ''}
        onChange={({ currentTarget: { value } }) => filter({ status: value })}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          size="xs"
          type="date"
          label={name === 'from' ? 'From (UTC)' : 'Until (UTC)'}
          value={of(name) ?? ''}
          onChange={({ currentTarget: { value } }) => filter({ [name]: value })}
        />
      ))}
      {isFiltered && (
        <Button size="xs" variant="default" onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}
