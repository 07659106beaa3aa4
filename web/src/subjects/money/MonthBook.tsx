import { Text } from '@mantine/core';
import type { StatementBook, StatementLine } from '../../../../src/entry/site/views/money.ts';
import { count } from '../../parts/count.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { Money } from '../../parts/Money.tsx';
import { Section } from '../../parts/Section.tsx';
import { Table } from '../../parts/Table.tsx';
import { movementName } from './movement.ts';
import { movementColumns } from './movementColumns.tsx';

interface MonthBookProps {
  orderPath: (id: string | number) => string;
  of: StatementBook;
  isRunning: boolean;
}

const words = {
  wallet: { title: 'Wallet', opening: 'Opening balance', closing: 'Closing balance', now: 'Balance now' },
  debt: { title: 'Invoice account', opening: 'Owed at the start', closing: 'Owed at the end', now: 'Owed now' },
} as const;

/** One book in one month: from the opening balance over what moved, by kind, to the closing balance; then every line. */
export function MonthBook({ orderPath, of, isRunning }: MonthBookProps) {
  const { title, opening, closing, now } = words[of.book];
  return (
    <>
      <Section title={`${title}: summary`} flush>
        <Table label={`${title}: summary`}>
          <tbody>
            <Sum label={opening} amount={of.opening} isTotal />
            {of.groups.map(({ type, is_increase, count: lines, amount }) => (
              <Sum
                key={`${type}${is_increase}`}
                label={`${movementName(type)} (${count(lines, 'line')})`}
                amount={amount}
              />
            ))}
            <Sum label={isRunning ? now : closing} amount={of.closing} isTotal />
          </tbody>
        </Table>
      </Section>
      {of.lines.length > 0 && (
        <Section title={`${title}: every line`} flush>
          <DataTable
            label={`${title}: every line`}
            columns={movementColumns<StatementLine>(orderPath, {
              at: ({ at }) => at,
              after: of.book === 'wallet' ? 'Balance' : 'Owed after',
            })}
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
    <tr data-total={isTotal || undefined}>
      <th scope="row">{label}</th>
      <td data-kind="figure">
        <Money amount={amount} movement={!isTotal} />
      </td>
    </tr>
  );
}
