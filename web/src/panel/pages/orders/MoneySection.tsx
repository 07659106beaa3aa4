import { Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import type { OrderAccount, OrderDetail } from '../../api/orders.ts';
import { inCurrency } from '../../api/retail.ts';
import { AtTodaysRetail } from '../retail/AtTodaysRetail.tsx';
import { lineName, outcomeOf } from './outcome.ts';

interface MoneySectionProps {
  order: OrderDetail['order'];
  account: UseQueryResult<OrderAccount>;
}

/** What the order cost, and every movement it caused in the books. */
export function MoneySection({ order, account: found }: MoneySectionProps) {
  return (
    <Section title="Money">
      <Loaded query={found}>
        {(account) => (
          <Stack gap="sm">
            <Text size="sm">{sentence(account)}</Text>
            {account.lines.length === 0 && Number(account.charged) > 0 && (
              <Text size="sm" c="dimmed">
                The movements of this order are archived.
              </Text>
            )}
            <Facts
              facts={[
                ['List price', <Money key="list" amount={order.product_price} />],
                ['Your price', <Money key="price" amount={order.sale_price} />],
                ...movements(account.lines),
                ['You paid', <Money key="paid" amount={account.paid} />],
                ...margin(account.retail),
              ]}
            />
            {account.retail && <AtTodaysRetail what="Revenue and margin are" />}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

const margin = (retail: OrderAccount['retail']): (readonly [string, ReactNode])[] =>
  retail === null
    ? []
    : [
        ['Your revenue', inCurrency(retail.revenue, retail.currency)],
        ['Your margin', <Money key="margin" amount={retail.margin} />],
      ];

/** A second refund of the same kind is numbered. */
function movements(lines: OrderAccount['lines']): (readonly [string, ReactNode])[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const name = lineName(line);
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return [n === 1 ? name : `${name} (${n})`, <Movement key={`${name} ${n}`} of={line} />];
  });
}

function Movement({ of: { amount, at } }: { of: OrderAccount['lines'][number] }) {
  return (
    <Stack gap={0}>
      <Money amount={Math.abs(Number(amount))} />
      <Text size="xs" c="dimmed" span style={{ whiteSpace: 'nowrap' }}>
        <When at={at} exact />
      </Text>
    </Stack>
  );
}

function sentence(account: OrderAccount): string {
  const isOpen = account.state === 'paid' || account.state === 'deferred';
  switch (outcomeOf(account)) {
    case 'not charged':
      return account.state === 'created' ? 'The charge was not completed.' : 'Nothing was charged.';
    case 'charged':
      return isOpen
        ? 'The price was charged. If the order fails, all of it is refunded automatically.'
        : 'The price was charged.';
    case 'partly':
      return 'The price was charged, and a part of it went back to your account.';
    case 'returned':
      return account.state === 'failed' || account.state === 'cancelled'
        ? `The price was charged, and all of it went back to your account when the order ${account.state === 'failed' ? 'failed' : 'was cancelled'}.`
        : 'The price was charged, and all of it went back to your account.';
  }
}
