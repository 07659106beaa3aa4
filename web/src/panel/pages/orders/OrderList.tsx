import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Column } from '../../../parts/DataTable.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import type { PageSize } from '../../../parts/pageSize.ts';
import { RowLink } from '../../../parts/RowLink.tsx';
import { OrderList as List } from '../../../subjects/orders/OrderList.tsx';
import { type OrderListFilter, type OrderPage, type OrderRow, orders } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { AtTodaysRetail } from '../retail/AtTodaysRetail.tsx';
import { outcomeOf } from './outcome.ts';

interface OrderListProps {
  mode: Mode;
  query?: OrderListFilter;
  size: PageSize;
  goBefore: (id: string | undefined) => void;
  /** Before the id of an order. */
  lead?: Column<OrderRow> | undefined;
  /** Shown in place of an empty list. */
  none: ReactNode;
}

/** New orders and deliveries show up by themselves. */
const EVERY_MS = 15_000;

export function useOrders(mode: Mode, query: OrderListFilter, size: PageSize) {
  return useQuery({
    ...orders(mode, query, size.value),
    // Rows of the other world must not be taken for this one's.
    placeholderData: (last, of) => (of?.queryKey[0] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
}

export function OrderList({ mode, query = {}, size, goBefore, lead, none }: OrderListProps) {
  const found = useOrders(mode, query, size);
  const isFurther = query.before !== undefined;
  const { before: _, ...filters } = query;
  return (
    <OrderLines
      mode={mode}
      found={found}
      isFurther={isFurther}
      goBefore={goBefore}
      size={size}
      lead={lead}
      // A filter asks for orders, and may have only some of a batch.
      isFolded={Object.values(filters).every((filter) => filter === undefined)}
      none={none}
    />
  );
}

interface OrderLinesProps
  extends Pick<OrderListProps, 'mode' | 'none'>,
    Partial<Pick<OrderListProps, 'size' | 'goBefore' | 'lead'>> {
  found: UseQueryResult<OrderPage>;
  isFurther?: boolean;
  /** Orders of one batch are one row. */
  isFolded?: boolean;
}

/** The list, given its rows. */
export function OrderLines({
  mode,
  found,
  isFurther = false,
  goBefore,
  size,
  lead,
  isFolded = false,
  none,
}: OrderLinesProps) {
  const isPriced = found.data?.orders.some(({ retail }) => retail !== null);
  return (
    <>
      <List<OrderRow>
        found={found}
        size={size}
        lead={lead}
        isFolded={isFolded}
        to={({ id }) => paths.order(mode, id)}
        toBatch={(id) => `${paths.orders(mode)}?batch=${id}`}
        middle={[iccidIn(mode)]}
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

const iccidIn = (mode: Mode): Column<OrderRow> => ({
  label: 'ICCID',
  card: 'none',
  cell: ({ iccid }) => iccid && <RowLink to={paths.esim(mode, iccid)}>{iccid}</RowLink>,
});

/** What happened to the price, unless it was simply charged. */
function afterPrice(order: OrderRow): ReactNode {
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
