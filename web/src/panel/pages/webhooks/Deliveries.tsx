import { Anchor } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconWebhook } from '../../../parts/icons.ts';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import type { PageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import type { Filters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { StatusAndNext } from '../../../subjects/webhooks/DeliveryStatus.tsx';
import type { Delivery } from '../../../subjects/webhooks/webhooks.ts';
import type { DeliveryFilter } from '../../api/webhooks.ts';
import { useMay } from '../../useMay.ts';
import { DeliveryFilters } from './DeliveryFilters.tsx';
import { ResendMatching } from './ResendMatching.tsx';

interface DeliveriesProps {
  mode: Mode;
  subscriptionId: string;
  rows: readonly Delivery[];
  hasMore: boolean;
  filters: Filters;
  size: PageSize;
  filter: DeliveryFilter;
  events: readonly string[];
  /** The subscription is paused or disabled: nothing is sent until it is active again. */
  isHeld: boolean;
}

/** A subscription's log, newest first. */
export function Deliveries({ mode, rows, hasMore, filters, size, filter, events, ...of }: DeliveriesProps) {
  const may = useMay();
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Section
      title="Deliveries"
      about="Newest first."
      actions={
        // Also without rows: what was just sent again may no longer match, and its confirmation is shown here.
        may('develop') &&
        filter.status !== 'pending' && (
          <ResendMatching mode={mode} id={of.subscriptionId} filter={filter} isHeld={of.isHeld} />
        )
      }
      flush
    >
      <DeliveryFilters mode={mode} filters={filters} events={events} isHeld={of.isHeld} />
      {rows.length === 0 ? (
        <Empty icon={IconWebhook} title={isFiltered ? 'No deliveries found' : 'No deliveries'}>
          {isFiltered ? 'None match these filters.' : 'Send a test event or place an order to see its deliveries here.'}
        </Empty>
      ) : (
        <DataTable label="Deliveries" columns={columns} rows={rows} rowKey={({ id }) => id} />
      )}
      <OlderPager
        shown={[rows.length, 'delivery', 'deliveries']}
        size={size}
        isFurther={filters.of('before') !== undefined}
        hasMore={hasMore}
        onNewest={() => filters.goBefore(undefined)}
        onOlder={() => filters.goBefore(rows.at(-1)?.id)}
      />
    </Section>
  );
}

const columns: Column<Delivery>[] = [
  { label: 'Delivery', card: 'title', cell: ({ id }) => <Open id={id} /> },
  { label: 'Event', cell: ({ event }) => <span className="mono">{event}</span> },
  { label: 'Order', cell: ({ order_id }) => order_id && <span className="mono">{order_id}</span> },
  { label: 'Status', cell: (row) => <StatusAndNext of={row} /> },
  {
    label: 'HTTP',
    kind: 'figure',
    cell: ({ http_status }) => http_status && <span className="num">{http_status}</span>,
  },
  {
    label: 'Attempts',
    kind: 'figure',
    card: 'fact',
    cell: ({ attempts, tries }) => <span className="num">{attempts + tries}</span>,
  },
  { label: 'Queued', cell: ({ created_at }) => <When at={created_at} /> },
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
