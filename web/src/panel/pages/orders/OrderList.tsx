import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { RowLink } from '../../../parts/RowLink.tsx';
import { When } from '../../../parts/When.tsx';
import { OrderStatus } from '../../../subjects/orders/OrderStatus.tsx';
import { PlanCell } from '../../../subjects/orders/PlanCell.tsx';
import { type OrderRow, orders, type SoughtOrders } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { outcomeOf } from './outcome.ts';

interface OrderListProps {
  mode: Mode;
  sought?: SoughtOrders;
  limit: number;
  /** Without it there is no pager. */
  goBefore?: (id: string | undefined) => void;
  /** Shown in place of an empty list. */
  none: ReactNode;
}

/** New orders and deliveries show up by themselves. */
const EVERY_MS = 15_000;

export function OrderList({ mode, sought = {}, limit, goBefore, none }: OrderListProps) {
  const found = useQuery({
    ...orders(mode, sought, limit),
    // Rows of the other world must not be taken for this one's.
    placeholderData: (last, of) => (of?.queryKey[0] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  return (
    <Loaded query={found} lines={5}>
      {({ orders: rows, has_more, looked_to }) => (
        <>
          {rows.length > 0 ? (
            <DataTable label="Orders" columns={columns(mode)} rows={rows} rowKey={({ id }) => id} />
          ) : (
            looked_to === null && none
          )}
          {looked_to !== null && goBefore && (
            <Group px="lg" py="md" gap="sm">
              <Text size="sm" c="dimmed">
                Orders can’t be looked up by their key, so we went through 5,000 of them, back to order {looked_to}.
              </Text>
              <Button size="xs" variant="default" onClick={() => goBefore(looked_to)}>
                Look further back
              </Button>
            </Group>
          )}
          {goBefore && (
            <OlderPager
              isFurther={sought.before !== undefined}
              hasMore={has_more}
              onNewest={() => goBefore(undefined)}
              onOlder={() => goBefore(rows.at(-1)?.id)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

const columns = (mode: Mode): Column<OrderRow>[] => [
  {
    label: 'Order',
    card: 'title',
    cell: ({ id }) => <RowLink to={paths.order(mode, id)}>{id}</RowLink>,
  },
  {
    label: 'Plan',
    card: 'line',
    cell: (order) => <PlanCell of={order} />,
  },
  { label: 'Status', cell: ({ state }) => <OrderStatus state={state} /> },
  {
    label: 'ICCID',
    card: 'none',
    cell: ({ iccid }) => iccid && <RowLink to={paths.esim(mode, iccid)}>{iccid}</RowLink>,
  },
  { label: 'Date (UTC)', card: 'small', cell: ({ created_at }) => <When at={created_at} /> },
  { label: 'Price', kind: 'figure', cell: (row) => <Price of={row} /> },
];

/** The price, and what became of it where that is not simply charged. */
function Price({ of }: { of: OrderRow }) {
  const outcome = outcomeOf(of);
  return (
    <Stack gap={0} align="flex-end">
      <Money amount={of.price} />
      {outcome !== 'charged' && (
        <Text size="xs" c="dimmed" span style={{ whiteSpace: 'nowrap' }}>
          {outcome === 'not charged' && 'Not charged'}
          {outcome === 'returned' && 'All refunded'}
          {outcome === 'partly' && (
            <>
              <Money amount={of.returned} /> refunded
            </>
          )}
        </Text>
      )}
    </Stack>
  );
}
