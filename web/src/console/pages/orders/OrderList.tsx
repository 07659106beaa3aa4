import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Column } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconFileText } from '../../../parts/icons.ts';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { pageSize } from '../../../parts/pageSize.ts';
import type { Filters } from '../../../parts/useFilters.ts';
import { OrderList as List } from '../../../subjects/orders/OrderList.tsx';
import { type OrderRow, orderFilters, orders } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { Cost } from '../catalog/Cost.tsx';

const PER_PAGE = 30;
/** New orders and deliveries show up by themselves. */
const EVERY_MS = 15_000;

export function OrderList({ mode, filters }: { mode: Mode; filters: Filters }) {
  const { of, goBefore } = filters;
  const size = pageSize(filters, PER_PAGE);
  const query = Object.fromEntries([...orderFilters, 'before'].map((name) => [name, of(name)]));
  const found = useQuery({
    ...orders(mode, { ...query, limit: size.value }),
    // Rows of the other world must not be taken for this one's.
    placeholderData: (last, query) => (query?.queryKey[2] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  return (
    <List
      found={found}
      size={size}
      to={({ id }) => paths.order(id, mode)}
      toBatch={(id) => paths.batch(id, mode)}
      // A batch is of one partner: only other filters may have a part of it.
      isFolded={!orderFilters.some((name) => name !== 'partner' && of(name) !== undefined)}
      first={[partner]}
      middle={[supplier]}
      last={[margin]}
      afterStatus={({ state, overdue_at, held }) => (
        <>
          {held !== null && <Badge color="red">Held</Badge>}
          {overdue_at !== null && (state === 'paid' || state === 'deferred') && <Badge color="red">Overdue</Badge>}
        </>
      )}
      afterPrice={({ refunded }) =>
        Number(refunded) > 0 && (
          <>
            <Money amount={refunded} /> refunded
          </>
        )
      }
      stopped={(at) =>
        `These filters have no index over all partners, so we looked through the newest orders only, back to order ${at}.`
      }
      isFurther={of('before') !== undefined}
      goBefore={goBefore}
      none={<None isFiltered={orderFilters.some(of)} />}
    />
  );
}

const None = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty icon={IconFileText} title={isFiltered ? 'No order matches' : 'No orders yet'}>
    {isFiltered ? 'Change or clear the filters.' : 'Orders appear here as soon as a partner buys something.'}
  </Empty>
);

const partner: Column<OrderRow> = {
  label: 'Partner',
  card: 'fact',
  cell: ({ partner: { id, name } }) => (
    <Anchor component={Link} to={paths.partner(id)} size="sm">
      {name}
    </Anchor>
  ),
};

const margin: Column<OrderRow> = {
  label: 'Margin',
  kind: 'figure',
  card: 'fact',
  cell: (order) =>
    order.margin !== null &&
    order.bought !== null && (
      <Stack gap={0} align="flex-end">
        <Money amount={order.margin} />
        <Text size="xs" c="dimmed" span style={{ whiteSpace: 'nowrap' }}>
          <Cost amount={order.bought} /> cost
        </Text>
      </Stack>
    ),
};

const supplier: Column<OrderRow> = {
  label: 'Supplier',
  card: 'fact',
  cell: ({ supplier: of, is_routed }) =>
    is_routed ? (
      <>
        {of} <Badge color="blue">Routed</Badge>
      </>
    ) : (
      of
    ),
};
