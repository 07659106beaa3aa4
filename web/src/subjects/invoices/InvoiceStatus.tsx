import { Badge } from '@mantine/core';
import { type InvoiceRow, statusName } from './invoices.ts';

const color: Readonly<Record<InvoiceRow['status'], string>> = {
  open: 'yellow',
  paid: 'teal',
  overdue: 'red',
  void: 'gray',
};

/** What has become of a document. A credit note has nothing to pay, so only its kind matters. */
export function InvoiceStatus({ of: { kind, status } }: { of: Pick<InvoiceRow, 'kind' | 'status'> }) {
  if (kind === 'credit_note')
    return (
      <Badge color="gray" tt="none">
        Credit note
      </Badge>
    );
  return (
    <Badge color={color[status]} tt="none">
      {statusName[status]}
    </Badge>
  );
}
