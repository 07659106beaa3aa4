import { Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Column } from '../../../parts/DataTable.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { RowLink } from '../../../parts/RowLink.tsx';
import { OrderList as List } from '../../../subjects/orders/OrderList.tsx';
import { OrderStatus } from '../../../subjects/orders/OrderStatus.tsx';
import { type OrderListFilter, type OrderPage, type OrderRow, type OrderState, orders } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { AtTodaysRetail } from '../retail/AtTodaysRetail.tsx';
import { outcomeOf } from './outcome.ts';

interface OrderListProps {
  mode: Mode;
  query?: OrderListFilter;
  limit: number;
  /** Without it there is no pager. */
  goBefore?: (id: string | undefined) => void;
  chooseSize?: (size: number) => void;
  /** Shown in place of an empty list. */
  none: ReactNode;
}

/** New orders and deliveries show up by themselves. */
const EVERY_MS = 15_000;

export function OrderList({ mode, query = {}, limit, goBefore, chooseSize, none }: OrderListProps) {
  const found = useQuery({
    ...orders(mode, query, limit),
    // Rows of the other world must not be taken for this one's.
    placeholderData: (last, of) => (of?.queryKey[0] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  const isFurther = query.before !== undefined;
  const { before: _, ...filters } = query;
  return (
    <OrderLines
      mode={mode}
      found={found}
      isFurther={isFurther}
      goBefore={goBefore}
      size={chooseSize && { value: limit, choose: chooseSize }}
      // A filter asks for orders, and may have only some of a batch.
      isFolded={Object.values(filters).every((filter) => filter === undefined)}
      none={none}
    />
  );
}

interface OrderLinesProps extends Pick<OrderListProps, 'mode' | 'none'> {
  found: UseQueryResult<OrderPage>;
  isFurther?: boolean;
  goBefore?: OrderListProps['goBefore'] | undefined;
  size?: { value: number; choose: (size: number) => void } | undefined;
  /** Orders of one batch are one row. */
  isFolded?: boolean;
}

interface Row extends OrderRow {
  readonly batch?: OrderPage['batches'][number] | undefined;
}

/** The list, given its rows. */
export function OrderLines({
  mode,
  found,
  isFurther = false,
  goBefore,
  size,
  isFolded = false,
  none,
}: OrderLinesProps) {
  const isPriced = found.data?.orders.some(({ retail }) => retail !== null);
  return (
    <>
      <List<Row>
        found={found}
        size={size}
        {...(isFolded && { folded: (rows) => folded(rows, found.data?.batches ?? []) })}
        to={({ id, batch }) => (batch ? `${paths.orders(mode)}?batch=${batch.id}` : paths.order(mode, id))}
        middle={statusAndIccid(mode)}
        afterPrice={afterPrice}
        stopped={(at) =>
          `Orders can’t be looked up by their key, so we went through 5,000 of them, back to order ${at}.`
        }
        isFurther={isFurther}
        goBefore={goBefore}
        none={none}
      />
      {isPriced && <AtTodaysRetail what="Margins are" px="lg" py="sm" />}
    </>
  );
}

/** The first order of each batch of several stands for all of it. */
function folded(rows: readonly Row[], batches: OrderPage['batches']): readonly Row[] {
  const several = new Map(batches.flatMap((batch) => (batch.orders > 1 ? [[batch.id, batch]] : [])));
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const batch = row.batch_id === null ? undefined : several.get(row.batch_id);
    if (!batch) return [row];
    if (seen.has(batch.id)) return [];
    seen.add(batch.id);
    return [{ ...row, batch }];
  });
}

function States({ of }: { of: OrderPage['batches'][number]['states'] }) {
  return (
    <Stack gap={2} align="flex-start">
      {Object.entries(of).map(([state, orders]) => (
        <Group key={state} gap={6} wrap="nowrap">
          <Text size="sm" span className="num">
            {orders}
          </Text>
          <OrderStatus state={state as OrderState} />
        </Group>
      ))}
    </Stack>
  );
}

const statusAndIccid = (mode: Mode): Column<Row>[] => [
  {
    label: 'Status',
    cell: ({ state, batch }) => (batch ? <States of={batch.states} /> : <OrderStatus state={state} />),
  },
  {
    label: 'ICCID',
    card: 'none',
    cell: ({ iccid, batch }) => !batch && iccid && <RowLink to={paths.esim(mode, iccid)}>{iccid}</RowLink>,
  },
];

/** What happened to the price, unless it was simply charged. */
function afterPrice(order: Row): ReactNode {
  if (order.batch) return null;
  const outcome = outcomeOf(order);
  if (outcome === 'charged') return order.retail && <Margin of={order.retail} />;
  if (outcome === 'not charged') return 'Not charged';
  if (outcome === 'returned') return 'All refunded';
  return (
    <>
      <Money amount={order.returned} /> refunded
    </>
  );
}

const Margin = ({ of: { margin } }: { of: NonNullable<OrderRow['retail']> }) => (
  <>
    <Money amount={margin} /> margin
  </>
);
