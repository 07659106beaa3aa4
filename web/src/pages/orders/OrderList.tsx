import { Anchor, Group, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { type OrderRow, orders } from '../../api/orders.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Money } from '../../components/Money.tsx';
import { Pager } from '../../components/Pager.tsx';
import { When } from '../../components/When.tsx';
import { type Mode, paths } from '../../paths.ts';
import { FirstOrder } from './FirstOrder.tsx';
import { OrderStatus } from './OrderStatus.tsx';

interface OrderListProps {
  mode: Mode;
  page: number;
  limit: number;
  /** Without it there is no pager. */
  onPage?: (page: number) => void;
}

/** New orders and deliveries show up by themselves. */
const EVERY_MS = 15_000;

export function OrderList({ mode, page, limit, onPage }: OrderListProps) {
  const found = useQuery({
    ...orders(mode, page, limit),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  return (
    <Loaded query={found} lines={5}>
      {({ order }) => (
        <>
          {order.length > 0 && (
            <DataTable label="Orders" columns={columns(mode)} rows={order} rowKey={({ id }) => id} />
          )}
          {order.length === 0 && page === 1 && <FirstOrder mode={mode} />}
          {order.length === 0 && page > 1 && <Empty icon={IconFileText} title="No older orders" />}
          {onPage && <Pager page={page} full={order.length === limit} onPage={onPage} />}
        </>
      )}
    </Loaded>
  );
}

const columns = (mode: Mode): Column<OrderRow>[] => [
  {
    label: 'Order',
    cell: ({ id }) => <Open mode={mode} id={id} />,
  },
  {
    label: 'Plan',
    cell: ({ country_image, title_display }) => (
      <Group gap="xs" wrap="nowrap">
        {country_image && <img src={country_image} width={20} height={15} alt="" className="flag" />}
        <Text size="sm" span>
          {title_display}
        </Text>
      </Group>
    ),
  },
  { label: 'Status', cell: ({ status }) => <OrderStatus status={status} /> },
  { label: 'ICCID', cell: ({ esim }) => <span className="mono">{esim.iccid || '–'}</span> },
  { label: 'Date (UTC)', cell: ({ date }) => <When at={date} /> },
  { label: 'Price', kind: 'figure', cell: ({ sale_price }) => <Money amount={sale_price} /> },
];

/** Remembers the list's page, for the way back. */
function Open({ mode, id }: { mode: Mode; id: string }) {
  const { pathname, search } = useLocation();
  return (
    <Anchor component={Link} to={paths.order(mode, id)} state={{ from: pathname + search }} className="mono">
      {id}
    </Anchor>
  );
}
