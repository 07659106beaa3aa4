import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import classes from '../../../pages/orders/OrderFilters.module.css';
import type { Mode } from '../../../paths.ts';
import type { useFilters } from '../../../useFilters.ts';
import { orderFilters, orders } from '../../api/orders.ts';

export type Filters = ReturnType<typeof useFilters>;

const statuses = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Not delivered yet' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'paid', label: 'Being ordered' },
  { value: 'deferred', label: 'Delivery delayed' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'created', label: 'Charge not completed' },
  { value: 'refunded', label: 'Refunded, wholly or in part' },
];

/** What suppliers print as an ICCID has 18 digits or more; anything else is taken for a reference. */
const isIccid = (text: string): boolean => /^\d{18,22}$/.test(text);

/** The fields keep what is typed until it is sent. When the address changes from elsewhere, they follow it. */
export function OrderFilters({ mode, filters: { of, filter } }: { mode: Mode; filters: Filters }) {
  const form = useRef<HTMLFormElement>(null);
  const isFiltered = orderFilters.some(of);
  const [isOpen, setOpen] = useState(isFiltered);
  const suppliers = useQuery(orders(mode, {})).data?.suppliers ?? [];
  const shown = JSON.stringify({
    ...Object.fromEntries(orderFilters.map((name) => [name, of(name) ?? ''])),
    sought: of('reference') ?? of('iccid') ?? '',
    suppliers: suppliers.length,
  });
  // In the layout phase: a passive effect may run only when somebody has already chosen, and would undo the choice.
  useLayoutEffect(() => {
    for (const [name, value] of Object.entries<string>(JSON.parse(shown))) setField(form.current, name, value);
  }, [shown]);

  function send(typed: FormData) {
    const text = (name: string) => String(typed.get(name) ?? '').trim();
    const sought = text('sought');
    filter({
      ...Object.fromEntries(orderFilters.map((name) => [name, text(name)])),
      iccid: isIccid(sought) ? sought : '',
      reference: isIccid(sought) ? '' : sought,
    });
  }
  const clear = () => filter(Object.fromEntries(orderFilters.map((name) => [name, undefined])));
  const submit = ({ currentTarget }: { currentTarget: HTMLSelectElement }) => currentTarget.form?.requestSubmit();

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
      <NativeSelect name="status" size="xs" label="Status" data={statuses} className={classes.more} onChange={submit} />
      <TextInput
        name="partner"
        size="xs"
        label="Partner"
        placeholder="Name or id"
        autoComplete="off"
        className={classes.more}
      />
      <NativeSelect
        name="supplier"
        size="xs"
        label="Supplier"
        data={[{ value: '', label: 'All' }, ...withChosen(suppliers, of('supplier'))]}
        className={classes.more}
        onChange={submit}
      />
      <TextInput
        name="destination"
        size="xs"
        label="Destination"
        placeholder="FR, or france"
        autoComplete="off"
        className={classes.more}
      />
      <TextInput
        name="product_id"
        size="xs"
        label="Plan id"
        placeholder="esc_…"
        autoComplete="off"
        className={classes.more}
      />
      <TextInput name="from" type="date" size="xs" label="From (UTC)" className={classes.more} />
      <TextInput name="to" type="date" size="xs" label="Until (UTC)" className={classes.more} />
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

const withChosen = (known: readonly string[], chosen: string | undefined): string[] =>
  chosen === undefined || known.includes(chosen) ? [...known] : [...known, chosen];

function setField(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
}
