import { Button, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { DeadView } from '../../../../../src/entry/console/system/webhooks.ts';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconMailOff } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import type { PageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import type { Filters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { useAction } from '../../api/actions.ts';
import { type DeadLetter, webhooksKey } from '../../api/service.ts';
import { useMay } from '../../useMay.ts';
import { Address } from './Address.tsx';
import { outcome } from './outcome.ts';

interface DeadLettersProps {
  query: UseQueryResult<DeadView>;
  filters: Filters;
  size: PageSize;
}

export function DeadLetters({ query, filters, size }: DeadLettersProps) {
  const may = useMay();
  const requeue = useAction('webhook requeue', webhooksKey);
  const actions: Column<DeadLetter> = {
    label: 'Actions',
    kind: 'actions',
    cell: ({ id }) => (
      <Button
        size="xs"
        variant="default"
        loading={requeue.isPending && requeue.variables.id === id}
        onClick={() => requeue.mutate({ id })}
        aria-label={`Send again: delivery ${id}`}
      >
        Send again
      </Button>
    ),
  };
  return (
    <Section title="Dead letters" about="The latest first." flush>
      {requeue.error !== null && <Problem error={requeue.error} />}
      <Loaded query={query} lines={6}>
        {({ letters, has_more }) => (
          <>
            {letters.length === 0 ? (
              <Empty icon={IconMailOff} title={filters.of('before') ? 'No older ones' : 'None'} />
            ) : (
              <DataTable
                label="Dead letters"
                columns={may('support') ? [...columns, actions] : columns}
                rows={letters}
                rowKey={({ id }) => id}
              />
            )}
            <OlderPager
              shown={[letters.length, 'delivery', 'deliveries']}
              size={size}
              isFurther={filters.of('before') !== undefined}
              hasMore={has_more}
              onNewest={() => filters.goBefore(undefined)}
              onOlder={() => filters.goBefore(letters.at(-1)?.place)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<DeadLetter>[] = [
  {
    label: 'Event',
    cell: ({ id, event }) => (
      <Stack gap={2}>
        <span className="mono" style={{ whiteSpace: 'nowrap' }}>
          {event}
        </span>
        <Text size="xs" c="dimmed">
          Delivery {id}
        </Text>
      </Stack>
    ),
  },
  { label: 'Sent to', card: 'line', cell: (row) => <Address of={row} /> },
  {
    label: 'What came back',
    cell: ({ http_status, error, attempts }) => (
      <Stack gap={2}>
        <span>{outcome(http_status, error)}</span>
        <Text size="xs" c="dimmed">
          {count(attempts, 'attempt')}
        </Text>
      </Stack>
    ),
  },
  { label: 'Given up', cell: ({ died_at }) => <When at={died_at} never="Not recorded" /> },
];
