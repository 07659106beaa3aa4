import type { Column } from '../../parts/DataTable.tsx';
import { Money } from '../../parts/Money.tsx';
import { RowLink } from '../../parts/RowLink.tsx';
import { monthName } from '../money/months.ts';
import { InvoiceStatus } from './InvoiceStatus.tsx';
import { dayOf, type InvoiceRow } from './invoices.ts';

/** A list of documents; `more` are columns after the number. */
export const invoiceColumns = <Row extends InvoiceRow>(
  pathOf: (number: string) => string,
  more: readonly Column<Row>[] = [],
): Column<Row>[] => [
  { label: 'Number', card: 'title', cell: ({ number }) => <RowLink to={pathOf(number)}>{number}</RowLink> },
  ...more,
  { label: 'Status', cell: (row) => <InvoiceStatus of={row} /> },
  { label: 'Month', card: more.length > 0 ? 'small' : 'line', cell: ({ month }) => monthName(month) },
  { label: 'Issued', card: 'fact', cell: ({ issued_at }) => <span className="num">{dayOf(issued_at)}</span> },
  {
    label: 'Due',
    card: 'fact',
    cell: ({ due_at }) => (due_at === null ? '–' : <span className="num">{dayOf(due_at)}</span>),
  },
  { label: 'Total', kind: 'figure', card: 'figure', cell: ({ total }) => <Money amount={total} /> },
  {
    label: 'Left to pay',
    kind: 'figure',
    card: 'fact',
    cell: ({ amount_due }) => (Number(amount_due) === 0 ? '–' : <Money amount={amount_due} />),
  },
];
