import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { DeadView } from '../../../../../src/console/webhooks.ts';
import { type Column, DataTable } from '../../../components/DataTable.tsx';
import { Empty } from '../../../components/Empty.tsx';
import { Loaded } from '../../../components/Loaded.tsx';
import { OlderPager } from '../../../components/OlderPager.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { Section } from '../../../components/Section.tsx';
import { When } from '../../../components/When.tsx';
import type { useFilters } from '../../../useFilters.ts';
import { useRun } from '../../api/run.ts';
import { type DeadLetter, webhooksKey } from '../../api/service.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { outcome } from './outcome.ts';

interface DeadLettersProps {
  query: UseQueryResult<DeadView>;
  filters: ReturnType<typeof useFilters>;
}

export function DeadLetters({ query, filters }: DeadLettersProps) {
  const may = useMay();
  const requeue = useRun('webhook requeue', webhooksKey);
  const actions: Column<DeadLetter> = {
    label: 'Actions',
    kind: 'actions',
    cell: ({ id }) => (
      <Button
        size="xs"
        variant="default"
        loading={requeue.isPending && requeue.variables.id === id}
        onClick={() => requeue.mutate({ id })}
        aria-label={`Send delivery ${id} again`}
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
  { label: 'Delivery', cell: ({ id }) => <span className="mono">{id}</span> },
  { label: 'Event', cell: ({ event }) => <span className="mono">{event}</span> },
  {
    label: 'Partner',
    cell: ({ partner_id, partner }) => (
      <Anchor component={Link} to={paths.partner(partner_id)} size="sm">
        {partner}
      </Anchor>
    ),
  },
  {
    label: 'Sent to',
    card: 'line',
    cell: ({ url, subscription_id }) => (
      <Stack gap={2}>
        <span className="mono">{url}</span>
        <Text size="xs" c="dimmed">
          Subscription {subscription_id}
        </Text>
      </Stack>
    ),
  },
  { label: 'What came back', cell: ({ http_status, error }) => outcome(http_status, error) },
  { label: 'Attempts', kind: 'figure', card: 'fact', cell: ({ attempts }) => <span className="num">{attempts}</span> },
  { label: 'Given up (UTC)', cell: ({ died_at }) => <When at={died_at} never="Not recorded" /> },
];
