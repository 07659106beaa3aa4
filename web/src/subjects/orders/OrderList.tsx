import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { count } from '../../parts/count.ts';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { part } from '../../parts/later.tsx';
import { Money } from '../../parts/Money.tsx';
import type { PageSize } from '../../parts/pageSize.ts';
import { RowLink } from '../../parts/RowLink.tsx';
import { When } from '../../parts/When.tsx';
import { type OrderState, OrderStatus } from './OrderStatus.tsx';

/** The overview shows the latest orders without it. */
const OlderPager = part(async () => (await import('../../parts/OlderPager.tsx')).OlderPager);

interface OrderLine {
  readonly id: string;
  readonly batch_id: string | null;
  readonly country_image: string | null;
  readonly title: string;
  readonly type: string;
  readonly reference: string;
  readonly created_at: string;
  readonly price: string;
  readonly state: OrderState;
}

interface BatchLine {
  readonly id: string;
  readonly orders: number;
  readonly plans: number;
  readonly price: string;
  /** How many are in which state. */
  readonly states: Readonly<Partial<Record<OrderState, number>>>;
}

/** `batch` set: the row stands for all orders of this batch. */
type Row<O> = O & { readonly batch?: BatchLine | undefined };

interface OrderListProps<O extends OrderLine> {
  found: UseQueryResult<{
    readonly orders: readonly O[];
    /** Those that some of these orders belong to. */
    readonly batches: readonly BatchLine[];
    readonly has_more: boolean;
    /** Where a search that has no index stopped; null: it is complete. */
    readonly looked_to: string | null;
  }>;
  /** The page of an order, and the list of a batch's. */
  to: (order: O) => string;
  toBatch: (id: string) => string;
  /** What an application shows before the id, after the id, after the status, and after the price. Batches have only the first. */
  lead?: Column<O> | undefined;
  first?: readonly Column<O>[];
  middle: readonly Column<O>[];
  last?: readonly Column<O>[];
  /** Below the status, and below the price. */
  afterStatus?: (order: O) => ReactNode;
  afterPrice: (order: O) => ReactNode;
  /** Orders of one batch are one row. Not where a filter may have only some of them. */
  isFolded: boolean;
  size?: PageSize | undefined;
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
  isFolded,
  size,
  ...shown
}: OrderListProps<O>) {
  return (
    <Loaded query={found} lines={5}>
      {({ orders, batches, has_more, looked_to }) => (
        <>
          {orders.length > 0 ? (
            <DataTable
              label="Orders"
              columns={columns(shown)}
              rows={isFolded ? folded(orders, batches) : orders}
              rowKey={({ id }) => id}
            />
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
            <Suspense>
              <OlderPager
                shown={[orders.length, 'order']}
                size={size}
                isFurther={isFurther}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(orders.at(-1)?.id)}
              />
            </Suspense>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The first order of each batch of several stands for all of it. */
function folded<O extends OrderLine>(orders: readonly O[], batches: readonly BatchLine[]): readonly Row<O>[] {
  const several = new Map(batches.flatMap((batch) => (batch.orders > 1 ? [[batch.id, batch]] : [])));
  const seen = new Set<string>();
  return orders.flatMap((order) => {
    const batch = order.batch_id === null ? undefined : several.get(order.batch_id);
    if (!batch) return [order];
    if (seen.has(batch.id)) return [];
    seen.add(batch.id);
    return [{ ...order, batch }];
  });
}

type Shown<O extends OrderLine> = Pick<
  OrderListProps<O>,
  'to' | 'toBatch' | 'lead' | 'first' | 'middle' | 'last' | 'afterStatus' | 'afterPrice'
>;

function columns<O extends OrderLine>(shown: Shown<O>): Column<Row<O>>[] {
  const { to, toBatch, lead, first = [], middle, last = [], afterStatus, afterPrice } = shown;
  const ofOne = (column: Column<O>): Column<Row<O>> => ({
    ...column,
    cell: (row) => (row.batch ? null : column.cell(row)),
  });
  return [
    ...(lead ? [ofOne(lead)] : []),
    {
      label: 'Order',
      card: 'title',
      cell: (row) => (
        <RowLink to={row.batch ? toBatch(row.batch.id) : to(row)} isNamed={row.batch !== undefined}>
          {row.batch ? `Batch ${row.batch.id}` : row.id}
        </RowLink>
      ),
    },
    ...first,
    { label: 'Plan', card: 'line', cell: (order) => <Plan of={order} /> },
    {
      label: 'Status',
      card: 'state',
      cell: (row) =>
        row.batch ? (
          <States of={row.batch.states} />
        ) : (
          <Stack gap={4} align="flex-start">
            <OrderStatus state={row.state} />
            {afterStatus?.(row)}
          </Stack>
        ),
    },
    ...middle.map(ofOne),
    { label: 'Date', card: 'small', cell: ({ created_at }) => <When at={created_at} /> },
    {
      label: 'Price',
      kind: 'figure',
      cell: (row) => <Price of={row} after={row.batch ? null : afterPrice(row)} />,
    },
    ...last.map(ofOne),
  ];
}

function States({ of }: { of: BatchLine['states'] }) {
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

/** What was ordered, and the partner's reference. */
const Plan = ({ of: { country_image, title, type, reference, batch } }: { of: Row<OrderLine> }) => (
  <Stack gap={2} maw={320}>
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

const Price = ({ of: { price, batch }, after }: { of: Row<OrderLine>; after: ReactNode }) => (
  <Stack gap={0} align="flex-end">
    <Money amount={batch?.price ?? price} />
    {after && (
      <Text size="xs" c="dimmed" span style={{ whiteSpace: 'nowrap' }}>
        {after}
      </Text>
    )}
  </Stack>
);
