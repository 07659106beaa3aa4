import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Column } from '../../parts/DataTable.tsx';
import { Money } from '../../parts/Money.tsx';
import { When } from '../../parts/When.tsx';
import { movementName } from './movement.ts';

interface Movement {
  readonly type: string;
  readonly order_id: string | number | null;
  readonly note: string;
  readonly amount: string | number;
  readonly balance_after: string | number;
}

interface Wording<M> {
  readonly at: (movement: M) => string;
  /** What the balance after a movement is called. */
  readonly after: string;
  /** What else there is to a movement, below its note. */
  readonly more?: (movement: M) => ReactNode;
}

/** The lines of a book, as every list of money shows them. */
export const movementColumns = <M extends Movement>(
  orderPath: (id: string | number) => string,
  { at, after, more }: Wording<M>,
): Column<M>[] => [
  { label: 'Date (UTC)', cell: (movement) => <When inUtc at={at(movement)} /> },
  { label: 'Type', cell: ({ type }) => movementName(type) },
  {
    label: 'Order',
    cell: ({ order_id }) =>
      order_id === null ? (
        '–'
      ) : (
        <Anchor component={Link} to={orderPath(order_id)} className="mono">
          {order_id}
        </Anchor>
      ),
  },
  {
    label: 'Note',
    cell: (movement) => (
      <>
        {movement.note !== '' && <Note text={movement.note} />}
        {more?.(movement)}
      </>
    ),
  },
  { label: 'Amount', kind: 'figure', cell: ({ amount }) => <Money amount={amount} movement /> },
  { label: after, kind: 'figure', cell: ({ balance_after }) => <Money amount={balance_after} /> },
];

/** What was written with a movement. It may hold a payment key, which has to break on a phone. */
function Note({ text }: { text: string }) {
  return <span style={{ overflowWrap: 'anywhere' }}>{text}</span>;
}
