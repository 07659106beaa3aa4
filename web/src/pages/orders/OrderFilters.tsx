import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { keyState, keys } from '../../api/keys.ts';
import type { Mode } from '../../paths.ts';
import type { useFilters } from '../../useFilters.ts';
import { useMay } from '../../useMay.ts';
import classes from './OrderFilters.module.css';

export type Filters = ReturnType<typeof useFilters>;

/** The API's words for what an order is now, in ours. */
const statuses = [
  { value: '', label: 'All' },
  { value: 'paid', label: 'Being ordered' },
  { value: 'deferred', label: 'Delivery delayed' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'refunded', label: 'Refunded, wholly or in part' },
];

export const filterNames = ['reference', 'iccid', 'status', 'from', 'to', 'product_id', 'key'] as const;

/** What suppliers print as an ICCID has 18 digits or more; anything else is taken for a reference. */
const isIccid = (text: string): boolean => /^\d{18,22}$/.test(text);

/**
 * The fields keep what is typed until it is sent: dates are complete, and wrong, after the first digit of a year. When the address
 * changes from elsewhere (Clear, the browser's way back), the fields follow it.
 */
export function OrderFilters({ mode, filters: { of, filter, clear } }: { mode: Mode; filters: Filters }) {
  const form = useRef<HTMLFormElement>(null);
  const isFiltered = filterNames.some(of);
  const [isOpen, setOpen] = useState(isFiltered);
  const sought = of('reference') ?? of('iccid') ?? '';
  const shown = JSON.stringify({
    sought,
    ...Object.fromEntries(
      (['status', 'from', 'to', 'product_id', 'key'] as const).map((name) => [name, of(name) ?? '']),
    ),
  });
  const keyChoice = useKeys(mode, of('key'));
  // In the layout phase: a passive effect may run only when somebody has already chosen, and would undo the choice.
  useLayoutEffect(() => {
    for (const [name, value] of Object.entries<string>(JSON.parse(shown))) setField(form.current, name, value);
  }, [shown]);
  // The keys arrive later. Only their field is set then: something may have been typed into the others.
  const keyCount = keyChoice?.length ?? 0;
  const chosenKey = of('key') ?? '';
  useLayoutEffect(() => {
    if (keyCount > 0) setField(form.current, 'key', chosenKey);
  }, [keyCount, chosenKey]);

  function send(typed: FormData) {
    const text = (name: string) => String(typed.get(name) ?? '').trim();
    const found = text('sought');
    filter({
      iccid: isIccid(found) ? found : '',
      reference: isIccid(found) ? '' : found,
      status: text('status'),
      from: text('from'),
      to: text('to'),
      product_id: text('product_id'),
      key: text('key'),
    });
  }

  return (
    <form
      ref={form}
      className={classes.form}
      data-open={isOpen || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        send(new FormData(event.currentTarget));
      }}
    >
      <TextInput
        name="sought"
        type="search"
        size="xs"
        label="Reference or ICCID"
        placeholder="The whole text"
        leftSection={<IconSearch size={14} />}
        autoComplete="off"
        className={classes.text}
      />
      <Button
        size="xs"
        variant="default"
        className={classes.toggle}
        leftSection={<IconFilter size={14} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Filters
      </Button>
      <NativeSelect
        name="status"
        size="xs"
        label="Status"
        data={statuses}
        className={classes.more}
        onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
      />
      <TextInput name="from" type="date" size="xs" label="From (UTC)" className={classes.more} />
      <TextInput name="to" type="date" size="xs" label="Until (UTC)" className={classes.more} />
      <TextInput
        name="product_id"
        size="xs"
        label="Plan id"
        placeholder="esc_…"
        autoComplete="off"
        className={classes.more}
      />
      {keyChoice && (
        <NativeSelect
          name="key"
          size="xs"
          label="API key"
          data={keyChoice}
          className={classes.more}
          onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
        />
      )}
      <div className={classes.buttons}>
        <Button type="submit" size="xs">
          Search
        </Button>
        {isFiltered && (
          <Button size="xs" variant="default" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}

function setField(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
}

/** The keys of this world, revoked ones at the end; undefined for members who may not see keys. */
function useKeys(mode: Mode, chosen: string | undefined) {
  const mayLook = useMay()('see-keys');
  const found = useQuery({ ...keys, enabled: mayLook }).data?.keys.filter((key) => key.mode === mode);
  if (!mayLook) return undefined;
  const known = (found ?? []).toSorted((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null));
  const isMissing = chosen !== undefined && !known.some(({ id }) => String(id) === chosen);
  return [
    { value: '', label: 'All' },
    ...known.map((key) => ({
      value: String(key.id),
      label: `${key.mask}${keyState(key) === 'active' ? '' : ` (${keyState(key)})`}`,
    })),
    ...(isMissing ? [{ value: chosen, label: `No. ${chosen}` }] : []),
  ];
}
