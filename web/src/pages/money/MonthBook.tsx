import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { StatementBook, StatementLine } from '../../api/statements.ts';
import { count } from '../../components/count.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Money } from '../../components/Money.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import { type Mode, paths } from '../../paths.ts';
import { movementName } from './movement.ts';
import { Note } from './Note.tsx';

interface MonthBookProps {
  mode: Mode;
  of: StatementBook;
  isRunning: boolean;
}

const words = {
  wallet: { title: 'Wallet', opening: 'Opening balance', closing: 'Closing balance', now: 'Balance now' },
  debt: { title: 'Invoice account', opening: 'Owed at the start', closing: 'Owed at the end', now: 'Owed now' },
} as const;

/** One book in one month: from the opening balance over what moved, by kind, to the closing balance; then every line. */
export function MonthBook({ mode, of, isRunning }: MonthBookProps) {
  const { title, opening, closing, now } = words[of.book];
  return (
    <>
      <Section title={`${title}: summary`} flush>
        <Table verticalSpacing="xs" horizontalSpacing="lg" aria-label={`${title}: summary`}>
          <Table.Tbody>
            <Sum label={opening} amount={of.opening} isTotal />
            {of.groups.map(({ type, is_increase, count: lines, amount }) => (
              <Sum
                key={`${type}${is_increase}`}
                label={`${movementName(type)} (${count(lines, 'line')})`}
                amount={amount}
              />
            ))}
            <Sum label={isRunning ? now : closing} amount={of.closing} isTotal />
          </Table.Tbody>
        </Table>
      </Section>
      {of.lines.length > 0 && (
        <Section title={`${title}: every line`} flush>
          <DataTable
            label={`${title}: every line`}
            columns={columns(mode, of.book)}
            rows={of.lines}
            rowKey={({ id }) => id}
          />
          {of.more > 0 && (
            <Text size="sm" p="lg">
              {count(of.more, 'more line')} of this month {of.more === 1 ? 'is' : 'are'} in the CSV file, and counted
              above.
            </Text>
          )}
        </Section>
      )}
    </>
  );
}

function Sum({ label, amount, isTotal = false }: { label: string; amount: string; isTotal?: boolean }) {
  return (
    <Table.Tr fw={isTotal ? 600 : undefined}>
      <Table.Th scope="row" fw="inherit">
        {label}
      </Table.Th>
      <Table.Td ta="right">
        <Money amount={amount} movement={!isTotal} />
      </Table.Td>
    </Table.Tr>
  );
}

const columns = (mode: Mode, book: StatementBook['book']): Column<StatementLine>[] => [
  { label: 'Date (UTC)', cell: ({ at }) => <When at={at} /> },
  { label: 'Type', cell: ({ type }) => movementName(type) },
  {
    label: 'Order',
    cell: ({ order_id }) =>
      order_id === null ? (
        '–'
      ) : (
        <Anchor component={Link} to={paths.order(mode, order_id)} className="mono">
          {order_id}
        </Anchor>
      ),
  },
  { label: 'Note', cell: ({ note }) => <Note text={note} /> },
  { label: 'Amount', kind: 'figure', cell: ({ amount }) => <Money amount={amount} movement /> },
  {
    label: book === 'wallet' ? 'Balance' : 'Owed after',
    kind: 'figure',
    cell: ({ balance_after }) => <Money amount={balance_after} />,
  },
];
