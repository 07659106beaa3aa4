import { Text } from '@mantine/core';
import { Money } from '../../../parts/Money.tsx';
import { Table } from '../../../parts/Table.tsx';
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
    <Table label="Balances before and after" isNarrow>
      <thead>
        <tr>
          <td />
          <th data-kind="figure">Now</th>
          <th data-kind="figure">After</th>
        </tr>
      </thead>
      <tbody aria-live="polite">
        {shown.map(({ part, label }) => (
          <tr key={part}>
            <th scope="row">{part === 'available' && !isActive ? 'Can spend once active' : label}</th>
            <td data-kind="figure">
              <Money amount={now[part]} />
            </td>
            <td data-kind="figure" data-total={(then && then[part] !== now[part]) || undefined}>
              {then ? <Money amount={then[part]} /> : '–'}
              {then && then[part] !== now[part] && (
                <Text size="xs" c="dimmed" span ml={6}>
                  <Money amount={difference(now[part], then[part])} movement />
                </Text>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
