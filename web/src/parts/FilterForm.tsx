import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './FilterForm.module.css';
import { Form } from './Form.tsx';
import { useFields } from './useFields.ts';
import type { Filters } from './useFilters.ts';

interface FilterFormProps {
  filters: Pick<Filters, 'of' | 'filter'>;
  /** The names of the fields, in the address too. */
  names: readonly string[];
  /** How many choices the selects offer, where some load later: until then a select cannot take its value. */
  choices?: number | undefined;
  /** Fields with these names. */
  children: ReactNode;
  /** More of them, which a phone shows on demand. All fields are then in a grid. */
  further?: ReactNode;
}

/** Filters over a list, kept in the address. What is typed is sent with Search, what is chosen at once. */
export function FilterForm({ filters: { of, filter }, names, choices, children, further }: FilterFormProps) {
  const form = useFields(Object.fromEntries(names.map((name) => [name, of(name) ?? ''])), choices);
  const isFiltered = names.some(of);
  const [isOpen, setOpen] = useState(isFiltered);
  return (
    <Form
      ref={form}
      className={further ? classes.grid : classes.row}
      data-open={isOpen || undefined}
      onChange={({ target, currentTarget }) => {
        if ((target as EventTarget) instanceof HTMLSelectElement) currentTarget.requestSubmit();
      }}
      onSubmit={(typed) => {
        filter(Object.fromEntries(names.map((name) => [name, String(typed.get(name) ?? '').trim()])));
      }}
    >
      {children}
      {further && (
        <>
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
          <div className={classes.further}>{further}</div>
        </>
      )}
      <div className={classes.buttons}>
        <Button type="submit" size="xs">
          Search
        </Button>
        {isFiltered && (
          <Button
            size="xs"
            variant="default"
            onClick={() => filter(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            Clear
          </Button>
        )}
      </div>
    </Form>
  );
}
