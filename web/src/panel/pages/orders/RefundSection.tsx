import { Badge, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../../parts/Facts.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { isFailed } from '../../../subjects/orders/OrderStatus.tsx';
import { type EsimDetail, esim } from '../../api/esims.ts';
import type { OrderDetail, Refund } from '../../api/orders.ts';
import { whyKept } from './RequestRefund.tsx';

interface RefundProps {
  mode: Mode;
  detail: OrderDetail;
}

/** The state of the refund, or that there is none. Only delivered orders have one, unless the operator refunded money. */
export function RefundSection({ mode, detail }: RefundProps) {
  const { order, refund } = detail;
  const iccid = detail.esim.iccid;
  const known = useQuery({ ...esim(mode, iccid ?? ''), enabled: iccid !== null }).data;
  // A failed order's charge goes back by itself; the notice above says so.
  if (!refund || isFailed(order.status)) return null;
  return (
    <Section title="Refund" actions={<RefundStatus of={refund} price={order.sale_price} />}>
      <Stack gap="sm">
        <Recorded detail={detail} refund={refund} known={known} />
      </Stack>
    </Section>
  );
}

const isWhole = ({ amount }: Refund, price: string): boolean => Number(amount) >= Number(price);

function RefundStatus({ of, price }: { of: Refund; price: string }) {
  if (of.status === 'requested') return <Badge color="yellow">Requested</Badge>;
  if (of.status === 'rejected') return <Badge color="red">Rejected</Badge>;
  return <Badge color="teal">{isWhole(of, price) ? 'Refunded' : 'Refunded in part'}</Badge>;
}

interface RecordedProps {
  detail: OrderDetail;
  refund: Refund;
  known: EsimDetail | undefined;
}

function Recorded({ detail, refund, known }: RecordedProps) {
  const isRefunded = refund.status === 'refunded';
  return (
    <>
      <Text size="sm">{meaning(detail, refund, known)}</Text>
      <Facts
        facts={[
          ['Refunded', Number(refund.amount) > 0 && <Money key="amount" amount={refund.amount} />],
          ['Your reason', refund.reason],
          ['Operator’s note', refund.note],
          // A refund the operator made without a request has a start date, too.
          [
            isRefunded ? 'Recorded' : 'Requested',
            refund.requested_at !== refund.decided_at && <When key="requested" at={refund.requested_at} />,
          ],
          [isRefunded ? 'Refunded' : 'Rejected', refund.decided_at && <When key="d" at={refund.decided_at} />],
        ]}
      />
    </>
  );
}

function meaning(detail: OrderDetail, refund: Refund, known: EsimDetail | undefined): string {
  const price = detail.order.sale_price;
  if (refund.status === 'requested')
    return whyKept(detail, known)
      ? 'Waiting for the operator, who decides whether you get the price back, in full or in part.'
      : 'Waiting for an answer. Unless the supplier withdraws the eSIM, the operator decides. Don’t hand the eSIM out meanwhile: once withdrawn, it no longer works.';
  if (refund.status === 'rejected')
    return Number(refund.amount) > 0
      ? 'The operator rejected your request for more.'
      : 'The operator rejected your request. Nothing was refunded.';
  return isWhole(refund, price)
    ? 'The whole price went back to your account.'
    : 'A part of the price went back to your account. Only the operator can add to it.';
}
