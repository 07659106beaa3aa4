import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { RowLink } from '../../../parts/RowLink.tsx';
import type { Filters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { OrderStatus } from '../../../subjects/orders/OrderStatus.tsx';
import { PlanCell } from '../../../subjects/orders/PlanCell.tsx';
import { type OrderRow, orderFilters, orders } from '../../api/orders.ts';
import { paths } from '../../paths.ts';

/** New orders and deliveries show up by themselves. */
const EVERY_MS = 15_000;

export function OrderList({ mode, filters: { of, goBefore } }: { mode: Mode; filters: Filters }) {
  const sought = Object.fromEntries([...orderFilters, 'before'].map((name) => [name, of(name)]));
  const found = useQuery({
    ...orders(mode, sought),
    // Rows of the other world must not be taken for this one's.
    placeholderData: (last, query) => (query?.queryKey[2] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  return (
    <Loaded query={found} lines={5}>
      {({ orders: rows, has_more, looked_to }) => (
        <>
          {rows.length > 0 && <DataTable label="Orders" columns={columns(mode)} rows={rows} rowKey={({ id }) => id} />}
          {rows.length === 0 && looked_to === null && <None isFiltered={orderFilters.some(of)} />}
          {looked_to !== null && (
            <Group px="lg" py="md" gap="sm">
              <Text size="sm" c="dimmed">
                These filters have no index over all partners, so we looked through the newest orders only, back to
                order {looked_to}.
              </Text>
              <Button size="xs" variant="default" onClick={() => goBefore(looked_to)}>
                Look further back
              </Button>
            </Group>
          )}
          <OlderPager
            isFurther={of('before') !== undefined}
            hasMore={has_more}
            onNewest={() => goBefore(undefined)}
            onOlder={() => goBefore(rows.at(-1)?.id)}
          />
        </>
      )}
    </Loaded>
  );
}

const None = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty icon={IconFileText} title={isFiltered ? 'No order matches' : 'No orders yet'}>
    {isFiltered ? 'Change or clear the filters.' : 'Orders appear here as soon as a partner buys something.'}
  </Empty>
);

const columns = (mode: Mode): Column<OrderRow>[] => [
  { label: 'Order', card: 'title', cell: ({ id }) => <RowLink to={paths.order(id, mode)}>{id}</RowLink> },
  {
    label: 'Partner',
    card: 'fact',
    cell: ({ partner }) => (
      <Anchor component={Link} to={paths.partner(partner.id)} size="sm">
        {partner.name}
      </Anchor>
    ),
  },
  {
    label: 'Plan',
    card: 'line',
    cell: (order) => <PlanCell of={order} />,
  },
  {
    label: 'Status',
    card: 'state',
    cell: ({ state, overdue_at }) => (
      <Stack gap={4} align="flex-start">
        <OrderStatus state={state} />
        {overdue_at !== null && (state === 'paid' || state === 'deferred') && <Badge color="red">Overdue</Badge>}
      </Stack>
    ),
  },
  { label: 'Supplier', card: 'fact', cell: ({ supplier }) => supplier },
  { label: 'Date (UTC)', card: 'small', cell: ({ created_at }) => <When at={created_at} /> },
  {
    label: 'Price',
    kind: 'figure',
    cell: ({ price, refunded }) => (
      <Stack gap={0} align="flex-end">
        <Money amount={price} />
        {Number(refunded) > 0 && (
          <Text size="xs" c="dimmed" span style={{ whiteSpace: 'nowrap' }}>
            <Money amount={refunded} /> refunded
          </Text>
        )}
      </Stack>
    ),
  },
];
