import { Badge } from '@mantine/core';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import type { OrderDetail } from '../../api/orders.ts';

type Attempt = OrderDetail['suppliers'][number];

const colors: Readonly<Record<string, string>> = { delivered: 'teal', refused: 'red', passed_over: 'gray' };

/** Who came into play for the order. Nothing if only its own supplier was asked. */
export function OrderSuppliers({ detail }: { detail: OrderDetail }) {
  const { suppliers } = detail;
  if (suppliers.length < 2) return null;
  return (
    <Section
      title="Suppliers"
      about="Each was asked once the one before certainly had not taken the order. Those passed over were not asked."
      flush
    >
      <DataTable
        label="Suppliers"
        columns={columns}
        rows={suppliers}
        rowKey={({ supplier, plan }) => `${supplier} ${plan}`}
      />
    </Section>
  );
}

const columns: readonly Column<Attempt>[] = [
  { label: 'Supplier', cell: ({ supplier }) => supplier },
  { label: 'Plan there', cell: ({ plan }) => <span className="mono">{plan}</span> },
  { label: 'Our reference', cell: ({ reference }) => <span className="mono">{reference ?? '–'}</span> },
  { label: 'Cost', kind: 'figure', card: 'fact', cell: ({ cost }) => <span className="num">${cost}</span> },
  {
    label: 'Answer',
    cell: ({ outcome, reason }) => (
      <>
        <Badge color={colors[outcome] ?? 'yellow'}>{outcome.replace('_', ' ')}</Badge> {reason.replaceAll('_', ' ')}
      </>
    ),
  },
  { label: 'Time (UTC)', cell: ({ at }) => <When at={at} /> },
];
