import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { RowLink } from '../../../parts/RowLink.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import type { RefundRow } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { DecideRefund } from './DecideRefund.tsx';
import { Used } from './Used.tsx';
import type { Watch } from './useLate.ts';

/** One request, with the order’s facts beside it, so that a person can decide. */
export function RefundCard({ mode, refund, watch }: { mode: Mode; refund: RefundRow; watch: Watch }) {
  const { order, usage, status } = refund;
  const mayDecide = useMay()('money');
  return (
    <Section
      title={`Order ${order.id}`}
      about={
        <>
          <Anchor component={Link} to={paths.partner(order.partner.id)} size="sm" underline="always">
            {order.partner.name}
          </Anchor>
          , {order.title}
          {order.type === 'refill' && ', refill'}
        </>
      }
      actions={<RowLink to={paths.order(order.id, mode)}>Open order</RowLink>}
    >
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {refund.reason === '' ? 'The partner gave no reason.' : `“${refund.reason}”`}
        </Text>
        <Facts
          facts={[
            ['Price', <Money key="price" amount={order.price} />],
            ['Given back', Number(refund.amount) > 0 && <Money key="given" amount={refund.amount} />],
            ['Requested', <When key="requested" at={refund.requested_at} />],
            ['Decided', refund.decided_at && <When key="decided" at={refund.decided_at} />],
            ['Delivered', order.delivered_at && <When key="delivered" at={order.delivered_at} />],
            ['Plan', `${order.data}, ${count(order.day, 'day')}`],
            ['Used', <Used key="used" usage={usage} data={order.data} mode={mode} />],
            ['First used', usage?.activated_at && <When key="activated" at={usage.activated_at} />],
            ['Runs until', usage?.expires_at && <When key="expires" at={usage.expires_at} />],
            ['Supplier', order.supplier],
            ['Supplier asked', refund.attempts > 0 && count(refund.attempts, 'time')],
            ['Note to the partner', refund.note],
          ]}
        />
        {status === 'requested' && mayDecide && (
          <DecideRefund
            mode={mode}
            orderId={order.id}
            version={refund.version}
            watch={watch}
            left={refund.left}
            goesTo={order.billing_mode}
            available={refund.available}
          />
        )}
      </Stack>
    </Section>
  );
}
