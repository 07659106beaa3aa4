import { Table, Text } from '@mantine/core';
import { Money } from '../../../components/Money.tsx';
import { type After, type Balances, difference } from './balanceAfter.ts';

const rows: readonly { part: keyof Balances; label: string; always: boolean }[] = [
  { part: 'balance', label: 'Balance', always: true },
  { part: 'promo', label: 'Of it promotional credit', always: false },
  { part: 'debt', label: 'Debt', always: false },
  { part: 'available', label: 'Can spend', always: true },
];

/** The balances before and after a move of money. */
export function AfterMove({ now, after, isActive }: { now: Balances; after: After; isActive: boolean }) {
  if (after.outcome === 'refused')
    return (
      <Text size="sm" c="var(--danger)" role="status">
        {after.why}
      </Text>
    );
  const then = after.outcome === 'moved' ? after.after : undefined;
  const shown = rows.filter(
    ({ part, always }) => always || Number(now[part]) !== 0 || (then && Number(then[part]) !== 0),
  );
  return (
    <Table aria-label="Balances before and after" verticalSpacing={6} horizontalSpacing={0}>
      <Table.Thead>
        <Table.Tr>
          <Table.Td />
          <Table.Th ta="right">Now</Table.Th>
          <Table.Th ta="right">After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody aria-live="polite">
        {shown.map(({ part, label }) => (
          <Table.Tr key={part}>
            <Table.Th scope="row" fw={400}>
              {part === 'available' && !isActive ? 'Can spend once active' : label}
            </Table.Th>
            <Table.Td ta="right">
              <Money amount={now[part]} />
            </Table.Td>
            <Table.Td ta="right" fw={then && then[part] !== now[part] ? 600 : 400}>
              {then ? <Money amount={then[part]} /> : '–'}
              {then && then[part] !== now[part] && (
                <Text size="xs" c="dimmed" span ml={6}>
                  <Money amount={difference(now[part], then[part])} movement />
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
