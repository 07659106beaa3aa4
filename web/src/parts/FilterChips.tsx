import { Button, TextInput, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId, useRef, useState } from 'react';
import classes from './FilterChips.module.css';
import { IconChevronDown, IconFilter, IconSearch, IconX } from './icons.ts';
import type { Filters } from './useFilters.ts';
import { useTyped } from './useTyped.ts';

/** One filter of a list. Its name is also the one in the address. */
export type FilterField = { readonly name: string; readonly label: string } & (
  | { readonly kind: 'choice'; readonly choices: readonly (string | Choice)[] }
  | { readonly kind: 'text'; readonly placeholder?: string; readonly isNumber?: boolean }
  /** Shown as a text field of its own, before the chips. */
  | { readonly kind: 'search'; readonly placeholder?: string }
  /** A day, or a minute, in UTC. */
  | { readonly kind: 'day' | 'minute' }
);

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface FilterChipsProps {
  filters: Pick<Filters, 'of' | 'filter'>;
  fields: readonly FilterField[];
  /** At the end of the row. */
  children?: ReactNode;
}

/** With fewer of them, a phone shows all. */
const MOST_ON_PHONE = 2;

/**
 * The filters over a list. Each is a chip with its name and, once it is set, its value. Inside is an ordinary field: a choice
 * applies at once, a text after a pause. They are kept in the address.
 */
export function FilterChips({ filters: { of, filter }, fields, children }: FilterChipsProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isSet = (field: FilterField) => of(field.name) !== undefined;
  const chips = fields.filter(({ kind }) => kind !== 'search');
  const isFolded = chips.length > MOST_ON_PHONE && !isOpen;
  return (
    <search aria-label="Filters" className={classes.row} data-folded={isFolded || undefined}>
      {fields.map((field) =>
        field.kind === 'search' ? (
          <SearchField
            key={field.name}
            field={field}
            value={of(field.name) ?? ''}
            onChange={(value, how) => filter({ [field.name]: value }, how)}
          />
        ) : (
          <Chip
            key={field.name}
            id={`${id}-${field.name}`}
            field={field}
            value={of(field.name) ?? ''}
            onChange={(value, how) => filter({ [field.name]: value }, how)}
          />
        ),
      )}
      {chips.length > MOST_ON_PHONE && (
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
      )}
      {fields.some(isSet) && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => filter(Object.fromEntries(fields.map(({ name }) => [name, undefined])))}
        >
          Clear
        </Button>
      )}
      {children}
    </search>
  );
}

interface FieldProps {
  field: FilterField;
  /** '' if it is not set. */
  value: string;
  onChange: (value: string, how?: 'further') => void;
}

function SearchField({ field, value, onChange }: FieldProps) {
  const typed = useTyped(value, onChange);
  return (
    <TextInput
      {...typed}
      type="search"
      size="xs"
      aria-label={field.label}
      placeholder={'placeholder' in field ? `${field.label}: ${field.placeholder}` : field.label}
      leftSection={<IconSearch size={14} />}
      autoComplete="off"
      className={classes.search}
    />
  );
}

function Chip({ id, field, value, onChange }: FieldProps & { id: string }) {
  const chip = useRef<HTMLDivElement>(null);
  const remove = () => {
    onChange('');
    // The button goes away, and with it the focus.
    chip.current?.querySelector<HTMLElement>('input, select')?.focus();
  };
  return (
    <div ref={chip} className={classes.chip} data-set={value !== '' || undefined}>
      <div className={classes.face}>
        <label htmlFor={id}>{field.label}</label>
        {value !== '' && (
          <span className={classes.value} aria-hidden="true">
            {shownValue(field, value)}
          </span>
        )}
        {field.kind === 'choice' && value === '' && <IconChevronDown size={12} aria-hidden="true" />}
        {field.kind === 'choice' ? (
          <ChoiceField id={id} field={field} value={value} onChange={onChange} />
        ) : (
          <TypedField id={id} field={field} value={value} onChange={onChange} />
        )}
      </div>
      {value !== '' && (
        <button type="button" className={classes.remove} onClick={remove}>
          <IconX size={12} aria-hidden="true" />
          <VisuallyHidden>Remove this filter: {field.label}</VisuallyHidden>
        </button>
      )}
    </div>
  );
}

const choicesOf = (field: FilterField): Choice[] =>
  field.kind === 'choice'
    ? field.choices.map((one) => (typeof one === 'string' ? { value: one, label: one } : one))
    : [];

const shownValue = (field: FilterField, value: string): string =>
  choicesOf(field).find((one) => one.value === value)?.label ??
  (field.kind === 'minute' ? value.replace('T', ' ') : value);

function ChoiceField({ id, field, value, onChange }: FieldProps & { id: string }) {
  const choices = choicesOf(field);
  // The value in the address may not be among the choices: they load later, and it may be gone.
  const isMissing = value !== '' && !choices.some((one) => one.value === value);
  return (
    <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">All</option>
      {choices.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
      {isMissing && <option value={value}>{value}</option>}
    </select>
  );
}

/** While a year is being typed, the browser reports a complete but wrong date after the first digit. */
const isWholeDate = (text: string): boolean => text === '' || text >= '1000';

/** The longest time from a button taking the focus to its click. */
const PRESS_MS = 300;

function TypedField({ id, field, value, onChange }: FieldProps & { id: string }) {
  const isDate = field.kind === 'day' || field.kind === 'minute';
  const typed = useTyped(value, onChange, isDate ? isWholeDate : undefined);
  // Closed a little after it loses the focus: otherwise the button being pressed would move away under the mouse.
  const [isOpen, setOpen] = useState(false);
  const closing = useRef<number>(undefined);
  return (
    <input
      {...typed}
      onFocus={() => {
        window.clearTimeout(closing.current);
        setOpen(true);
      }}
      onBlur={(event) => {
        typed.onBlur(event);
        closing.current = window.setTimeout(setOpen, PRESS_MS, false);
      }}
      data-open={isOpen || undefined}
      id={id}
      type={field.kind === 'day' ? 'date' : field.kind === 'minute' ? 'datetime-local' : 'text'}
      {...(field.kind === 'text' && {
        placeholder: field.placeholder,
        inputMode: field.isNumber ? 'numeric' : 'text',
        maxLength: 200,
      })}
      autoComplete="off"
      spellCheck={false}
      className={classes.typed}
    />
  );
}
