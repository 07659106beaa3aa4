import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import type { useFilters } from '../../../parts/useFilters.ts';
import { statusLabel } from '../../../subjects/webhooks/DeliveryStatus.tsx';
import { clock } from '../../api/sandbox.ts';
import { deliveryStatuses } from '../../api/webhooks.ts';

const HOUR_MS = 3_600_000;
const agos = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
const times = [
  { value: '', label: 'Any time' },
  { value: 'hour', label: 'Since an hour ago' },
  { value: 'day', label: 'Since a day ago' },
  { value: 'week', label: 'Since a week ago' },
  { value: 'chosen', label: 'Between two times' },
];

interface DeliveryFiltersProps {
  mode: Mode;
  filters: ReturnType<typeof useFilters>;
  events: readonly string[];
  isHeld: boolean;
}

/** A log's filters. A time that is chosen by its distance is written into the address, so the link keeps its meaning. */
export function DeliveryFilters({ mode, filters: { of, filter }, events, isHeld }: DeliveryFiltersProps) {
  const now = useNow(mode);
  const [from, until] = [of('from'), of('until')];
  const isTimed = from !== undefined || until !== undefined;
  const since = (ms: number) => new Date(now() - ms).toISOString();
  const chooseTime = (chosen: string) =>
    filter({
      from: chosen === '' ? undefined : since(chosen in agos ? agos[chosen as keyof typeof agos] : agos.day),
      until: chosen === 'chosen' ? since(0) : undefined,
    });
  return (
    <Group gap="xs" px="lg" pb="md" align="flex-end">
      <NativeSelect
        label="Status"
        size="xs"
        flex="1 1 9rem"
        maw={220}
        data={[
          { value: '', label: 'All statuses' },
          ...deliveryStatuses.map((value) => ({ value, label: statusLabel(value, isHeld) })),
        ]}
        value={of('status') ?? ''}
        onChange={({ currentTarget }) => filter({ status: currentTarget.value })}
      />
      <NativeSelect
        label="Event"
        size="xs"
        flex="1 1 9rem"
        maw={220}
        data={[{ value: '', label: 'All events' }, ...events]}
        value={of('event') ?? ''}
        onChange={({ currentTarget }) => filter({ event: currentTarget.value })}
      />
      <NativeSelect
        label="Queued"
        size="xs"
        flex="1 1 9rem"
        maw={220}
        data={times}
        value={isTimed ? 'chosen' : ''}
        onChange={({ currentTarget }) => chooseTime(currentTarget.value)}
      />
      {isTimed && (
        <>
          <Moment label="From (UTC)" value={from} onChange={(value) => filter({ from: value })} />
          <Moment label="Until (UTC)" value={until} onChange={(value) => filter({ until: value })} />
        </>
      )}
      {(isTimed || of('status') || of('event')) && (
        <Button
          size="xs"
          variant="default"
          onClick={() => filter({ status: undefined, event: undefined, from: undefined, until: undefined })}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

interface MomentProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** To the minute, in UTC. Taken over when the field is left: while a year is typed, every digit is a time. */
function Moment({ label, value, onChange }: MomentProps) {
  return (
    <TextInput
      key={value}
      type="datetime-local"
      size="xs"
      label={label}
      defaultValue={value?.slice(0, 16)}
      onBlur={({ currentTarget: { value: typed } }) => {
        if (typed !== (value?.slice(0, 16) ?? '')) onChange(typed === '' ? undefined : `${typed}:00Z`);
      }}
    />
  );
}

/** The log is in the account's own time, which a sandbox may have turned ahead. */
function useNow(mode: Mode): () => number {
  const { data } = useQuery({ ...clock, enabled: mode === 'sandbox' });
  const aheadMs = mode === 'sandbox' ? (data?.test_clock.ahead_seconds ?? 0) * 1000 : 0;
  return () => Date.now() + aheadMs;
}
