import { Stack, Text } from '@mantine/core';
import { Facts } from '../../../parts/Facts.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import type { OrderDetail } from '../../api/orders.ts';
import { Cost } from '../catalog/Cost.tsx';
import classes from './OrderMoney.module.css';

type Line = OrderDetail['money'][number];

/** The names of the ledger's accounts, in words. */
const accounts: Record<string, string> = {
  cash: 'Partner’s cash',
  promo: 'Partner’s promotional credit',
  receivable: 'Owed by the partner',
  revenue: 'Revenue',
  share_expense: 'Revenue share',
  adjustment: 'Adjustments',
  play_money: 'Play money',
};

/** What was charged, and the double entries behind it. */
export function OrderMoney({ detail: { order, money } }: { detail: OrderDetail }) {
  return (
    <Section title="Money">
      <Stack>
        <Facts
          facts={[
            ['List price', <Money key="list" amount={order.list_price} />],
            ['Partner’s price', <Money key="price" amount={order.price} />],
            ['Paid from', order.billing_mode === 'postpaid' ? 'Credit line' : 'Balance'],
            ['Given back', Number(order.refunded) > 0 && <Money key="back" amount={order.refunded} />],
            ['Cost', order.bought !== null && <Cost key="bought" amount={order.bought} />],
            ['Margin', order.margin !== null && <Money key="margin" amount={order.margin} />],
          ]}
        />
        {money.length === 0 && (
          <Text size="sm" c="dimmed">
            {isArchived(order) ? 'What was booked is in the archive of its year.' : 'Nothing was charged.'}
          </Text>
        )}
        {money.map((line) => (
          <Movement key={line.id} line={line} />
        ))}
      </Stack>
    </Section>
  );
}

/** It was paid, and its lines are not in the ledger any more. */
const isArchived = ({ paid_at, price }: OrderDetail['order']): boolean => paid_at !== null && Number(price) > 0;

function Movement({ line }: { line: Line }) {
  return (
    <div className={classes.movement}>
      <Text size="sm" fw={500}>
        {nameOf(line)} <Money amount={line.amount} movement />
      </Text>
      <Text size="xs" c="dimmed">
        Movement {line.id}, <When at={line.at} exact />, balance after <Money amount={line.balance_after} />
        {line.note !== '' && `, “${line.note}”`}
      </Text>
      <ul className={classes.entries} aria-label={`Ledger entries of movement ${line.id}`}>
        {line.entries.map(({ debit, credit, amount }) => (
          <li key={`${debit} ${credit}`}>
            <Money amount={amount} />: debit {accounts[debit] ?? debit}, credit {accounts[credit] ?? credit}
          </li>
        ))}
      </ul>
    </div>
  );
}

function nameOf({ book, type }: Line): string {
  switch (type) {
    case 'purchase':
      return 'Charged to the balance';
    case 'charge':
      return 'Charged to the credit line';
    case 'refund':
      return book === 'debt' ? 'Taken off the debt' : 'Returned to the balance';
    case 'profit_share':
      return 'Revenue share on unused data';
    default:
      return 'Adjusted';
  }
}
