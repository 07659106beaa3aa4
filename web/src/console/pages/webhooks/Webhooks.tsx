import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Choice } from '../../../parts/Choice.tsx';
import { Page } from '../../../parts/Page.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { useFilters } from '../../../parts/useFilters.ts';
import { type DeadFilter, deadFilters, deadLetters, receivers } from '../../api/service.ts';
import { useMay } from '../../useMay.ts';
import { DeadLetters } from './DeadLetters.tsx';
import { PruneBodies } from './PruneBodies.tsx';
import { Receivers } from './Receivers.tsx';
import { SlowReceivers } from './SlowReceivers.tsx';
import { StoppedSubscriptions } from './StoppedSubscriptions.tsx';

const PER_PAGE = 50;
const EVERY_MS = 15_000;

/** Webhooks in trouble, of all partners. */
export function Webhooks() {
  const may = useMay();
  const filters = useFilters();
  const size = pageSize(filters, PER_PAGE);
  const mode = filters.of('mode') === 'sandbox' ? 'sandbox' : 'live';
  const filter: DeadFilter = { mode, ...Object.fromEntries(deadFilters.map((name) => [name, filters.of(name)])) };
  const groups = useQuery({ ...receivers(filter), refetchInterval: EVERY_MS });
  const page = { before: filters.of('before'), limit: size.value };
  const letters = useQuery({ ...deadLetters({ ...filter, ...page }), refetchInterval: EVERY_MS });
  return (
    <Page
      title="Webhooks"
      about="Stopped subscriptions, dead letters and slow receivers."
      actions={
        <Choice
          label="World"
          value={mode}
          onChange={(next) => filters.filter({ mode: next === 'live' ? undefined : next })}
          options={[
            { value: 'live', label: 'Live' },
            { value: 'sandbox', label: 'Sandbox' },
          ]}
        />
      }
    >
      <Stack gap="lg">
        <StoppedSubscriptions mode={mode} />
        <Receivers query={groups} filters={filters} filter={filter} events={letters.data?.events ?? []} />
        <DeadLetters query={letters} filters={filters} size={size} />
        <SlowReceivers mode={mode} />
        {may('manage') && <PruneBodies />}
      </Stack>
    </Page>
  );
}
