import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Column } from '../../../parts/DataTable.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { RowLink } from '../../../parts/RowLink.tsx';
import { OrderList as List } from '../../../subjects/orders/OrderList.tsx';
import { OrderStatus } from '../../../subjects/orders/OrderStatus.tsx';
import { type OrderListFilter, type OrderPage, type OrderRow, orders } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { AtTodaysRetail } from '../retail/AtTodaysRetail.tsx';
import { outcomeOf } from './outcome.ts';

interface OrderListProps {
  mode: Mode;
  query?: OrderListFilter;
  limit: number;
  /** Without it there is no pager. */
  goBefore?: (id: string | undefined) => void;
  /** Shown in place of an empty list. */
  none: ReactNode;
}

/** New orders and deliveries show up by themselves. */
const EVERY_MS = 15_000;

export function OrderList({ mode, query = {}, limit, goBefore, none }: OrderListProps) {
  const found = useQuery({
    ...orders(mode, query, limit),
    // Rows of the other world must not be taken for this one's.
    placeholderData: (last, of) => (of?.queryKey[0] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  const isFurther = query.before !== undefined;
  return <OrderLines mode={mode} found={found} isFurther={isFurther} goBefore={goBefore} none={none} />;
}

interface OrderLinesProps extends Pick<OrderListProps, 'mode' | 'none'> {
  found: UseQueryResult<OrderPage>;
  isFurther?: boolean;
  goBefore?: OrderListProps['goBefore'] | undefined;
}

/** The list, given its rows. */
export function OrderLines({ mode, found, isFurther = false, goBefore, none }: OrderLinesProps) {
  const isPriced = found.data?.orders.some(({ retail }) => retail !== null);
  return (
    <>
      <List
        found={found}
        to={({ id }) => paths.order(mode, id)}
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

const statusAndIccid = (mode: Mode): Column<OrderRow>[] => [
  { label: 'Status', cell: ({ state }) => <OrderStatus state={state} /> },
  {
    label: 'ICCID',
    card: 'none',
    cell: ({ iccid }) => iccid && <RowLink to={paths.esim(mode, iccid)}>{iccid}</RowLink>,
  },
];

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
