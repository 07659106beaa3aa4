import { ActionIcon, Button, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconPlus, IconX } from '../../parts/icons.ts';
import { type Limit, perWords } from './limits.ts';

/** The server's limit, which decides. */
const MOST = 10;

interface Row {
  readonly id: number;
  readonly per: Limit['per'];
  readonly unit: 'usd' | 'orders';
  readonly value: string;
  /** An error is shown once the field was left, or the form was sent. */
  readonly isLeft: boolean;
}

const units = {
  usd: { label: 'USD', pattern: '(?!0+([.]0+)?$)\\d{1,9}([.]\\d{1,2})?', hint: 'Enter an amount, like 500.00' },
  orders: { label: 'orders', pattern: '[1-9]\\d{0,8}', hint: 'Enter a whole number, like 20' },
} as const;

const rowOf = ({ per, amount, count }: Limit, id: number): Row =>
  amount === null
    ? { id, per, unit: 'orders', value: String(count), isLeft: false }
    : { id, per, unit: 'usd', value: amount.toFixed(2), isLeft: false };

/** As the server reads a set: `day=500.00, hour=20x`; '' is no limit. */
const textOf = (rows: readonly Row[]): string =>
  rows.map(({ per, unit, value }) => `${per}=${value.trim()}${unit === 'orders' ? 'x' : ''}`).join(', ');

const errorIn = ({ unit, value, isLeft }: Row): string | undefined =>
  isLeft && !new RegExp(`^(${units[unit].pattern})$`).test(value.trim()) ? units[unit].hint : undefined;

/** The field `limits` of a form: what may be spent, one row for each limit. */
export function LimitFields({ of: limits, children }: { of: readonly Limit[]; children: ReactNode }) {
  const [rows, setRows] = useState(() => limits.map(rowOf));
  const set = (id: number, change: Partial<Row>) =>
    setRows((now) => now.map((row) => (row.id === id ? { ...row, ...change } : row)));
  const add = () =>
    setRows((now) => [
      ...now,
      { id: Math.max(-1, ...now.map(({ id }) => id)) + 1, per: 'day', unit: 'usd', value: '', isLeft: false },
    ]);
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {children}
      </Text>
      <input type="hidden" name="limits" value={textOf(rows)} />
      {rows.length === 0 && <Text size="sm">No limits: what may be spent is not limited.</Text>}
      {rows.map((row, i) => (
        <LimitRow
          key={row.id}
          of={row}
          number={i + 1}
          onChange={(change) => set(row.id, change)}
          onRemove={() => setRows((now) => now.filter(({ id }) => id !== row.id))}
        />
      ))}
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={rows.length >= MOST}
          onClick={add}
        >
          Add limit
        </Button>
        {rows.length >= MOST && (
          <Text size="xs" c="dimmed">
            There can be at most {MOST} limits.
          </Text>
        )}
      </Group>
    </Stack>
  );
}

interface LimitRowProps {
  of: Row;
  number: number;
  onChange: (change: Partial<Row>) => void;
  onRemove: () => void;
}

function LimitRow({ of: row, number, onChange, onRemove }: LimitRowProps) {
  return (
    <Fieldset variant="unstyled" aria-label={`Limit ${number}`}>
      {/* On a phone in two lines. */}
      <Group gap={6} align="flex-start">
        <Group gap={6} wrap="nowrap" align="flex-start" style={{ flex: '1 1 190px' }}>
          <TextInput
            aria-label={`Limit ${number}: the most`}
            inputMode={row.unit === 'usd' ? 'decimal' : 'numeric'}
            placeholder={row.unit === 'usd' ? '500.00' : '20'}
            required
            pattern={`\\s*${units[row.unit].pattern}\\s*`}
            value={row.value}
            error={errorIn(row)}
            autoComplete="off"
            // Mantine's red of an error is too faint for text.
            styles={{ input: { color: 'var(--mantine-color-text)' }, error: { color: 'var(--danger)' } }}
            style={{ flex: 1, minWidth: 0 }}
            onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
            onBlur={() => onChange({ isLeft: true })}
            // The error is shown below the field, in place of the browser's bubble.
            onInvalid={(event) => {
              event.preventDefault();
              onChange({ isLeft: true });
              const { currentTarget } = event;
              if (currentTarget.form?.querySelector('input:invalid') === currentTarget) currentTarget.focus();
            }}
          />
          <NativeSelect
            aria-label={`Limit ${number}: US dollars or orders`}
            // An order is limited by its price: it is always one.
            data={(row.per === 'order' ? (['usd'] as const) : (['usd', 'orders'] as const)).map((value) => ({
              value,
              label: units[value].label,
            }))}
            value={row.unit}
            onChange={({ currentTarget }) => onChange({ unit: currentTarget.value === 'orders' ? 'orders' : 'usd' })}
          />
        </Group>
        <Group gap={6} wrap="nowrap" style={{ flex: '1 1 160px' }}>
          <NativeSelect
            flex={1}
            aria-label={`Limit ${number}: period`}
            data={Object.entries(perWords).map(([value, label]) => ({ value, label }))}
            value={row.per}
            onChange={({ currentTarget }) => {
              const per = currentTarget.value as Limit['per'];
              onChange({ per, ...(per === 'order' && { unit: 'usd' }) });
            }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            className="target"
            aria-label={`Remove limit ${number}`}
            onClick={onRemove}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      </Group>
    </Fieldset>
  );
}
