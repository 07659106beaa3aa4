import { Anchor, Badge, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconListDetails } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import type { Query } from '../../../parts/server/client.ts';
import type { Filters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { type RequestRow, requestFilters, requests } from '../../api/requests.ts';
import { paths } from '../../paths.ts';
import { RequestFilters } from './RequestFilters.tsx';
import { RequestStatus } from './RequestStatus.tsx';

const PER_PAGE = 50;
/** A call is in the log a second after its answer. */
const EVERY_MS = 5_000;

export function RequestList({ mode, filters, query }: { mode: Mode; filters: Filters; query: Query }) {
  const size = pageSize(filters, PER_PAGE);
  const found = useQuery({
    ...requests(mode, { ...query, limit: size.value }),
    // Rows of the other world must not be taken for this one's.
    placeholderData: (last, of) => (of?.queryKey[0] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  const isFiltered = requestFilters.some((name) => query[name] !== undefined);
  return (
    <Section title="Calls" flush>
      <RequestFilters filters={filters} offered={found.data} />
      <Loaded query={found} lines={6}>
        {({ requests: rows, has_more, kept }) => (
          <>
            {rows.length > 0 ? (
              <DataTable label="API calls" columns={columns(mode)} rows={rows} rowKey={({ id }) => id} />
            ) : (
              <Empty
                icon={IconListDetails}
                title={isFiltered ? 'No calls match' : `No calls in the last ${count(kept.days, 'day')}`}
              >
                {isFiltered
                  ? 'Change or clear the filters to see other calls.'
                  : `A call with one of your ${mode} keys is listed here a second after its answer.`}
              </Empty>
            )}
            <OlderPager
              shown={[rows.length, 'call']}
              size={size}
              isFurther={query.before !== undefined}
              hasMore={has_more}
              onNewest={() => filters.goBefore(undefined)}
              onOlder={() => filters.goBefore(rows.at(-1)?.id)}
            />
            <Text size="xs" c="dimmed" px="lg" pb="lg" pt="xs" maw={720}>
              We keep {kept.days} days, and your latest {kept.calls.toLocaleString('en-US')} calls at most. If you make
              more than 125 calls a second for long, some reads and refusals are left out. Calls without a valid key or
              with a body we can’t read belong to no account, so they are not listed.
            </Text>
          </>
        )}
      </Loaded>
    </Section>
  );
}

const columns = (mode: Mode): Column<RequestRow>[] => [
  { label: 'Call', cell: (row) => <Open of={row} /> },
  { label: 'Status', cell: (row) => <RequestStatus of={row} /> },
  {
    label: 'Error',
    cell: ({ error, is_simulated }) =>
      error === '' ? (
        '–'
      ) : (
        <Group gap={6}>
          <span className="mono">{error}</span>
          {is_simulated && <Badge color="gray">Simulated</Badge>}
        </Group>
      ),
  },
  {
    label: 'Key',
    cell: ({ key }) => <span className={key.name === '' ? 'mono' : undefined}>{key.name || key.mask}</span>,
  },
  {
    label: 'Order',
    cell: ({ order_id }) =>
      order_id === null ? (
        '–'
      ) : (
        <Anchor component={Link} to={paths.order(mode, order_id)} className="mono">
          {order_id}
        </Anchor>
      ),
  },
  { label: 'Time', cell: ({ at }) => <When at={at} /> },
  {
    label: 'Duration',
    kind: 'figure',
    card: 'fact',
    cell: ({ duration_ms }) => <span className="num">{duration_ms} ms</span>,
  },
];

/** The open call is part of the address, so it can be linked to. */
function Open({ of: { request_id, method, endpoint } }: { of: RequestRow }) {
  const [search] = useSearchParams();
  const to = new URLSearchParams(search);
  to.set('request', request_id);
  return (
    <Anchor component={Link} to={`?${to}`} preventScrollReset className="mono">
      {method} {endpoint}
    </Anchor>
  );
}
