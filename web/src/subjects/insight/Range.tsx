import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { OrdersInsight } from '../../../../src/entry/panel/insight/insight.ts';
import { Form } from '../../parts/Form.tsx';
import { useFields } from '../../parts/useFields.ts';
import type { Filters } from '../../parts/useFilters.ts';

const DAY_MS = 86_400_000;
const presets = [
  { days: 1, label: 'Today' },
  { days: 7, label: 'Last 7 days' },
  { days: 30, label: 'Last 30 days' },
  { days: 90, label: 'Last 90 days' },
  { days: 365, label: 'Last 365 days' },
] as const;
const steps = [
  { value: '', label: 'Automatic' },
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
];

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

interface RangeProps {
  filters: Filters;
  /** What the figures are for, and the account's today; undefined while they load. */
  shown: Pick<OrdersInsight, 'from' | 'to' | 'today'> | undefined;
  /** There are figures by the hour. */
  isHourly?: boolean;
}

/** Which days the figures are for. They are in the address, so a view can be passed on. */
export function Range({ filters: { of, filter }, shown, isHourly = true }: RangeProps) {
  const [from, to] = [of('from') ?? shown?.from ?? '', of('to') ?? shown?.to ?? ''];
  const form = useFields({ from, to });
  const today = shown?.today;
  const days = from && to ? (Date.parse(to) - Date.parse(from)) / DAY_MS + 1 : undefined;
  const preset = to === today && presets.some((one) => one.days === days) ? String(days) : 'other';
  return (
    <Form
      ref={form}
      aria-label="Days shown"
      onSubmit={(typed) => {
        filter({ from: String(typed.get('from')), to: String(typed.get('to')), per: undefined });
      }}
    >
      <Group gap="xs" align="flex-end">
        <NativeSelect
          size="xs"
          label="Days"
          value={preset}
          data={[
            ...presets.map((one) => ({ value: String(one.days), label: one.label })),
            ...(preset === 'other' ? [{ value: 'other', label: 'As typed' }] : []),
          ]}
          onChange={({ currentTarget: { value } }) => {
            if (today !== undefined && value !== 'other')
              filter({ from: daysBefore(today, Number(value) - 1), to: today, per: undefined });
          }}
        />
        <TextInput name="from" type="date" size="xs" label="First day (UTC)" required withAsterisk={false} />
        <TextInput name="to" type="date" size="xs" label="Last day (UTC)" required withAsterisk={false} />
        <Button type="submit" size="xs" variant="default">
          Show
        </Button>
        <NativeSelect
          size="xs"
          label="A bar for each"
          value={of('per') ?? ''}
          data={steps.filter(({ value }) => isHourly || value !== 'hour')}
          onChange={({ currentTarget: { value } }) => filter({ per: value })}
        />
      </Group>
    </Form>
  );
}
