import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { count } from '../../parts/count.ts';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { Money } from '../../parts/Money.tsx';
import { OlderPager } from '../../parts/OlderPager.tsx';
import { RowLink } from '../../parts/RowLink.tsx';
import { When } from '../../parts/When.tsx';

interface OrderLine {
  readonly id: string;
  readonly country_image: string | null;
  readonly title: string;
  readonly type: string;
  readonly reference: string;
  readonly created_at: string;
  readonly price: string;
  /** Set: the row stands for all orders of this batch. */
  readonly batch?: BatchLine | undefined;
}

export interface BatchLine {
  readonly id: string;
  readonly orders: number;
  readonly plans: number;
  readonly price: string;
}

interface OrderListProps<O extends OrderLine> {
  found: UseQueryResult<{
    readonly orders: readonly O[];
    readonly has_more: boolean;
    /** Where a search that has no index stopped; null: it is complete. */
    readonly looked_to: string | null;
  }>;
  /** The page of an order. */
  to: (order: O) => string;
  /** What an application shows after the id, after the plan, and below the price. */
  first?: readonly Column<O>[];
  middle: readonly Column<O>[];
  /** After the price. */
  last?: readonly Column<O>[];
  afterPrice: (order: O) => ReactNode;
  /** The rows to show: those of a batch as one. */
  folded?: (orders: readonly O[]) => readonly O[];
  /** How many a page has, and the choice of it. */
  size?: { readonly value: number; readonly choose: (size: number) => void } | undefined;
  /** Why a search stopped early. */
  stopped: (at: string) => string;
  /** Already past the newest ones. */
  isFurther: boolean;
  /** Without it there is no pager. */
  goBefore?: ((id: string | undefined) => void) | undefined;
  /** Shown in place of an empty list. */
  none: ReactNode;
}

export function OrderList<O extends OrderLine>({
  found,
  stopped,
  isFurther,
  goBefore,
  none,
  folded = (orders) => orders,
  size,
  ...shown
}: OrderListProps<O>) {
  return (
    <Loaded query={found} lines={5}>
      {({ orders: rows, has_more, looked_to }) => (
        <>
          {rows.length > 0 ? (
            <DataTable label="Orders" columns={columns(shown)} rows={folded(rows)} rowKey={({ id }) => id} />
          ) : (
            looked_to === null && none
          )}
          {looked_to !== null && goBefore && (
            <Group px="lg" py="md" gap="sm">
              <Text size="sm" c="dimmed">
                {stopped(looked_to)}
              </Text>
              <Button size="xs" variant="default" onClick={() => goBefore(looked_to)}>
                Look further back
              </Button>
            </Group>
          )}
          {goBefore && (
            <OlderPager
              shown={count(rows.length, 'order')}
              size={size}
              isFurther={isFurther}
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

const columns = <O extends OrderLine>({
  to,
  first = [],
  middle,
  last = [],
  afterPrice,
}: Pick<OrderListProps<O>, 'to' | 'first' | 'middle' | 'last' | 'afterPrice'>): Column<O>[] => [
  {
    label: 'Order',
    card: 'title',
    cell: (order) => <RowLink to={to(order)}>{order.batch ? `Batch ${order.batch.id}` : order.id}</RowLink>,
  },
  ...first,
  { label: 'Plan', card: 'line', cell: (order) => <Plan of={order} /> },
  ...middle,
  { label: 'Date', card: 'small', cell: ({ created_at }) => <When at={created_at} /> },
  { label: 'Price', kind: 'figure', cell: (order) => <Price of={order} after={afterPrice(order)} /> },
  ...last,
];

/** What was ordered, and the partner's reference. */
const Plan = ({ of: { country_image, title, type, reference, batch } }: { of: OrderLine }) => (
  <Stack gap={2} maw={260}>
    <Group gap="xs" wrap="nowrap">
      {country_image && !(batch && batch.plans > 1) && (
        <img src={country_image} width={20} height={15} alt="" loading="lazy" className="flag" />
      )}
      <Text size="sm" span>
        {batch && batch.plans > 1 ? count(batch.plans, 'plan') : title}
      </Text>
    </Group>
    {batch && <Badge color="gray">{count(batch.orders, 'eSIM')}</Badge>}
    {type === 'refill' && <Badge color="gray">Refill</Badge>}
    {reference && !batch && (
      <Text c="dimmed" className="mono" span>
        {reference}
      </Text>
    )}
  </Stack>
);

const Price = ({ of: { price, batch }, after }: { of: OrderLine; after: ReactNode }) => (
  <Stack gap={0} align="flex-end">
    <Money amount={batch?.price ?? price} />
    {after && (
      <Text size="xs" c="dimmed" span style={{ whiteSpace: 'nowrap' }}>
        {after}
      </Text>
    )}
  </Stack>
);
