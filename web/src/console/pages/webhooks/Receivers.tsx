import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ReceiversView } from '../../../../../src/entry/console/system/webhooks.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconCheck } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import type { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import { type DeadFilter, deadFilters, type Receiver } from '../../api/service.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { outcome } from './outcome.ts';
import { Requeue } from './Requeue.tsx';

interface ReceiversProps {
  query: UseQueryResult<ReceiversView>;
  filters: ReturnType<typeof useFilters>;
  filter: DeadFilter;
  events: readonly string[];
}

/** Dead letters by receiver, and the filters for these and the list below. */
export function Receivers({ query, filters, filter, events }: ReceiversProps) {
  const may = useMay();
  const isFiltered = deadFilters.some((name) => filter[name] !== undefined);
  return (
    <Section
      title="Dead letters by receiver"
      about="Events we gave up on after the last attempt. The filters also apply to the list below."
      actions={
        may('support') &&
        query.data?.receivers.length !== 0 && (
          <Requeue filter={filter} label={isFiltered ? 'Send these again' : 'Send all again'} />
        )
      }
      flush
    >
      <ListFilters
        list="dead-letters"
        filters={filters}
        fields={[
          { name: 'receiver', label: 'Receiver', kind: 'text', placeholder: 'hooks.example.com' },
          { name: 'partner', label: 'Partner id', kind: 'text', isNumber: true },
          { name: 'event', label: 'Event', kind: 'choice', choices: events },
          { name: 'from', label: 'Given up from (UTC)', kind: 'minute' },
          { name: 'to', label: 'Before (UTC)', kind: 'minute' },
        ]}
      />
      <Loaded query={query}>
        {({ receivers }) =>
          receivers.length === 0 ? (
            <Empty icon={IconCheck} title={isFiltered ? 'No dead letters match' : 'No dead letters'} />
          ) : (
            <DataTable
              label="Receivers"
              columns={columns(filters)}
              rows={receivers}
              rowKey={({ receiver }) => receiver}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const columns = (filters: ReceiversProps['filters']): Column<Receiver>[] => [
  { label: 'Receiver', cell: ({ receiver }) => <span className="mono">{receiver}</span> },
  {
    label: 'Dead letters',
    kind: 'figure',
    cell: ({ dead, has_more }) => (
      <span className="num">
        {dead.toLocaleString('en-US')}
        {has_more && ' or more'}
      </span>
    ),
  },
  { label: 'Partners', cell: (row) => <Partners of={row} /> },
  { label: 'Latest', cell: ({ latest_at }) => <When at={latest_at} never="Long ago" /> },
  { label: 'What came back', cell: (row) => outcome(row.latest_http_status, row.latest_error) },
  {
    label: 'Show',
    kind: 'actions',
    cell: ({ receiver }) => (
      <Button
        size="xs"
        variant="default"
        onClick={() => filters.filter({ receiver })}
        aria-label={`Show only this: ${receiver}`}
      >
        Show only this
      </Button>
    ),
  },
];

const MOST_NAMED = 3;

function Partners({ of: { subscriptions } }: { of: Receiver }) {
  const partners = [...new Map(subscriptions.map(({ partner_id, partner }) => [partner_id, partner]))];
  return (
    <Stack gap={2}>
      {partners.slice(0, MOST_NAMED).map(([id, name]) => (
        <Group key={id} gap={4}>
          <Anchor component={Link} to={paths.partner(id)} size="sm">
            {name}
          </Anchor>
        </Group>
      ))}
      {partners.length > MOST_NAMED && (
        <Text size="xs" c="dimmed">
          and {partners.length - MOST_NAMED} more
        </Text>
      )}
    </Stack>
  );
}
