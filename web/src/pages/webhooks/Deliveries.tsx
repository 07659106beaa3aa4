import { Anchor, Button, Group, NativeSelect } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type Delivery, deliveries, deliveryStatuses, MAX_DELIVERIES } from '../../api/webhooks.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import type { Mode } from '../../paths.ts';
import { DeliveryDrawer } from './DeliveryDrawer.tsx';
import { DeliveryStatus, statusLabel } from './DeliveryStatus.tsx';

const STEP = 25;
/** Deliveries happen in the background; while the page is open, the log follows them. */
const EVERY_MS = 5_000;

interface DeliveriesProps {
  mode: Mode;
  subscriptionId: string;
  /** The subscription is paused or disabled: nothing is sent until it is resumed. */
  isHeld: boolean;
}

export function Deliveries({ mode, subscriptionId, isHeld }: DeliveriesProps) {
  const [search, setSearch] = useSearchParams();
  const [limit, setLimit] = useState(STEP);
  const status = search.get('status') ?? '';
  const found = useQuery({
    ...deliveries(mode, subscriptionId, status || undefined, limit),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  const filter = (
    <NativeSelect
      aria-label="Status"
      size="xs"
      data={[
        { value: '', label: 'All statuses' },
        ...deliveryStatuses.map((value) => ({ value, label: statusLabel(value, isHeld) })),
      ]}
      value={status}
      onChange={({ currentTarget: { value } }) => setSearch(value ? { status: value } : {}, { replace: true })}
    />
  );
  return (
    <Section title="Deliveries" about="Newest first." actions={filter} flush>
      <Loaded query={found} lines={5}>
        {({ deliveries: rows }) => (
          <>
            {rows.length === 0 ? (
              <Empty icon={IconWebhook} title="No deliveries yet">
                {status === ''
                  ? 'Send a test event or place an order to see its deliveries here.'
                  : 'No deliveries have this status.'}
              </Empty>
            ) : (
              <DataTable label="Deliveries" columns={columns(isHeld)} rows={rows} rowKey={({ id }) => id} />
            )}
            {rows.length === limit && limit < MAX_DELIVERIES && (
              <Group justify="center" p="md">
                <Button variant="default" size="xs" onClick={() => setLimit(Math.min(limit * 2, MAX_DELIVERIES))}>
                  Show more
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
      <DeliveryDrawer mode={mode} isHeld={isHeld} />
    </Section>
  );
}

const columns = (isHeld: boolean): Column<Delivery>[] => [
  { label: 'Delivery', cell: ({ id }) => <Open id={id} /> },
  { label: 'Event', cell: ({ event_type }) => <span className="mono">{event_type}</span> },
  { label: 'Order', cell: ({ sale_id }) => <span className="mono">{sale_id === '0' ? '–' : sale_id}</span> },
  { label: 'Status', cell: ({ status }) => <DeliveryStatus status={status} isHeld={isHeld} /> },
  { label: 'HTTP', kind: 'figure', cell: ({ http_code }) => <span className="num">{http_code || '–'}</span> },
  {
    label: 'Attempts',
    kind: 'figure',
    cell: (row) => <span className="num">{`${row.attempts}/${row.max_attempts}`}</span>,
  },
  { label: 'Queued (UTC)', cell: ({ date }) => <When at={date} /> },
];

/** The open delivery is part of the address, so it can be linked to. */
function Open({ id }: { id: string }) {
  const [search] = useSearchParams();
  const to = new URLSearchParams(search);
  to.set('delivery', id);
  return (
    <Anchor component={Link} to={`?${to}`} preventScrollReset className="mono">
      {id}
    </Anchor>
  );
}
