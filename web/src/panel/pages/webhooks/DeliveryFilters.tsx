import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import type { Filters, FilterValues } from '../../../parts/useFilters.ts';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import { statusLabel } from '../../../subjects/webhooks/DeliveryStatus.tsx';
import { clock } from '../../api/sandbox.ts';
import { deliveryStatuses } from '../../api/webhooks.ts';

const HOUR_MS = 3_600_000;
const agos = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
const times = [
  { value: 'hour', label: 'Since an hour ago' },
  { value: 'day', label: 'Since a day ago' },
  { value: 'week', label: 'Since a week ago' },
  { value: 'chosen', label: 'Between two times' },
];

const moments = [
  { name: 'from', label: 'From (UTC)', kind: 'minute' },
  { name: 'until', label: 'Until (UTC)', kind: 'minute' },
] as const;

interface DeliveryFiltersProps {
  mode: Mode;
  filters: Filters;
  events: readonly string[];
  isHeld: boolean;
}

/** A log's filters. A relative time (“last hour”) is written into the address as an absolute one, so the link keeps its meaning. */
export function DeliveryFilters({ mode, filters: { of, filter }, events, isHeld }: DeliveryFiltersProps) {
  const now = useNow(mode);
  const isTimed = of('from') !== undefined || of('until') !== undefined;
  const since = (ms: number) => new Date(now() - ms).toISOString();
  const timesOf = (chosen: string | undefined) => ({
    from: chosen ? since(chosen in agos ? agos[chosen as keyof typeof agos] : agos.day) : undefined,
    until: chosen === 'chosen' ? since(0) : undefined,
  });
  const filters = {
    of: (name: string) => {
      if (name === 'queued') return isTimed ? 'chosen' : undefined;
      return name === 'from' || name === 'until' ? of(name)?.slice(0, 16) : of(name);
    },
    filter: ({ queued, ...values }: FilterValues, how?: 'further') => {
      const whole = Object.entries(values).map(([name, value]) => [
        name,
        value && (name === 'from' || name === 'until') ? `${value}:00Z` : value,
      ]);
      filter({ ...(queued !== undefined && timesOf(queued)), ...Object.fromEntries(whole) }, how);
    },
  };
  const statuses = deliveryStatuses.map((value) => ({ value, label: statusLabel(value, isHeld) }));
  return (
    <ListFilters
      list="deliveries"
      filters={filters}
      fields={[
        { name: 'status', label: 'Status', kind: 'choice', choices: statuses },
        { name: 'event', label: 'Event', kind: 'choice', choices: events },
        { name: 'queued', label: 'Queued', kind: 'choice', choices: times },
        ...(isTimed ? moments : []),
      ]}
      names={['status', 'event', 'from', 'until']}
    />
  );
}

/** The log is in the account's own time, which is ahead if its sandbox clock was moved. */
function useNow(mode: Mode): () => number {
  const { data } = useQuery({ ...clock, enabled: mode === 'sandbox' });
  const aheadMs = mode === 'sandbox' ? (data?.test_clock.ahead_seconds ?? 0) * 1000 : 0;
  return () => Date.now() + aheadMs;
}
