import { Alert, Badge, Stack, Text, Title } from '@mantine/core';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { IconAlertTriangle } from '../../../parts/icons.ts';
import { dollars, Money } from '../../../parts/Money.tsx';
import { RowLink } from '../../../parts/RowLink.tsx';
import { When } from '../../../parts/When.tsx';
import type { Preview, Tried } from '../../api/routes.ts';
import { paths } from '../../paths.ts';
import { Cost } from '../catalog/Cost.tsx';

/** What a change of routes would have meant for the latest orders. */
export function RoutePreview({ of: { preview: it } }: { of: Tried }) {
  return (
    <Stack gap="sm" role="status" aria-label="Preview">
      <Text size="sm">{sentence(it)}</Text>
      {it.nobody > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} p="sm">
          {count(it.nobody, 'order')} would have waited or failed: {it.nobody === 1 ? 'it was' : 'they were'} delivered
          by a supplier that is no longer named, after the others had not delivered.
        </Alert>
      )}
      {it.to.length > 0 && (
        <Part title="Who would have got them">
          <DataTable
            label="Who would have got them"
            columns={receivers}
            rows={it.to}
            rowKey={(row) => row.product_id}
          />
        </Part>
      )}
      {it.examples.length > 0 && (
        <Part title={it.elsewhere > it.examples.length ? `The newest ${it.examples.length} of them` : 'The orders'}>
          <DataTable label="Orders" columns={orders} rows={it.examples} rowKey={({ order_id }) => order_id} />
        </Part>
      )}
      <Text size="xs" c="dimmed" hidden={it.orders === 0}>
        {rest(it)} Costs are today’s. Past balances and breakers are not recorded, and we cannot know whether a supplier
        that was not tried would have delivered.
      </Text>
    </Stack>
  );
}

function sentence({
  orders,
  days,
  is_complete,
  elsewhere,
  compared,
  cost_then,
  cost_now,
  failed_then,
}: Preview): string {
  const looked = is_complete ? `the last ${days} days` : `the newest ${orders.toLocaleString('en-US')} orders`;
  if (orders === 0) return `No order of the last ${days} days is affected.`;
  if (elsewhere === 0) return `Of ${count(orders, 'order')} in ${looked}, none would have gone elsewhere.`;
  const parts = [
    `Of ${count(orders, 'order')} in ${looked}, ${elsewhere.toLocaleString('en-US')} would have gone elsewhere.`,
    compared > 0 &&
      `${compared === elsewhere ? 'They' : `Of these, ${compared.toLocaleString('en-US')}`} cost ${dollars(cost_then)}, and would cost ${dollars(cost_now)} now${difference(cost_then, cost_now)}.`,
    failed_then > 0 && `${failed_then.toLocaleString('en-US')} failed then: they might have been delivered.`,
  ];
  return parts.filter(Boolean).join(' ');
}

function difference(before: string, now: string): string {
  const more = Number(now) - Number(before);
  if (Math.abs(more) < 0.005) return '';
  return more > 0 ? `, ${dollars(more)} more` : `, ${dollars(-more)} less`;
}

const rest = ({ open, waited }: Preview): string =>
  [
    open > 0 && `${count(open, 'order')} still open: no other supplier is tried while one may have it.`,
    waited > 0 &&
      `${count(waited, 'order')} waited before the same supplier delivered; another might have been quicker.`,
  ]
    .filter(Boolean)
    .join(' ');

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {title}
      </Title>
      {children}
    </div>
  );
}

const receivers: readonly Column<Preview['to'][number]>[] = [
  { label: 'Plan', cell: ({ title, supplier }) => `${title} (${supplier})` },
  { label: 'Orders', kind: 'figure', card: 'fact', cell: ({ orders: n }) => n.toLocaleString('en-US') },
  {
    label: 'Cost of one now',
    kind: 'figure',
    card: 'fact',
    cell: ({ cost }) => (cost === null ? 'Unknown' : <Cost amount={cost} />),
  },
];

const orders: readonly Column<Preview['examples'][number]>[] = [
  { label: 'Order', cell: ({ order_id }) => <RowLink to={paths.order(order_id)}>{String(order_id)}</RowLink> },
  { label: 'Time', card: 'small', cell: ({ at }) => <When at={at} /> },
  { label: 'Price', kind: 'figure', card: 'fact', cell: ({ price }) => <Money amount={price} /> },
  {
    label: 'Then',
    card: 'fact',
    cell: ({ was, from_supplier, from_cost }) => (
      <>
        {from_supplier}{' '}
        {was === 'delivered' ? (
          from_cost !== null && <Cost amount={from_cost} />
        ) : (
          <Badge color={was === 'failed' ? 'red' : 'yellow'}>{was === 'failed' ? 'Failed' : 'Open'}</Badge>
        )}
      </>
    ),
  },
  {
    label: 'Now',
    card: 'fact',
    cell: ({ to_supplier, to_cost }) => (
      <>
        {to_supplier} {to_cost !== null && <Cost amount={to_cost} />}
      </>
    ),
  },
];
