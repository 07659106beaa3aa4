import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../../parts/DataTable.tsx';
import { Money } from '../../../parts/Money.tsx';
import { When } from '../../../parts/When.tsx';
import { movementName } from '../../../subjects/money/movement.ts';
import { Note } from '../../../subjects/money/Note.tsx';
import type { Movement } from '../../api/partners.ts';
import { paths } from '../../paths.ts';

export const movementColumns = (book: 'wallet' | 'debt'): Column<Movement>[] => [
  { label: 'Date (UTC)', cell: ({ at }) => <When at={at} /> },
  { label: 'Type', cell: ({ type }) => movementName(type) },
  {
    label: 'Order',
    cell: ({ order_id }) =>
      order_id && (
        <Anchor component={Link} to={paths.order(order_id)} className="mono">
          {order_id}
        </Anchor>
      ),
  },
  { label: 'Note', cell: ({ note }) => <Note text={note} /> },
  { label: 'Amount', kind: 'figure', cell: ({ amount }) => <Money amount={amount} movement /> },
  {
    label: book === 'wallet' ? 'Balance' : 'Debt',
    kind: 'figure',
    cell: ({ balance_after }) => <Money amount={balance_after} />,
  },
];
