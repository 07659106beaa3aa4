import { Badge, Stack, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import type { OrderDetail } from '../../api/orders.ts';
import { Cost } from '../catalog/Cost.tsx';

type Attempt = OrderDetail['suppliers'][number];

/** The suppliers that were tried for the order. Nothing if only the plan's own supplier was. */
export function OrderSuppliers({ detail }: { detail: OrderDetail }) {
  const { suppliers } = detail;
  if (suppliers.length < 2) return null;
  return (
    <Section
      title="Attempts"
      about="The suppliers that were tried, in this order. Each was tried only after the one before certainly had not accepted the order."
      flush
    >
      <DataTable
        label="Attempts"
        columns={columns}
        rows={suppliers}
        rowKey={({ supplier, plan }) => `${supplier} ${plan}`}
      />
    </Section>
  );
}

const outcomes: Readonly<Record<string, { readonly label: string; readonly color: string }>> = {
  delivered: { label: 'Delivered', color: 'teal' },
  refused: { label: 'Refused', color: 'red' },
  unavailable: { label: 'Not available', color: 'yellow' },
  unknown: { label: 'No answer yet', color: 'yellow' },
  pending: { label: 'Preparing it', color: 'yellow' },
  asked: { label: 'Asked', color: 'yellow' },
  passed_over: { label: 'Passed over', color: 'gray' },
};

/** Our own reasons in words; what a supplier said is shown as it is. */
const reasons: Readonly<Record<string, string>> = {
  cheaper: 'Another one was cheaper.',
  balance_low: 'Our balance there was below the cost.',
  breaker_open: 'Its breaker was open: it had not answered before.',
  awaiting_profile: 'It accepted the order and is preparing the eSIM.',
  provider_unavailable: 'It could not be reached, or did not say what became of the order.',
  provider_rejected: 'It could not deliver this plan, or an operator failed the order.',
};

const columns: readonly Column<Attempt>[] = [
  {
    label: 'Supplier',
    cell: ({ supplier, plan }) => (
      <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" span>
          {supplier}
        </Text>
        <Text size="xs" c="dimmed" span className="mono">
          {plan}
        </Text>
      </Stack>
    ),
  },
  {
    label: 'State',
    cell: ({ outcome }) => {
      const { label, color } = outcomes[outcome] ?? { label: outcome, color: 'yellow' };
      return <Badge color={color}>{label}</Badge>;
    },
  },
  {
    label: 'Why',
    card: 'line',
    cell: ({ reason }) =>
      reason === '' ? null : (
        <Text size="sm" span maw={320} display="inline-block" style={{ overflowWrap: 'anywhere' }}>
          {reasons[reason] ?? `“${reason}”`}
        </Text>
      ),
  },
  {
    label: 'Our reference',
    card: 'fact',
    cell: ({ reference }) =>
      reference === null ? null : (
        <span className="mono" style={{ overflowWrap: 'anywhere' }}>
          {reference}
        </span>
      ),
  },
  {
    label: 'Cost',
    kind: 'figure',
    card: 'fact',
    cell: ({ cost }) => (Number(cost) === 0 ? 'Unknown' : <Cost amount={cost} />),
  },
  { label: 'Time', card: 'small', cell: ({ at }) => <When at={at} /> },
];
