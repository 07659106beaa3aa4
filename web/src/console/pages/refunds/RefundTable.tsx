import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { chooseColumn } from '../../../parts/ChosenBar.tsx';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { RowLink } from '../../../parts/RowLink.tsx';
import type { Chosen } from '../../../parts/useChosen.ts';
import { When } from '../../../parts/When.tsx';
import type { RefundRow } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { DecideRefund } from './DecideRefund.tsx';
import { Used } from './Used.tsx';
import type { Watch } from './useLate.ts';

interface RefundTableProps {
  mode: Mode;
  rows: readonly RefundRow[];
  /** Undefined: there is nothing to decide here, or not for this operator. */
  chosen: Chosen<RefundRow> | undefined;
  watch: Watch;
}

/** Requests with what a person needs to decide; the order's own page has the rest. */
export function RefundTable({ mode, rows, chosen, watch }: RefundTableProps) {
  const columns = [
    ...(chosen ? [chooseColumn(chosen, ({ order }) => `Choose order ${order.id}`)] : []),
    ...facts(mode, rows),
    ...(chosen ? [decide(mode, watch)] : []),
  ];
  return <DataTable label="Refunds" columns={columns} rows={rows} rowKey={({ order }) => order.id} />;
}

const facts = (mode: Mode, rows: readonly RefundRow[]): Column<RefundRow>[] => [
  {
    label: 'Order',
    card: 'title',
    cell: ({ order }) => <RowLink to={paths.order(order.id, mode)}>{order.id}</RowLink>,
  },
  {
    label: 'Request',
    card: 'line',
    cell: ({ order, reason }) => (
      <Stack gap={2} miw="11rem">
        <Anchor component={Link} to={paths.partner(order.partner.id)} size="sm" className="target">
          {order.partner.name}
        </Anchor>
        <Text span size="sm" c="dimmed">
          {order.title}
          {order.type === 'refill' && !/refill/i.test(order.title) && ', refill'}
        </Text>
        <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason === '' ? 'No reason given' : `“${reason}”`}
        </Text>
      </Stack>
    ),
  },
  { label: 'Used', cell: ({ order, usage }) => <Used usage={usage} data={order.data} mode={mode} /> },
  ...(rows.some(({ status }) => status === 'withdrawing')
    ? [{ label: 'Supplier asked', cell: ({ attempts }: RefundRow) => count(attempts, 'time') }]
    : []),
  { label: 'Requested', card: 'small', cell: ({ requested_at }) => <When at={requested_at} /> },
  ...(rows.some(({ decided_at }) => decided_at !== null) ? decided : []),
  { label: 'Price left', kind: 'figure', card: 'figure', cell: ({ left }) => <Money amount={left} /> },
];

const decided: readonly Column<RefundRow>[] = [
  { label: 'Decided', cell: ({ decided_at }) => decided_at && <When at={decided_at} /> },
  { label: 'Note to the partner', cell: ({ note }) => note && <span>{note}</span> },
  {
    label: 'Given back',
    kind: 'figure',
    card: 'fact',
    cell: ({ amount }) => Number(amount) > 0 && <Money amount={amount} />,
  },
];

const decide = (mode: Mode, watch: Watch): Column<RefundRow> => ({
  label: 'Decide',
  kind: 'actions',
  cell: ({ order, version, left, available }) => (
    <DecideRefund
      isSmall
      mode={mode}
      orderId={order.id}
      version={version}
      watch={watch}
      left={left}
      goesTo={order.billing_mode}
      available={available}
    />
  ),
});
