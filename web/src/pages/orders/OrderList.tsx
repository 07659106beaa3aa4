import { Badge, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type OrderRow, orders, type SoughtOrders } from '../../api/orders.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Money } from '../../components/Money.tsx';
import { OlderPager } from '../../components/OlderPager.tsx';
import { RowLink } from '../../components/RowLink.tsx';
import { When } from '../../components/When.tsx';
import { type Mode, paths } from '../../paths.ts';
import { OrderStatus } from './OrderStatus.tsx';

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
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  return (
    <Loaded query={found} lines={5}>
      {({ order, has_more }) => (
        <>
          {order.length > 0 ? (
            <DataTable label="Orders" columns={columns(mode)} rows={order} rowKey={({ id }) => id} />
          ) : (
            none
          )}
          {goBefore && (
            <OlderPager
              isFurther={sought.before_id !== undefined}
              hasMore={has_more}
              onNewest={() => goBefore(undefined)}
              onOlder={() => goBefore(order.at(-1)?.id)}
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
    cell: ({ id }) => <RowLink to={paths.order(mode, id)}>{id}</RowLink>,
  },
  {
    label: 'Plan',
    cell: ({ country_image, title_display, product_type, reference }) => (
      <Stack gap={2} maw={240}>
        <Group gap="xs" wrap="nowrap">
          {country_image && <img src={country_image} width={20} height={15} alt="" className="flag" />}
          <Text size="sm" span>
            {title_display}
          </Text>
        </Group>
        {product_type === 'refill' && <Badge color="gray">Refill</Badge>}
        {reference && (
          <Text c="dimmed" className="mono" span>
            {reference}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    label: 'Status',
    cell: (row) => (
      <Stack gap={4} align="flex-start">
        <OrderStatus status={row.status} />
        <Refunded of={row} />
      </Stack>
    ),
  },
  {
    label: 'ICCID',
    cell: ({ esim }) => (esim.iccid ? <RowLink to={paths.esim(mode, esim.iccid)}>{esim.iccid}</RowLink> : '–'),
  },
  { label: 'Date (UTC)', cell: ({ date }) => <When at={date} /> },
  { label: 'Price', kind: 'figure', cell: ({ sale_price }) => <Money amount={sale_price} /> },
];

/** A failed order's charge always goes back, which its status says already. */
function Refunded({ of: { status, refunded, sale_price } }: { of: OrderRow }) {
  if (status === '2' || Number(refunded) === 0) return null;
  return <Badge color="gray">{Number(refunded) < Number(sale_price) ? 'Refunded in part' : 'Refunded'}</Badge>;
}
